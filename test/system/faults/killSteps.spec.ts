/** The engine is killed right before and right after the commit of each step of the job protocol, and started again. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { workerSchema } from '#contract/local/engine.ts';
import { firstSchema } from '../../../main/engine/store/sqlite/migrations/firstSchema.ts';
import { migrations } from '../../../main/engine/store/sqlite/migrations/index.ts';
import { halfJobs, startDyingEngine, type DyingEngine } from '../../support/engine/dyingEngine.ts';
import type { Answer } from '../../support/http/client.ts';
import { allCommitted, jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

interface Stage {
  endpointId: string;
  jobs: Jobs;
  worker: OutsideWorker;
}

let engine: DyingEngine;
beforeEach(async () => {
  engine = await startDyingEngine();
});
afterEach(async () => {
  // Whatever moment it was killed at, nothing is left half done.
  await engine.stop();
  expect(halfJobs(engine.dataDir)).toEqual({});
  await engine.close();
});

async function stage(): Promise<Stage> {
  const { id } = await makeIdleEndpoint(engine);
  return { endpointId: id, jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

const post = (path: string, body?: object): Promise<Answer> => engine.http.post(path, body);

/** A worker's own take that brings the job it was meant to. */
async function take({ worker }: Stage, id: string): Promise<void> {
  expect((await worker.take())?.id).toBe(id);
}

/** Takes and completes every job that still waits; their inputs, in the order they came. */
async function workThrough({ jobs, worker }: Stage): Promise<unknown[]> {
  const inputs: unknown[] = [];
  while ((await jobs.health()).jobs.inQueue > 0) {
    const taken = (await worker.take())!;
    inputs.push(taken.input);
    expect((await worker.done(taken.id, { output: taken.input })).status).toBe(200);
    expect(await jobs.status(taken.id)).toMatchObject({ status: 'COMPLETED', output: taken.input });
  }
  return inputs;
}

test('fault 1: killed before the commit of a submit, nobody was promised a job and there is none', async () => {
  for (const operation of ['run', 'runsync']) {
    const made = await stage();
    await engine.killAt('before commit', () => post(`${made.jobs.path}/${operation}`, { input: { operation } }));
    expect((await made.jobs.health()).jobs, operation).toMatchObject({ inQueue: 0, inProgress: 0 });
    expect(await workThrough(made), operation).toEqual([]);
  }
});

test('fault 2: killed after the commit of a submit and before the answer, the job is there and runs; who tries again has two', async () => {
  for (const operation of ['run', 'runsync']) {
    const made = await stage();
    await engine.killAt('after commit', () => post(`${made.jobs.path}/${operation}`, { input: { operation } }));
    await made.jobs.run({ operation });
    expect(await workThrough(made), operation).toEqual([{ operation }, { operation }]);
  }
});

test('fault 3: killed while a worker of somebody else is at a job, that worker keeps the job, its chunks and its result', async () => {
  const made = await stage();
  const { jobs, worker, endpointId } = made;
  const id = await jobs.run({ n: 1 });
  await take(made, id);
  await worker.stream(id, { output: 'before' });
  await engine.kill9();
  await engine.restart();
  expect(await jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS', workerId: worker.id });

  // Whoever else asks meanwhile is given what comes next, and never this one.
  const taking = createOutsideWorker(engine, endpointId).take();
  const next = await jobs.run({ n: 2 });
  expect((await taking)?.id).toBe(next);

  expect((await worker.stream(id, { output: 'after' })).status).toBe(200);
  expect((await worker.done(id, { output: 'mine' })).status).toBe(200);
  expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'mine', workerId: worker.id });
  expect(await jobs.status(id)).not.toHaveProperty('retries');
  expect((await engine.http.get(`${jobs.path}/stream/${id}`)).json).toEqual([
    { output: 'before' },
    { output: 'after' },
  ]);
});

test('fault 3: killed while a job is handed out, it is handed out again or stays with the worker, never lost or run by two', async () => {
  const made = await stage();
  const { jobs, worker } = made;
  // Not committed: the take never happened.
  const first = await jobs.run({ n: 1 });
  await engine.killAt('before commit', () => worker.take());
  expect((await jobs.status(first)).status).toBe('IN_QUEUE');
  await take(made, first);
  await worker.done(first, { output: 1 });
  // Committed: its worker has the job, though it does not know. Silent for too long, or without the job in its pings, it loses it.
  const second = await jobs.run({ n: 2 });
  await engine.killAt('after commit', () => worker.take());
  expect(await jobs.status(second)).toMatchObject({ status: 'IN_PROGRESS', workerId: worker.id });
  await engine.advance(limits.workerSilenceMs);
  expect(await jobs.status(second)).toMatchObject({ status: 'IN_QUEUE', retries: 1 });
  expect(await workThrough(made)).toEqual([{ n: 2 }]);
});

