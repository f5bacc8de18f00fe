/**
 * What is different for workers that are processes of this engine: they end with it, so that less has to be on disk
 * before they go on.
 */
import { describe, expect, test } from 'vitest';
import { createFakeClock, createFakeJobStore } from '../../../../test/support/core/fakes.ts';
import type { Job } from './jobRecord.ts';
import { createLoadedJobs } from '../../../../test/support/jobs/loadedJobs.ts';
import type { Worker } from './workers/registry.ts';

const ENDPOINT = 'ep';
const nothing = (): void => undefined;

function setUp() {
  const store = createFakeJobStore();
  const clock = createFakeClock();
  const jobs = createLoadedJobs({ clock, store });
  const own = jobs.workers.addOwn('own', ENDPOINT);
  const handed: Job[] = [];
  const take = (worker: Worker): void => void jobs.take(worker, 1, (taken) => handed.push(...taken));
  const submit = (settled: (error: unknown, job: Job) => void = nothing, { sync = false } = {}): void =>
    jobs.submit(
      { endpointId: ENDPOINT, request: { input: {} }, body: '{"input":{}}', sync, retentionMs: 1_800_000 },
      settled,
    );
  return { clock, store, jobs, own, handed, take, submit };
}

describe('a worker of our own', () => {
  test('that waits is handed a job while its commit is under way; the caller is answered after it', () => {
    const { store, own, handed, take, submit } = setUp();
    take(own);
    const accepted: string[] = [];
    submit((_error, job) => accepted.push(job.id));
    expect(handed).toHaveLength(1);
    expect(accepted).toEqual([]);
    store.commit();
    expect(accepted).toEqual([handed[0]!.id]);
    expect(handed).toHaveLength(1);
  });

  test('is told to stop a job that could not be stored after all', () => {
    const { store, jobs, own, handed, take, submit } = setUp();
    take(own);
    let stoppedIds: string[] = [];
    jobs.workers.awaitStop(own, (jobIds) => (stoppedIds = jobIds));
    submit();
    store.commit(new Error('disk full'));
    expect(stoppedIds).toEqual([handed[0]!.id]);
    expect(jobs.get(handed[0]!.id)).toBeUndefined();
    expect(own.jobs.size).toBe(0);
  });

  test('writes for its only job, and for a moment after its end, since a pipe is read later than the result', () => {
    const { clock, jobs, own, handed, take, submit } = setUp();
    const { workers } = jobs;
    expect(workers.activeJobIds(own.id)).toEqual([]);
    take(own);
    submit();
    const [first] = handed;
    const done = { progress: false, output: '1', error: null, stopWorker: false };
    expect(workers.activeJobIds(own.id)).toEqual([first!.id]);
    jobs.result(first!, own.id, done, nothing);
    expect(workers.activeJobIds(own.id)).toEqual([first!.id]);
    take(own);
    submit();
    expect(workers.activeJobIds(own.id)).toEqual([handed[1]!.id]);
    jobs.result(handed[1]!, own.id, done, nothing);
    clock.advance(1000);
    expect(workers.activeJobIds(own.id)).toEqual([]);
    expect(workers.activeJobIds('nobody')).toEqual([]);
  });

  test('shares one commit between a /runsync and its result; who was promised an id is never put off', () => {
    const { store, own, take, submit } = setUp();
    const urgencies: unknown[] = [];
    const { insert } = store;
    store.insert = (...args) => {
      urgencies.push(args[4]);
      insert(...args);
    };
    take(own);
    submit(nothing, { sync: true });
    submit(nothing, { sync: true });
    take(own);
    submit(nothing, { sync: false });
    // The second found no worker that waits, and its caller waits for the result all the same.
    expect(urgencies).toEqual(['soon', 'soon', 'now']);
  });

  test('is handed a job that waited without a commit of its own', async () => {
    const { store, own, handed, take, submit } = setUp();
    submit();
    store.commit();
    take(own);
    await Promise.resolve();
    expect(handed).toMatchObject([{ status: 'IN_PROGRESS', workerId: 'own' }]);
  });

  test('that has begun a job which then cannot be stored is told to stop it', async () => {
    const { store, jobs, own, handed, take, submit } = setUp();
    submit(nothing, { sync: true });
    take(own);
    await Promise.resolve();
    const job = handed[0]!;
    store.commit(new Error('disk full'));
    expect(jobs.get(job.id)).toBeUndefined();
    const stoppedIds: string[] = [];
    jobs.workers.awaitStop(own, (jobIds) => stoppedIds.push(...jobIds));
    expect(stoppedIds).toEqual([job.id]);
  });

  test('streams to readers at once; its chunks are on disk no later than its result', () => {
    const { store, jobs, own, handed, take, submit } = setUp();
    take(own);
    submit();
    store.commit();
    const job = handed[0]!;
    let answered = false;
    jobs.append(job, own.id, ['{"output":1}', '{"output":2}'], () => (answered = true));
    expect(answered).toBe(true);
    expect(jobs.read(job)).toEqual(['{"output":1}', '{"output":2}']);
    jobs.result(job, own.id, { progress: false, output: '[]', error: null, stopWorker: false }, nothing);
    store.commit();
    expect(store.rows.get(job.seq)).toMatchObject({ status: 'COMPLETED', chunksRead: 2 });
  });

  test('may be far ahead of the disk: what is not stored yet is read from memory', () => {
    const { store, jobs, own, handed, take, submit } = setUp();
    take(own);
    submit();
    store.commit();
    const job = handed[0]!;
    const texts = Array.from({ length: 40 }, (_, n) => `{"output":"${n}${'x'.repeat(20_000)}"}`);
    for (const text of texts) jobs.append(job, own.id, [text], nothing);
    expect(jobs.read(job)).toEqual(texts);
    store.commit();
    expect(job.chunks!.tail.textLength).toBeLessThan(300_000);
  });

  test('that streams faster than the disk takes it waits for the disk, and readers do not', () => {
    const { store, jobs, own, handed, take, submit } = setUp();
    take(own);
    submit();
    store.commit();
    const job = handed[0]!;
    const text = `{"output":"${'x'.repeat(100_000)}"}`;
    let goneOn = 0;
    for (let n = 0; n < 40; n++) jobs.append(job, own.id, [text], (error) => (goneOn += error ? 0 : 1));
    expect(goneOn).toBeLessThan(20);
    expect(jobs.read(job)).toHaveLength(40);
    store.commit();
    expect(goneOn).toBe(40);
    jobs.append(job, own.id, [text], () => goneOn++);
    expect(goneOn).toBe(41);
  });

  test('whose chunks cannot be stored has its job fail with the reason, and readers are not kept waiting', () => {
    const { clock, store, jobs, own, handed, take, submit } = setUp();
    take(own);
    submit();
    store.commit();
    const job = handed[0]!;
    jobs.append(job, own.id, ['{"output":1}'], nothing);
    store.commit(new Error('disk full'));
    clock.advance(0);
    store.commit();
    expect(job).toMatchObject({ status: 'FAILED', error: expect.stringContaining('disk full') });
    jobs.read(job);
    expect(job.chunks!.ready - job.chunksRead).toBe(0);
  });
});

