import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endpointSchema, templateSchema, type Endpoint, type Template } from '#contract/api/resources.ts';
import type { TestEngine } from '../engine/engine.ts';
import type { Answer } from '../http/client.ts';

/** File name → content of a handler's folder, such as `{ 'handler.mjs': '…' }`. */
export type HandlerFiles = Record<string, string>;

/** Source text for handlers: a promise that settles once the job is told to stop, also when that was before. */
export const UNTIL_ABORTED = `
  const untilAborted = (signal) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', resolve, { once: true });
    });
`;

/** Files of a Python package that the folder requires, and whose installation never ends. */
export const NEVER_INSTALLED: HandlerFiles = {
  'requirements.txt': '.\n',
  'pyproject.toml': '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
  'backend.py': 'import time\nprint("It waits.", flush=True)\ntime.sleep(3600)\n',
};

export interface Created {
  template: Template;
  endpoint: Endpoint;
}

/** The answer's body, after making sure that the request was accepted. */
export function accepted(answer: Answer): unknown {
  if (answer.status !== 200) throw new Error(`Refused with HTTP ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer.json;
}

/** Writes a handler into a folder of its own below the engine's data folder; returns its `file://` address. */
export async function writeHandler(engine: TestEngine, files: HandlerFiles): Promise<string> {
  const folder = await mkdtemp(join(engine.dataDir, 'handler-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return pathToFileURL(folder).href;
}

let made = 0;

/** Makes a template of these files and an endpoint that runs it, as any client of the management API would. */
export async function makeEndpoint(
  engine: TestEngine,
  files: HandlerFiles,
  { template = {}, endpoint = {} }: { template?: object; endpoint?: object } = {},
): Promise<Created> {
  const name = `test ${++made}`;
  const imageName = await writeHandler(engine, files);
  const madeTemplate = templateSchema.parse(
    accepted(await engine.http.post('/v1/templates', { name, imageName, isServerless: true, ...template })),
  );
  const madeEndpoint = endpointSchema.parse(
    accepted(await engine.http.post('/v1/endpoints', { name, templateId: madeTemplate.id, ...endpoint })),
  );
  return { template: madeTemplate, endpoint: madeEndpoint };
}

/** An endpoint for which the engine starts no worker: its workers are programs of somebody else, such as the test. */
export const makeIdleEndpoint = async (engine: TestEngine, endpoint: object = {}): Promise<Endpoint> =>
  (
    await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => null;\n' },
      { endpoint: { workersMax: 0, ...endpoint } },
    )
  ).endpoint;
