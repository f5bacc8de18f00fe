/** The Python of a handler: what the engine says of it, and environments that it makes beside the handler. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endpointReadinessSchema, type EndpointReadiness } from '#contract/local/engine.ts';
import { environmentStateSchema, type EnvironmentState } from '#contract/local/folder.ts';
import { DEADLINE_MS, untilWithin } from '../core/until.ts';
import type { TestEngine } from '../engine/engine.ts';
import { accepted } from '../resources/resources.ts';

/** What the engine says of one endpoint in its list: its handler, its notices, whether it is ready. */
export async function readinessOf(engine: TestEngine, id: string): Promise<EndpointReadiness> {
  const all = endpointReadinessSchema.array().parse(accepted(await engine.http.get('/local/v1/endpoints')));
  const one = all.find((endpoint) => endpoint.id === id);
  if (one === undefined) throw new Error(`The engine lists no endpoint ${id}.`);
  return one;
}

const environmentOf = async (engine: TestEngine, id: string): Promise<EnvironmentState> =>
  environmentStateSchema.parse(accepted(await engine.http.get(`/local/v1/endpoints/${id}/environment`)));

/** Waits until its state is the right one. With pip in it, an environment takes eight seconds alone. */
export async function untilEnvironment(
  engine: TestEngine,
  id: string,
  isRight: (state: EnvironmentState) => boolean,
): Promise<EnvironmentState> {
  const state = await untilWithin(3 * DEADLINE_MS, 'the environment', () => environmentOf(engine, id), isRight);
  return environmentStateSchema.parse(state);
}

/** As it ends. */
export const environmentMade = (engine: TestEngine, id: string): Promise<EnvironmentState> =>
  untilEnvironment(engine, id, ({ state }) => state !== 'making');

/** A wheel without a registry: a module `greeting` with a word in it. */
const WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/greeting-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("greeting.py", 'WORD = "hello"')
    wheel.writestr("greeting-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n")
    wheel.writestr("greeting-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("greeting-1.0.dist-info/RECORD", "")
`;

/** Puts it into the folder `wheels` of a handler's folder. */
export function writeWheel(folder: string): void {
  const wheels = join(folder, 'wheels');
  mkdirSync(wheels);
  execFileSync('python3', ['-c', WHEEL, wheels]);
}