test('fault 4: killed between the commit of a result and its answer, the same result again is answered with 200 and changes nothing', async () => {
  const made = await stage();
  const { jobs, worker, endpointId } = made;
  const id = await jobs.run({});
  await take(made, id);
  await engine.killAt('after commit', () => worker.done(id, { output: 'mine' }));
  const ended = await jobs.status(id);
  expect(ended).toMatchObject({ status: 'COMPLETED', output: 'mine' });
  expect((await worker.done(id, { output: 'mine' })).status).toBe(200);
  expect((await worker.done(id, { error: 'no, it failed' })).status).toBe(200);
  expect((await createOutsideWorker(engine, endpointId).done(id, { output: 'theirs' })).status).toBe(409);
  expect(await jobs.status(id)).toEqual(ended);
});

test('fault 4: killed before the commit of a result, the same result again is taken', async () => {
  const made = await stage();
  const { jobs, worker } = made;
  const id = await jobs.run({});
  await take(made, id);
  await engine.killAt('before commit', () => worker.done(id, { output: 'mine' }));
  expect((await jobs.status(id)).status).toBe('IN_PROGRESS');
  expect((await worker.done(id, { output: 'mine' })).status).toBe(200);
  expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'mine' });
});

test('fault 5: killed together with a worker of somebody else, its jobs wait again once its lease is over, in the order of their age', async () => {
  const made = await stage();
  const { jobs, worker, endpointId } = made;
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await jobs.run({ n }));
  await worker.takeBatch(2);
  await engine.kill9();
  await engine.restart();
  await engine.advance(limits.workerSilenceMs);
  for (const id of ids.slice(0, 2)) expect(await jobs.status(id)).toEqual({ id, status: 'IN_QUEUE', retries: 1 });
  expect((await jobs.health()).jobs).toMatchObject({ inQueue: 4, inProgress: 0, retried: 2 });
  expect(await workThrough({ ...made, worker: createOutsideWorker(engine, endpointId) })).toEqual([
    { n: 0 },
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ]);
});

