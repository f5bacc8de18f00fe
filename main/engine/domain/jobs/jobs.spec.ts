/** The rules of a job's life, on a clock that is advanced by hand and a store that commits when told. */
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createFakeJobStore } from '../../../../test/support/core/fakes.ts';
import { ENDPOINT, setUp } from '../../../../test/support/jobs/rules.ts';

describe('handing over', () => {
  test('a job that meets a parked worker is written once, as running, and told after the commit', () => {
    const { jobs, store } = setUp();
    const handed: string[] = [];
    jobs.take(jobs.workers.touch('w', ENDPOINT), 1, (taken) => handed.push(...taken.map(({ id }) => id)));
    let accepted = '';
    const submission = {
      endpointId: ENDPOINT,
      request: { input: {} },
      body: '{"input":{}}',
      sync: false,
      retentionMs: 1,
    };
    jobs.submit(submission, (_error, job) => (accepted = job.id));
    expect([accepted, handed]).toEqual(['', []]);
    store.commit();
    expect(handed).toEqual([accepted]);
    expect([...store.rows.values()]).toMatchObject([{ status: 'IN_PROGRESS', workerId: 'w' }]);
  });

  test('jobs are taken oldest first, and one that comes back goes before the others', () => {
    const { jobs, submit, take, store } = setUp();
    const [first, second, third] = [submit(), submit(), submit()];
    const [taken] = [take('w')[0]!];
    expect(taken).toBe(first);
    jobs.giveBack(first);
    store.commit();
    expect(take('v').map(({ seq }) => seq)).toEqual([first.seq]);
    expect([second.status, third.status]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
  });

  test('a parked ask is answered with nothing when its time is up', () => {
    const { jobs, clock } = setUp();
    const answers: number[] = [];
    jobs.take(jobs.workers.touch('w', ENDPOINT), 1, (taken) => answers.push(taken.length));
    clock.advance(limits.takeHoldMs - 1);
    expect(answers).toEqual([]);
    clock.advance(1);
    expect(answers).toEqual([0]);
  });

  test('an ask that was taken back gets no job', () => {
    const { jobs, submit } = setUp();
    const leave = jobs.take(jobs.workers.touch('w', ENDPOINT), 1, () => expect.unreachable());
    leave();
    expect(submit().status).toBe('IN_QUEUE');
  });

  test('a retired worker gets no job', () => {
    const { jobs, submit, take } = setUp();
    jobs.retire(jobs.workers.touch('w', ENDPOINT));
    submit();
    expect(take('w')).toEqual([]);
  });
});

describe('a worker that is to end', () => {
  test('is answered at once where it asks for jobs and for jobs to stop, and soon where it asks again', () => {
    const { jobs, clock } = setUp();
    const worker = jobs.workers.touch('w', ENDPOINT);
    const answers: string[] = [];
    const ask = (round: string): void => {
      jobs.take(worker, 1, (taken) => answers.push(`${round} ask: ${taken.length} jobs`));
    };
    ask('first');
    jobs.workers.awaitStop(worker, (jobIds) => answers.push(`${jobIds.length} jobs to stop`));
    jobs.retire(worker);
    expect(answers).toEqual(['first ask: 0 jobs', '0 jobs to stop']);
    ask('second');
    clock.advance(limits.retiredHoldMs - 1);
    expect(answers).toHaveLength(2);
    clock.advance(1);
    expect(answers.at(-1)).toBe('second ask: 0 jobs');
  });
});

describe('lost workers', () => {
  test('a silent worker loses its job once back to the queue, and the second time the job fails with the reason', () => {
    const { jobs, clock, submit, take, store } = setUp();
    const job = submit();
    take('first');
    clock.advance(limits.workerSilenceMs);
    store.commit();
    expect(job).toMatchObject({ status: 'IN_QUEUE', retries: 1, workerId: null });
    expect(jobs.queueOf(ENDPOINT).counters.retried).toBe(1);
    take('second');
    clock.advance(limits.workerSilenceMs);
    store.commit();
    expect(job.status).toBe('FAILED');
    expect(job.error).toMatch(/^The job's worker was lost: it sent no ping for 45 s\. The job lost 2 workers/);
  });

  test('delayTime counts from the last time the job was queued', () => {
    const { clock, submit, take, store } = setUp();
    const job = submit();
    clock.advance(1000);
    take('first');
    clock.advance(limits.workerSilenceMs);
    store.commit();
    clock.advance(200);
    take('second');
    expect(job.delayTime).toBe(200);
  });

  test('a worker that is heard of keeps its job', () => {
    const { jobs, clock, submit, take } = setUp();
    const job = submit();
    take('w');
    for (let touches = 0; touches < 10; touches++) {
      clock.advance(limits.workerSilenceMs - 1);
      jobs.workers.touch('w', ENDPOINT);
    }
    expect(job.status).toBe('IN_PROGRESS');
  });

  test('the result of a worker that lost the job is refused', () => {
    const { clock, submit, take, done, store } = setUp();
    const job = submit();
    take('slow');
    clock.advance(limits.workerSilenceMs);
    store.commit();
    take('quick');
    expect(() => done(job, 'slow')).toThrow(/no longer has the job/);
    done(job, 'quick');
    expect(job.status).toBe('COMPLETED');
  });

  test('an engine that restarts queues the jobs of its own workers again, without counting it against them', () => {
    const before = setUp();
    const worker = before.jobs.workers.addOwn('own', ENDPOINT);
    const job = before.submit();
    before.jobs.takeNow(worker, 1, () => undefined);
    before.store.commitAll();
    const after = setUp(createFakeJobStore(before.store));
    expect(after.jobs.get(job.id)).toMatchObject({ status: 'IN_QUEUE', retries: 1, lost: 0 });
  });

  test('a result that cannot be stored leaves the job to its worker, also where its row does not say yet who has it', () => {
    const { jobs, store, submit } = setUp();
    const worker = jobs.workers.addOwn('own', ENDPOINT);
    const job = submit();
    store.commit();
    jobs.takeNow(worker, 1, () => undefined);
    const callbacks: unknown[] = [];
    const result = { progress: false, output: '1', error: null, stopWorker: false };
    jobs.result(job, worker.id, result, (error) => callbacks.push(error));
    store.commit(new Error('the disk is full'));
    expect(store.rows.get(job.seq)?.status).toBe('IN_QUEUE');
    expect(job).toMatchObject({ status: 'IN_PROGRESS', workerId: 'own', output: null });
    expect([...worker.jobs]).toEqual([job]);
    expect(worker.stopping.size).toBe(0);
    jobs.result(job, worker.id, result, (error) => callbacks.push(error));
    store.commitAll();
    expect(callbacks).toEqual([new Error('the disk is full'), null]);
    expect(store.rows.get(job.seq)).toMatchObject({ status: 'COMPLETED', workerId: 'own' });
  });

  test('a job of an earlier run is handed to a worker of ours once the disk knows of it, any other at once', async () => {
    const before = setUp();
    const old = before.submit();
    before.store.commit();
    const { clock, jobs, store, submit } = setUp(createFakeJobStore(before.store));
    clock.advance(1000);
    const [first, second] = ['first', 'second'].map((id) => jobs.workers.addOwn(id, ENDPOINT));
    const handed: string[] = [];
    const hand = (taken: { id: string }[]): void => void handed.push(...taken.map(({ id }) => id));
    jobs.takeNow(first!, 1, hand);
    await Promise.resolve();
    expect(handed).toEqual([]);
    store.commit();
    expect(handed).toEqual([old.id]);
    expect(store.rows.get(jobs.get(old.id)!.seq)?.status).toBe('IN_PROGRESS');
    const fresh = submit();
    jobs.takeNow(second!, 1, hand);
    await Promise.resolve();
    expect(handed).toEqual([old.id, fresh.id]);
  });

  test("an engine that restarts leaves another machine's worker its job", () => {
    const before = setUp();
    const job = before.submit();
    before.take('elsewhere');
    const after = setUp(createFakeJobStore(before.store));
    const restored = after.jobs.get(job.id)!;
    expect(restored.status).toBe('IN_PROGRESS');
    after.done(restored, 'elsewhere');
    expect(restored.status).toBe('COMPLETED');
  });
});

describe('time', () => {
  test('executionTimeout counts from the start of the attempt, and its worker is told to stop', () => {
    const { jobs, clock, submit, take, store } = setUp();
    const job = submit({ executionTimeout: 5000 });
    clock.advance(20_000);
    take('w');
    const callbacks: string[] = [];
    jobs.workers.awaitStop(jobs.workers.get('w')!, (ids) => callbacks.push(...ids));
    clock.advance(4999);
    expect(job.status).toBe('IN_PROGRESS');
    clock.advance(1);
    store.commit();
    expect(job).toMatchObject({ status: 'TIMED_OUT', executionTime: 5000, delayTime: 20_000 });
    expect(callbacks).toEqual([job.id]);
  });

  test('ttl counts from submission and removes even a running job', () => {
    const { jobs, clock, submit, take } = setUp();
    const job = submit({ ttl: 10_000 });
    clock.advance(9000);
    take('w');
    clock.advance(1000);
    expect(jobs.get(job.id)).toBeUndefined();
    expect(jobs.queueOf(ENDPOINT).counters.inProgress).toBe(0);
  });

  test('a longer ttl that replaces a shorter one holds', () => {
    const { jobs, clock, submit, store } = setUp();
    const job = submit({ ttl: 10_000 });
    jobs.setTtl(job, 20_000, () => undefined);
    store.commit();
    clock.advance(19_999);
    expect(jobs.get(job.id)).toBe(job);
    clock.advance(1);
    expect(jobs.get(job.id)).toBeUndefined();
  });

  test('an input is in memory until it was handed over, a result until it is kept no longer', () => {
    const { clock, jobs, submit, take, done } = setUp();
    const job = submit();
    expect(job.body).toBe('{"input":{}}');
    take('w');
    expect(jobs.workerText(job)).toBe(`{"input":{},"id":"${job.id}"}`);
    expect(job.body).toBeNull();
    expect(jobs.workerText(job)).toBe(`{"input":{},"id":"${job.id}"}`);
    done(job, 'w');
    expect(job.output).toBe('1');
    clock.advance(1_800_000);
    expect([job.removed, job.output]).toEqual([true, null]);
  });

  test('the input of a job that many others go before is read when it is taken', () => {
    const { jobs, submit, take } = setUp();
    const waiting = Array.from({ length: 10_001 }, () => submit());
    const last = waiting.at(-1)!;
    expect([waiting.filter(({ body }) => body !== null).length, last.body]).toEqual([10_000, null]);
    while (!take('w').includes(last));
    expect(jobs.workerText(last)).toBe(`{"input":{},"id":"${last.id}"}`);
  });

  test('a result is kept for its retention, counted from the end', () => {
    const { jobs, clock, submit, take, done } = setUp();
    const job = submit();
    clock.advance(60_000);
    take('w');
    done(job, 'w');
    clock.advance(1_799_999);
    expect(jobs.get(job.id)).toBe(job);
    clock.advance(1);
    expect(jobs.get(job.id)).toBeUndefined();
  });

  test('a process of ours that does not stop a job in its grace time must go', () => {
    const { jobs, clock, submit, recycled, store } = setUp();
    const worker = jobs.workers.addOwn('own', ENDPOINT);
    const job = submit();
    jobs.takeNow(worker, 1, () => undefined);
    store.commit();
    jobs.cancel(job, () => undefined);
    clock.advance(limits.workerGraceMs - 1);
    expect(recycled).toEqual([]);
    clock.advance(1);
    expect(recycled).toEqual(['own']);
  });
});

describe('a disk that refuses', () => {
  const full = new Error('database or disk is full');

  test('a job that could not be stored was never accepted, and no worker gets it', () => {
    const { jobs, store } = setUp();
    const handed: number[] = [];
    jobs.take(jobs.workers.touch('w', ENDPOINT), 1, (taken) => handed.push(taken.length));
    let failure: unknown;
    let id = '';
    const submission = {
      endpointId: ENDPOINT,
      request: { input: {} },
      body: '{"input":{}}',
      sync: false,
      retentionMs: 1,
    };
    jobs.submit(submission, (error, job) => {
      failure = error;
      id = job.id;
    });
    store.commit(full);
    expect(failure).toBe(full);
    expect(handed).toEqual([0]);
    expect(jobs.get(id)).toBeUndefined();
    expect(jobs.queueOf(ENDPOINT).counters).toMatchObject({ inQueue: 0, inProgress: 0 });
  });

  test('a result that could not be stored leaves the job running, and can be handed in again', () => {
    const { jobs, submit, take, store, done } = setUp();
    const job = submit();
    take('w');
    let failure: unknown;
    jobs.result(
      job,
      'w',
      { progress: false, output: '1', error: null, stopWorker: false },
      (error) => (failure = error),
    );
    store.commit(full);
    expect(failure).toBe(full);
    expect(job.status).toBe('IN_PROGRESS');
    expect(jobs.queueOf(ENDPOINT).counters.inProgress).toBe(1);
    done(job, 'w');
    expect(job.status).toBe('COMPLETED');
  });
});

describe('results', () => {
  test('late progress after the end changes nothing', () => {
    const { jobs, submit, take, done } = setUp();
    const job = submit();
    take('w');
    done(job, 'w', { output: '"result"' });
    done(job, 'w', { progress: true, output: '"late"' });
    expect(job.status).toBe('COMPLETED');
    expect(jobs.output(job)).toBe('"result"');
  });

  test('the same result twice is accepted once', () => {
    const { jobs, submit, take, done } = setUp();
    const job = submit();
    take('w');
    done(job, 'w', { output: '1' });
    done(job, 'w', { output: '2' });
    expect(jobs.output(job)).toBe('1');
    expect(jobs.queueOf(ENDPOINT).counters.completed).toBe(1);
  });

  test('the same result once more is answered when the first is on disk, and asked for again where that failed', () => {
    const { jobs, submit, take, store } = setUp();
    const job = submit();
    take('w');
    const callbacks: unknown[] = [];
    const send = (): void =>
      jobs.result(job, 'w', { progress: false, output: '1', error: null, stopWorker: false }, (error) =>
        callbacks.push(error),
      );
    send();
    send();
    expect(callbacks).toEqual([]);
    store.commit(new Error('no room'));
    expect(callbacks).toEqual([expect.any(Error), expect.any(Error)]);
    send();
    send();
    store.commit();
    expect(callbacks.slice(2)).toEqual([null, null]);
    expect(job.status).toBe('COMPLETED');
  });

  test('chunks are read once each, in order, and only after their commit', () => {
    const { jobs, submit, take, store } = setUp();
    const job = submit();
    take('w');
    jobs.append(job, 'w', ['{"output":1}', '{"output":2}'], () => undefined);
    expect(jobs.read(job)).toEqual([]);
    store.commit();
    expect(jobs.read(job)).toEqual(['{"output":1}', '{"output":2}']);
    jobs.append(job, 'w', ['{"output":3}'], () => undefined);
    store.commit();
    expect(jobs.read(job)).toEqual(['{"output":3}']);
    expect(jobs.read(job)).toEqual([]);
  });

  test('more chunks than stay in memory are read from the store without gaps', () => {
    const { jobs, submit, take, store } = setUp();
    const job = submit();
    take('w');
    const chunk = (index: number): string => `{"output":"${String(index).padStart(20_000, '0')}"}`;
    for (let index = 0; index < 60; index++) {
      jobs.append(job, 'w', [chunk(index)], () => undefined);
      store.commit();
    }
    expect(jobs.read(job)).toEqual(Array.from({ length: 60 }, (_, index) => chunk(index)));
  });
});