test('fault 16: a job that a process of ours has died of goes behind the next few, so that it does not hold them up', () => {
  const { jobs, store, submit } = setUp();
  for (let count = 0; count < 20; count++) submit();
  store.commit();
  let started = 0;
  const next = (): Job => {
    const worker = jobs.workers.addOwn(`own-${++started}`, ENDPOINT);
    jobs.takeNow(worker, 1, nothing);
    store.commit();
    return [...worker.jobs][0]!;
  };
  const poison = next();
  jobs.workerGone(jobs.workers.get(poison.workerId!)!, 'it died', 'worker');
  store.commit();
  const order = Array.from({ length: 11 }, next);
  expect(order.indexOf(poison)).toBe(10);
  const unlucky = order[0]!;
  jobs.workerGone(jobs.workers.get(unlucky.workerId!)!, 'it was replaced', 'nobody');
  store.commit();
  expect(next(), 'a job whose worker was ended on purpose keeps its place').toBe(unlucky);
});

test('a worker of somebody else is handed nothing, and told of nothing, before it is on disk', () => {
  const { store, jobs, handed, take, submit } = setUp();
  const other = jobs.workers.touch('other', ENDPOINT);
  take(other);
  submit();
  expect(handed).toEqual([]);
  store.commit();
  const job = handed[0]!;
  let answered = false;
  jobs.append(job, other.id, ['{"output":1}'], () => (answered = true));
  expect([answered, jobs.read(job)]).toEqual([false, []]);
  store.commit();
  expect([answered, jobs.read(job)]).toEqual([true, ['{"output":1}']]);
});
