/** The engine, and the host with it, are asked to stop while jobs are submitted and worked on. */
import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { jobAcceptedSchema } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { halfJobs, storedJobs } from '../../support/engine/dyingEngine.ts';
import { createHttp, type Http } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { newDataDir, startHost } from '../headless/headlessHost.ts';
import { needsPosix } from '../../support/core/skip.ts';

const SUBMITTERS = 4;

const handler = `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as pause } from 'node:timers/promises';
  const runs = new URL('./runs', import.meta.url);
  export default async (job) => {
    appendFileSync(runs, job.id + '\\n');
    if (job.input.forever) for (;;) await pause(1000);
    await pause(20);
    return job.input.n;
  };`;

/** Submits until it is refused or cannot be reached; the ids that were acknowledged. */
function submitUntilStopped(http: Http, endpointId: string) {
  const acknowledged = new Set<string>();
  async function submit(n: number): Promise<boolean> {
    const answer = await http.post(`/v2/${endpointId}/run`, { input: { n } }).catch(() => null);
    if (answer?.status !== 200) return false;
    acknowledged.add(jobAcceptedSchema.parse(answer.json).id);
    return true;
  }
  const finished = Promise.all(
    Array.from({ length: SUBMITTERS }, async () => {
      for (let n = 0; await submit(n); n++);
    }),
  );
  return { acknowledged, finished };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Nothing is left to be recovered at the next start. */
function expectTidy(dataDir: string): void {
  const log = join(dataDir, 'engine.db-wal');
  expect(existsSync(log) ? statSync(log).size : 0, 'what is left in the write-ahead log').toBe(0);
  expect(halfJobs(dataDir)).toEqual({});
}

interface OutsideWork {
  /** Jobs whose result was accepted. */
  done: Set<string>;
  /** Brings the result that nobody took any more, as a worker does that tries again. */
  bringTheRest(): Promise<void>;
}

/** Takes jobs and brings results until nobody answers any more. */
async function workUntilStopped(engine: TestEngine, endpointId: string): Promise<OutsideWork> {
  const worker = createOutsideWorker(engine, endpointId);
  const done = new Set<string>();
  let inHand: string | null = null;
  const bring = async (id: string): Promise<void> => {
    if ((await worker.done(id, { output: 'outside' })).status === 200) done.add(id);
    inHand = null;
  };
  const bringTheRest = async (): Promise<void> => {
    if (inHand !== null) await bring(inHand);
  };
  try {
    for (;;) {
      const job = await worker.take();
      if (!job) continue;
      inHand = job.id;
      await bring(job.id);
    }
  } catch {
    return { done, bringTheRest };
  }
}

test('fault 31: asked to stop under load, the engine lets its workers finish, keeps every job, and leaves nothing to be recovered', async () => {
  await using engine = await startEngine();
  const { template, endpoint } = await makeEndpoint(
    engine,
    { 'handler.mjs': handler },
    { endpoint: { workersMax: 2, idleTimeout: 60 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  // The start of a worker of the engine takes longer than the outside one takes for its jobs, on a slow machine much
  // longer: one is there before the load.
  await jobs.finished(await jobs.run({ n: -1 }));
  const submitting = submitUntilStopped(engine.http, endpoint.id);
  const working = workUntilStopped(engine, endpoint.id);
  await until(
    'work to be done',
    async () => (await jobs.health()).jobs.completed,
    (completed) => completed > 20,
  );

  process.kill(engine.pid, 'SIGTERM');
  await engine.exited();
  expect(await engine.stop(), 'its exit code').toBe(0);
  await submitting.finished;
  const { done, bringTheRest } = await working;
  expectTidy(engine.dataDir);
  // Read before the restart, whose workers begin at once with the jobs that are left.
  const runs = await readFile(fileURLToPath(`${template.imageName}/runs`), 'utf8');
  const before = runs.trim().split('\n');

  await engine.restart();
  await bringTheRest();
  const { acknowledged } = submitting;
  // None was cut off: whatever a worker of the engine had begun, it finished.
  for (const id of before)
    if (acknowledged.has(id)) expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED' });
  for (const id of done) expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'outside' });
  for (const id of acknowledged) expect(await jobs.finished(id), id).toMatchObject({ status: 'COMPLETED' });
  expect(new Set(before).size, 'no job was run twice').toBe(before.length);
});

test('fault 31: asked to stop under load, the host ends although a handler does not, whose job waits again', async () => {
  await using dataDir = await newDataDir();
  const args = ['--data-dir', dataDir.path, '--port', '0', '--no-ui', '--json'];
  const folder = join(dataDir.path, 'handler');
  await mkdir(folder);
  await writeFile(join(folder, 'handler.mjs'), handler);

  await using host = startHost(args);
  const ready = await host.ready();
  const http = createHttp(ready.api, ready.apiKey);
  const made = async (path: string, body: object): Promise<string> =>
    z.looseObject({ id: z.string() }).parse((await http.post(path, body)).json).id;
  const templateId = await made('/v1/templates', {
    name: 't',
    imageName: pathToFileURL(folder).href,
    isServerless: true,
  });
  const endpointId = await made('/v1/endpoints', { name: 'e', templateId, workersMax: 2 });
  const stuck = await made(`/v2/${endpointId}/run`, { input: { forever: true } });
  await until(
    'it to run',
    () => readFile(join(folder, 'runs'), 'utf8').catch(() => ''),
    (ids) => ids.includes(stuck),
  );
  const submitting = submitUntilStopped(http, endpointId);
  await until(
    'jobs to be there',
    () => submitting.acknowledged.size,
    (count) => count > 20,
  );

  host.child.kill('SIGTERM');
  // The handler would go on for ever.
  const exit = await host.exited();
  expect(exit, exit.stderr).toMatchObject({ code: 0, signal: null });
  await submitting.finished;
  http.stop();
  // The handler has its 5 s, and the engine what is left of its 8 s for the rest. On a slow machine it is killed then,
  // and the next start does the rest.
  const log = await readFile(join(dataDir.path, 'logs/app.log'), 'utf8');
  const wasInTime = !log.includes('"stopLimitMs"');
  if (wasInTime) expectTidy(dataDir.path);

  const rows = storedJobs(dataDir.path);
  expect(rows.get(stuck)).toMatchObject(wasInTime ? { status: 'IN_QUEUE', retries: 1 } : {});
  const stored = wasInTime ? /^(IN_QUEUE|COMPLETED)$/ : /^(IN_QUEUE|IN_PROGRESS|COMPLETED)$/;
  for (const id of submitting.acknowledged) expect(rows.get(id)?.status, id).toMatch(stored);
});

test('an engine whose host was killed before it read a reply stops in order', needsPosix, async () => {
  await using engine = await startEngine({ logLevel: 'debug' });
  expect(await engine.abandon({ type: 'ping' }), engine.stderr).toBe(0);
  expectTidy(engine.dataDir);
});

/** By then a program that was asked to stop has ended. */
const PROMISED_MS = 10_000;

test('fault 31: each part of a stop has its own deadline, before that of the part that waits for it', () => {
  const { workerGraceMs, lastGraceMs, stop } = limits;
  const deadlines = [workerGraceMs, workerGraceMs + lastGraceMs, stop.engineMs, stop.programMs, PROMISED_MS];
  expect(deadlines).toEqual(deadlines.toSorted((one, other) => one - other));
  expect(new Set(deadlines).size).toBe(deadlines.length);
});

test(
  'fault 31: an engine that does not answer a stop is killed at its deadline, and the host ends with 0',
  needsPosix,
  async () => {
    await using dataDir = await newDataDir();
    await using host = startHost(['--data-dir', dataDir.path, '--port', '0', '--no-ui', '--json']);
    await host.ready();
    const log = () => readFile(join(dataDir.path, 'logs/app.log'), 'utf8');
    const enginePid = Number(/"enginePid":(\d+)/.exec(await log())?.[1]);
    process.kill(enginePid, 'SIGSTOP');
    const exit = await host.stop();
    expect(exit, exit.stderr).toMatchObject({ code: 0, signal: null });
    expect(await log()).toContain(`"stopLimitMs":${limits.stop.engineMs}`);
    await until('the engine to be gone', () => !isRunning(enginePid));
  },
);
