/**
 * START and STOP: how long the program without a window takes to print its first line, 1 s at most once it has run
 * before, and to end once it is asked to, 10 s at most, whatever still runs.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { newDataDir, startHost, type Ready } from '../../system/headless/headlessHost.ts';
import type { Bench, Group } from '../bench.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';

const START_MS = 1000;
const STOP_MS = 10_000;

/** A worker that takes a job, never finishes it, and does not end when it is asked to. */
const stubborn = `
  process.on('SIGTERM', () => undefined);
  export default () => new Promise(() => setInterval(() => undefined, 1000));`;

async function runStubbornJob({ api, apiKey, dataDir }: Ready): Promise<void> {
  const http = createHttp(api, apiKey);
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await http.post(path, body);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${text.slice(0, 300)}`);
    return (json as { id: string }).id;
  };
  const folder = join(dataDir, 'stubborn');
  await mkdir(folder);
  await writeFile(join(folder, 'handler.mjs'), stubborn);
  const imageName = pathToFileURL(folder).href;
  const templateId = await made('/v1/templates', { name: 't', imageName, isServerless: true });
  const endpointId = await made('/v1/endpoints', { name: 'e', templateId, workersMax: 1 });
  const id = await made(`/v2/${endpointId}/run`, { input: {} });
  const statusOf = async () => ((await http.get(`/v2/${endpointId}/status/${id}`)).json as { status: string }).status;
  await until('the job to run', statusOf, 'IN_PROGRESS');
  http.stop();
}

const flagsOf = (dataDir: string): string[] => ['--json', '--port', '0', '--ui-port', '0', '--data-dir', dataDir];

/**
 * From the start of the program to its first line. `dataDir`: the folder of an earlier start, which makes it a warm
 * one.
 */
async function startMs(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  await using host = startHost(flagsOf(dataDir));
  await host.ready();
  return performance.now() - startedAt;
}

/** `prepare`: what runs when it is asked to stop. */
async function stopMs(prepare: (ready: Ready) => Promise<void>): Promise<number> {
  await using dataDir = await newDataDir();
  await using host = startHost(flagsOf(dataDir.path));
  await prepare(await host.ready());
  const startedAt = performance.now();
  const { code } = await host.stop();
  if (code !== 0) throw new Error(`It ended with ${code}`);
  return performance.now() - startedAt;
}

async function run({ board, rounds }: Bench): Promise<void> {
  await using used = await newDataDir();
  await startMs(used.path);
  const values = await interleave('START, STOP', rounds, {
    warm: () => startMs(used.path),
    idle: () => stopMs(() => Promise.resolve()),
    stubborn: () => stopMs(runStubbornJob),
  });
  const start = { goal: 'START', unit: 'ms', floor: atMost(START_MS) };
  board.add({ ...start, what: 'first line of the program', engine: values.warm });
  const common = { goal: 'STOP', unit: 'ms', floor: atMost(STOP_MS) };
  board.add({ ...common, what: 'end of the idle program', engine: values.idle });
  board.add({ ...common, what: 'end beside a worker that does not heed', engine: values.stubborn });
}

export const lifetimeGoals: Group = { goals: ['START', 'STOP'], run };