test('fault 5: killed together with its own worker, the job waits again at once, before all that are younger', async () => {
  const { template, endpoint } = await makeEndpoint(
    engine,
    {
      'handler.mjs': `
        import { appendFileSync, existsSync } from 'node:fs';
        import { setTimeout as pause } from 'node:timers/promises';
        const at = (name) => new URL(name, import.meta.url);
        export default async (job) => {
          appendFileSync(at('./runs'), job.input.n + '\\n');
          while (!existsSync(at('./gate'))) await pause(5);
          return process.pid;
        };`,
    },
    { endpoint: { workersMax: 1 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const file = (name: string): string => join(fileURLToPath(template.imageName), name);
  const runs = async (): Promise<string> =>
    (await readFile(file('runs'), 'utf8').catch(() => '')).replaceAll('\n', ' ');
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await jobs.run({ n }));
  await until('the first job to run', () => runs(), '0 ');
  ids.push(await jobs.run({ n: 3 }));
  // Who has a job is stored a moment after its worker began with it.
  await allCommitted(engine);
  const { workerId } = await jobs.status(ids[0]!);
  const workers = z.array(workerSchema).parse((await engine.http.get('/local/v1/workers')).json);
  const killing = engine.kill9();
  process.kill(workers.find(({ id }) => id === workerId)!.pid!, 'SIGKILL');
  await killing;
  await engine.restart();
  await writeFile(file('gate'), '');
  const views = await Promise.all(ids.map((id) => jobs.finished(id)));
  for (const view of views) expect(view.status).toBe('COMPLETED');
  expect(views.map(({ retries }) => retries)).toEqual([1, undefined, undefined, undefined]);
  expect(await runs()).toBe('0 0 1 2 3 ');
});

test('fault 6: killed while a job is cancelled, it is cancelled or it is as it was', async () => {
  const made = await stage();
  const { jobs, worker } = made;
  const [queued, running] = [await jobs.run({ n: 1 }), await jobs.run({ n: 2 })].toReversed() as [string, string];
  await take(made, running);
  for (const [id, before] of [
    [queued, 'IN_QUEUE'],
    [running, 'IN_PROGRESS'],
  ] as const) {
    await engine.killAt('before commit', () => post(`${jobs.path}/cancel/${id}`));
    expect((await jobs.status(id)).status).toBe(before);
    await engine.killAt('after commit', () => post(`${jobs.path}/cancel/${id}`));
    expect((await jobs.status(id)).status).toBe('CANCELLED');
    expect(await jobs.cancel(id)).toEqual({ id, status: 'CANCELLED' });
  }
  // Its worker did not hear of it: what it brings changes nothing.
  expect((await worker.done(running, { output: 'too late' })).status).toBe(200);
  expect(await jobs.status(running)).toMatchObject({ status: 'CANCELLED' });
  expect((await jobs.health()).jobs).toMatchObject({ inQueue: 0, inProgress: 0 });
});

test('fault 6: killed while a job is retried, it is as it had failed, with its output, or it waits with nothing left of that', async () => {
  const made = await stage();
  const { jobs, worker } = made;
  const id = await jobs.run({ n: 1 });
  await take(made, id);
  await worker.stream(id, { output: 'a chunk' });
  await worker.done(id, { output: 'half', error: 'no' });
  const failed = await jobs.status(id);
  expect(failed).toMatchObject({ status: 'FAILED', output: 'half', error: 'no' });
  await engine.killAt('before commit', () => post(`${jobs.path}/retry/${id}`));
  expect(await jobs.status(id)).toEqual(failed);
  await engine.killAt('after commit', () => post(`${jobs.path}/retry/${id}`));
  expect(await jobs.status(id)).toEqual({ id, status: 'IN_QUEUE', retries: 1 });
  expect((await engine.http.get(`${jobs.path}/stream/${id}?wait=1000`)).json).toEqual([]);
  expect(await workThrough(made)).toEqual([{ n: 1 }]);
});

test('fault 6: killed while a queue is purged, each job is purged or waits; a purge again takes the rest', async () => {
  const made = await stage();
  const { jobs } = made;
  // More than are purged in one commit.
  const ids: string[] = [];
  for (let n = 0; n < 700; n += 100) {
    ids.push(...(await Promise.all(Array.from({ length: 100 }, (_, at) => jobs.run({ n: n + at })))));
  }
  const purge = () => post(`${jobs.path}/purge-queue`);
  await engine.killAt('before commit', purge);
  expect((await jobs.health()).jobs.inQueue).toBe(ids.length);
  await engine.killAt('after commit', purge);
  const { inQueue } = (await jobs.health()).jobs;
  expect(inQueue).toBeGreaterThan(0);
  expect(inQueue).toBeLessThan(ids.length);
  expect((await purge()).json).toEqual({ removed: inQueue, status: 'completed' });
  for (let at = 0; at < ids.length; at += 100) {
    const views = await Promise.all(ids.slice(at, at + 100).map((id) => jobs.status(id)));
    expect(new Set(views.map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
  }
});

test('fault 6: killed at each step of a migration, the file is as it was before the step or after it, and the next start goes on', async () => {
  const made = await stage();
  const id = await made.jobs.run({ n: 1 });
  await engine.stop();
  const dataDir = await mkdtemp(join(tmpdir(), 'hangar-migration-'));
  try {
    // A file of the oldest version, with a job in it.
    const database = new DatabaseSync(join(dataDir, 'engine.db'));
    database.exec(`${firstSchema}; PRAGMA user_version = 1`);
    database.exec(`ATTACH '${join(engine.dataDir, 'engine.db')}' AS newer`);
    for (const table of ['job', 'body', 'endpoint', 'template', 'meta', 'api_key']) {
      const columns = database.prepare(`PRAGMA main.table_info(${table})`).all();
      const names = columns.map(({ name }) => String(name)).join(', ');
      database.exec(`INSERT INTO main.${table} (${names}) SELECT ${names} FROM newer.${table}`);
    }
    database.close();
    const version = (): number => {
      const file = new DatabaseSync(join(dataDir, 'engine.db'));
      const { user_version: version } = file.prepare('PRAGMA user_version').get() as { user_version: number };
      file.close();
      return version;
    };
    const start = (env: Record<string, string> = {}): Promise<DyingEngine> => startDyingEngine({ dataDir, env });
    // Each start does one step and is killed before the commit of the next one: that step is gone, and the one before
    // it stays.
    for (let step = 2; step <= migrations.length; step++) {
      const moment = step === 2 ? 'before commit 1' : 'before commit 2';
      await expect(start({ HANGAR_TEST_DIE: moment })).rejects.toThrow('SIGKILL');
      expect(version()).toBe(step - 1);
    }
    await expect(start({ HANGAR_TEST_DIE: 'after commit 1' })).rejects.toThrow('SIGKILL');
    expect(version()).toBe(migrations.length);
    await using migrated = await start();
    expect(await jobsOf(migrated, made.endpointId).status(id)).toEqual({ id, status: 'IN_QUEUE' });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('fault 6: killed while finished jobs are swept, each is there whole or gone whole, and the rest go later', async () => {
  const made = await stage();
  const { jobs, worker } = made;
  const ids = await Promise.all(Array.from({ length: 40 }, (_, n) => jobs.run({ n })));
  for (const { id } of await worker.takeBatch(ids.length)) {
    await worker.stream(id, { output: 'a chunk' });
    await worker.done(id, { output: id });
  }
  const sweep = (): Promise<void> => engine.advance(limits.retentionMs.run);
  /** Those that are there are there whole. */
  const left = async (): Promise<string[]> => {
    const answers = await Promise.all(ids.map((id) => engine.http.get(`${jobs.path}/status/${id}`)));
    return ids.filter((id, at) => {
      if (answers[at]!.status === 404) return false;
      expect(answers[at]!.json).toMatchObject({ id, status: 'COMPLETED', output: id });
      return true;
    });
  };
  await engine.killAt('before commit', sweep);
  expect(await left()).toEqual(ids);
  // Something else of that time may be committed before.
  const afterOne = await until(
    'the commit of a part of the sweep',
    async () => {
      await engine.killAt('after commit', sweep);
      return left();
    },
    (there) => there.length < ids.length,
  );
  await engine.killAt('before commit', sweep);
  expect(await left()).toEqual(afterOne);
  await sweep();
  expect(await left()).toEqual([]);
});
