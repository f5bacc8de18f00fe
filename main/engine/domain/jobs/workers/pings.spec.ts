/** What becomes of a job that a worker does not name in its pings, and of one that it names without having it. */
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { ENDPOINT, setUp } from '../../../../../test/support/jobs/rules.ts';
import type { Job } from '../jobRecord.ts';

/** A worker that takes one job; `ping` is what it sends every ten seconds. */
function setUpWorker({ namesAll = true } = {}) {
  const made = setUp();
  const { clock, jobs, submit, take, store } = made;
  const job = submit();
  take('w');
  const worker = jobs.workers.get('w')!;
  const ping = (...named: Job[]): void => {
    clock.advance(limits.workerPingMs);
    jobs.workers.touch('w', ENDPOINT);
    jobs.pinged(worker, { jobIds: new Set(named.map(({ id }) => id)), namesAll });
    store.commit();
  };
  /** What the worker is told to stop. */
  const stops = (): string[] => {
    let stoppedIds: string[] = [];
    jobs.workers.awaitStop(worker, (jobIds) => (stoppedIds = jobIds))();
    return stoppedIds;
  };
  return { ...made, job, worker, ping, stops };
}

describe('fault 19: a worker takes a job and its connection dies before it has read the answer', () => {
  test('after two pings without the job it is handed to the next that asks, as if it had never been taken', () => {
    const { ping, job, take } = setUpWorker();
    ping();
    expect(job.status).toBe('IN_PROGRESS');
    ping();
    expect(job).toMatchObject({ status: 'IN_QUEUE', retries: 0, lost: 0, workerId: null });
    expect(take('other')).toEqual([job]);
  });

  test('a ping that crossed the answer says nothing', () => {
    const { clock, jobs, worker, ping, job } = setUpWorker();
    clock.advance(limits.workerPingMs / 4);
    jobs.pinged(worker, { jobIds: new Set(), namesAll: true });
    ping();
    expect(job.status).toBe('IN_PROGRESS');
    ping(job);
    ping();
    expect(job.status).toBe('IN_PROGRESS');
  });

  test('a job that its worker once named, and has dropped without a result, counts as lost', () => {
    const { ping, job, take } = setUpWorker();
    ping(job);
    ping();
    ping();
    expect(job).toMatchObject({ status: 'IN_QUEUE', retries: 1, lost: 1 });
    take('w');
    ping(job);
    ping();
    ping();
    expect(job).toMatchObject({ status: 'FAILED', error: expect.stringContaining('dropped it without a result') });
  });

  test('a worker whose pings never name a job keeps what it has', () => {
    const { ping, job } = setUpWorker({ namesAll: false });
    for (let count = 0; count < 20; count++) ping();
    expect(job.status).toBe('IN_PROGRESS');
  });

  test('a worker that is sending something of the job has it', () => {
    const { ping, worker, job } = setUpWorker();
    worker.posting.add(job.id);
    for (let count = 0; count < 5; count++) ping();
    expect(job.status).toBe('IN_PROGRESS');
  });

  test('a job that was given back and taken again is looked at anew', () => {
    const { ping, take, job } = setUpWorker();
    ping();
    ping();
    take('w');
    ping();
    expect(job.status).toBe('IN_PROGRESS');
  });
});

describe('fault 18: a worker pauses longer than its lease, and goes on', () => {
  test('it is told to stop the job that is no longer its own', () => {
    const { clock, store, ping, stops, take, job } = setUpWorker();
    clock.advance(limits.workerSilenceMs);
    store.commit();
    expect(take('other')).toEqual([job]);
    ping(job);
    expect(stops()).toEqual([job.id]);
    expect(job).toMatchObject({ status: 'IN_PROGRESS', workerId: 'other' });
  });

  test('it is told so too of a job that was cancelled, timed out or removed while nobody could tell it', () => {
    const { jobs, worker, store, submit, take, ping, stops, job } = setUpWorker();
    const removed = submit({ ttl: 10_000 });
    take('w');
    jobs.cancel(job, () => undefined);
    store.commit();
    // As after a restart of the engine: what it was told is forgotten.
    jobs.workers.ackStop(worker, null);
    ping(job, removed);
    expect(stops().toSorted()).toEqual([job.id, removed.id].toSorted());
  });

  test('a result that crossed the ping is no reason to stop it', () => {
    const { ping, stops, done, job } = setUpWorker();
    done(job, 'w');
    ping(job);
    expect(stops()).toEqual([]);
  });
});

/** A process of ours that has a job and perhaps another one; `ping` is what it sends after `ms`. */
function setUpOwn({ hasOther = false } = {}) {
  const made = setUp();
  const { clock, jobs, submit, store } = made;
  const worker = jobs.workers.addOwn('own', ENDPOINT);
  const [job, other] = [submit(), hasOther ? submit() : null];
  jobs.takeNow(worker, 2, () => undefined);
  store.commit();
  const ping = (ms: number): void => {
    clock.advance(ms);
    jobs.pinged(worker, { jobIds: new Set(other ? [other.id] : []), namesAll: true });
  };
  return { ...made, worker, job, ping };
}

test('of a process of ours nothing is concluded from its pings', () => {
  const { job, ping } = setUpOwn();
  for (let count = 0; count < 5; count++) ping(limits.workerPingMs);
  expect(job.status).toBe('IN_PROGRESS');
});

describe('a process of ours that is to stop a job', () => {
  test('a ping that crossed the job on its way does not say that it has stopped', () => {
    const { jobs, clock, job, ping, recycled } = setUpOwn();
    jobs.cancel(job, () => undefined);
    ping(0);
    clock.advance(limits.workerGraceMs);
    expect(recycled).toEqual(['own']);
  });

  test('of several jobs, the one that it no longer names in a later ping has been stopped', () => {
    const { jobs, job, worker, ping, recycled } = setUpOwn({ hasOther: true });
    jobs.cancel(job, () => undefined);
    for (let count = 0; count < 3; count++) ping(limits.workerPingMs - 1);
    expect(recycled).toEqual([]);
    expect(worker.stopping.size).toBe(0);
  });
});
