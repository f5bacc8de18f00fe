/** STOP: how long the program without a window takes to end once it is asked to. 10 s are promised, whatever still runs. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../support/core/until.ts';
import { createHttp } from '../../support/http/client.ts';
import { newDataDir, startHost, type Ready } from '../../system/headless/headlessHost.ts';
import type { Bench, Group } from '../bench.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';

const PROMISED_MS = 10_000;

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

/** `prepare`: what runs when it is asked to stop. */
async function stopMs(prepare: (ready: Ready) => Promise<void>): Promise<number> {
  await using dataDir = await newDataDir();
  await using host = startHost(['--json', '--no-ui', '--port', '0', '--data-dir', dataDir.path]);
  await prepare(await host.ready());
  const startedAt = performance.now();
  const { code } = await host.stop();
  if (code !== 0) throw new Error(`It ended with ${code}`);
  return performance.now() - startedAt;
}

async function run({ board, rounds }: Bench): Promise<void> {
  const values = await interleave('STOP', rounds, {
    idle: () => stopMs(() => Promise.resolve()),
    stubborn: () => stopMs(runStubbornJob),
  });
  const common = { goal: 'STOP', unit: 'ms', floor: atMost(PROMISED_MS) };
  board.add({ ...common, what: 'end of the idle program', engine: values.idle });
  board.add({ ...common, what: 'end beside a worker that does not heed', engine: values.stubborn });
}

export const stoppingGoals: Group = { goals: ['STOP'], run };
