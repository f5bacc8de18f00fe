/** How jobs end and how their records go: what is counted, what is timed, and what is tried again. */
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { AppError } from '#contract/core/errors.ts';
import { createFakeClock, createFakeJobStore } from '../../../../test/support/core/fakes.ts';
import { createLoadedJobs } from '../../../../test/support/jobs/loadedJobs.ts';
import { ENDPOINT, setUp } from '../../../../test/support/jobs/rules.ts';
import { RECEIVER, setUp as setUpWebhooks } from '../../../../test/support/webhooks/rules.ts';
import type { Job } from './jobRecord.ts';

/** When a removal that could not be stored is tried again. */
const REMOVE_AGAIN_MS = 60_000;
const full = new AppError('STORAGE_FULL', 'The disk is full.');
const nothing = (): void => undefined;
const completed = { progress: false, output: '1', error: null, stopWorker: false };

describe('a removal', () => {
  test('a removal that could not be stored is tried again after a minute, until it is stored', () => {
    const { clock, jobs, store, submit } = setUp();
    const job = submit({ ttl: 10_000 });
    clock.advance(10_000);
    expect(jobs.get(job.id)).toBeUndefined();
    store.commit(full);
    for (let failed = 0; failed < 2; failed++) {
      clock.advance(REMOVE_AGAIN_MS - 1);
      expect(store.waiting()).toBe(0);
      clock.advance(1);
      expect(store.waiting()).toBe(1);
      store.commit(full);
    }
    expect(store.rows.size).toBe(1);
    clock.advance(REMOVE_AGAIN_MS);
    store.commit();
    expect([store.rows.size, store.disk.bodies.size]).toEqual([0, 0]);
    clock.advance(10 * REMOVE_AGAIN_MS);
    expect(store.waiting()).toBe(0);
  });

  test('a removal that is tried again counts the job once, and stops its worker once', () => {
    const { clock, jobs, store, submit, take } = setUp();
    submit({ ttl: 10_000 });
    take('w');
    const stops: string[] = [];
    jobs.workers.awaitStop(jobs.workers.get('w')!, (ids) => stops.push(...ids));
    clock.advance(10_000);
    expect(stops).toHaveLength(1);
    jobs.workers.awaitStop(jobs.workers.get('w')!, (ids) => stops.push(...ids));
    for (let failed = 0; failed < 3; failed++) {
      store.commit(full);
      for (let part = 0; part < 6; part++) {
        clock.advance(REMOVE_AGAIN_MS / 6);
        jobs.workers.touch('w', ENDPOINT);
      }
    }
    expect(jobs.queueOf(ENDPOINT).counters).toMatchObject({ inQueue: 0, inProgress: 0 });
    expect(stops.filter((id, at) => stops.indexOf(id) !== at)).toEqual([]);
  });

  test('a worker whose job was removed has no job left', () => {
    const { clock, jobs, submit, take } = setUp();
    submit({ ttl: 10_000 });
    take('w');
    expect(jobs.workers.get('w')!.jobs.size).toBe(1);
    clock.advance(10_000);
    expect(jobs.workers.get('w')!.jobs.size).toBe(0);
  });

  test('what has ended stays counted when its record goes', () => {
    const { clock, jobs, store, submit, take, done } = setUp();
    const [completes, fails, timesOut] = [submit(), submit(), submit({ executionTimeout: 5000 })];
    take('w');
    done(completes, 'w');
    done(fails, 'w', { output: null, error: 'no' });
    clock.advance(5000);
    store.commit();
    expect(timesOut.status).toBe('TIMED_OUT');
    for (let part = 0; part < 1_800_000 / 30_000; part++) clock.advance(30_000);
    store.commit();
    expect(store.rows.size).toBe(0);
    expect(jobs.queueOf(ENDPOINT).counters).toMatchObject({ inQueue: 0, inProgress: 0, completed: 1, failed: 2 });
  });
});

describe('times', () => {
  test('a job that is cancelled in the queue has waited since it was queued and has run for no time', () => {
    const { clock, jobs, store, submit } = setUp();
    const job = submit();
    clock.advance(700);
    jobs.cancel(job, nothing);
    store.commit();
    expect(store.rows.get(job.seq)).toMatchObject({
      status: 'CANCELLED',
      delayTime: 700,
      executionTime: 0,
      finishedAt: clock.now(),
    });
  });

  test('a job that is cancelled after a clock was set back has waited for no time, not less', () => {
    const { clock, jobs, store, submit } = setUp();
    const job = submit();
    clock.jump(-7_200_000);
    jobs.cancel(job, nothing);
    store.commit();
    expect(job).toMatchObject({ delayTime: 0, executionTime: 0 });
  });

  test('a job that a worker has keeps how long it waited, and is timed by the clock that nobody sets', () => {
    const { clock, submit, take, done } = setUp();
    const job = submit();
    clock.advance(300);
    take('w');
    clock.jump(7_200_000);
    clock.advance(1200);
    done(job, 'w');
    expect(job).toMatchObject({ delayTime: 300, executionTime: 1200, finishedAt: clock.now() });
  });
});

describe('an end', () => {
  test('a worker is free from the moment its job ends, and is known by the last job it had', () => {
    const { clock, jobs, submit, take, done } = setUp();
    const job = submit();
    take('w');
    const worker = jobs.workers.get('w')!;
    clock.advance(5000);
    done(job, 'w');
    expect([...worker.jobs]).toEqual([]);
    expect(worker).toMatchObject({ lastBusyElapsed: clock.elapsed(), lastJobId: job.id });
  });

  test('an end asks whether the endpoint needs other workers', () => {
    const demands: string[] = [];
    const { jobs, store, submit } = setUp(undefined, (endpointId) => demands.push(endpointId));
    const job = submit();
    demands.length = 0;
    jobs.cancel(job, nothing);
    store.commit();
    expect(demands).toContain(ENDPOINT);
  });

  test('a job that fails has its reason and no result, and one that completes has its result and no reason', () => {
    const { submit, take, done } = setUp();
    const [fails, completes] = [submit(), submit()];
    take('w');
    done(fails, 'w', { output: null, error: 'no' });
    done(completes, 'w');
    expect(fails).toMatchObject({ status: 'FAILED', error: 'no', hasOutput: false });
    expect(completes).toMatchObject({ status: 'COMPLETED', error: null, hasOutput: true });
  });
});

describe('what is counted of jobs', () => {
  test('a job is counted once it is stored, and its end with wait and run time once that is stored', () => {
    const { clock, jobs, store, submit, take, counted } = setUp();
    const job = submit();
    expect(counted).toEqual(['accepted']);
    clock.advance(300);
    take('w');
    clock.advance(1200);
    jobs.result(job, 'w', { ...completed, output: null, error: 'no' }, nothing);
    expect(counted).toEqual(['accepted']);
    // It waits again before its end is stored.
    jobs.retry(job, nothing);
    store.commit();
    expect(counted).toEqual(['accepted', ['FAILED', 300, 1200]]);
  });

  test('what could not be stored is not counted', () => {
    const { jobs, store, submit, take, counted } = setUp();
    const job = submit();
    take('w');
    jobs.result(job, 'w', completed, nothing);
    store.commit(full);
    jobs.submit(
      { endpointId: ENDPOINT, request: { input: {} }, body: '{"input":{}}', sync: false, retentionMs: 60_000 },
      nothing,
    );
    store.commit(full);
    expect(counted).toEqual(['accepted']);
  });

  test('a job that is cancelled has no run time, and no wait either where no worker had it', () => {
    const { clock, jobs, store, submit, take, counted } = setUp();
    const runs = submit();
    clock.advance(300);
    take('w');
    const waits = submit();
    counted.length = 0;
    jobs.cancel(runs, nothing);
    jobs.cancel(waits, nothing);
    store.commit();
    expect(counted).toEqual([
      ['CANCELLED', 300, null],
      ['CANCELLED', null, null],
    ]);
  });

  test('jobs that are cancelled together are counted each, and a removed record is not', () => {
    const { clock, jobs, store, submit, counted } = setUp();
    for (let made = 0; made < 3; made++) submit();
    submit({ ttl: 10_000 });
    counted.length = 0;
    clock.advance(10_000);
    jobs.purge(ENDPOINT, nothing);
    store.commit(full);
    expect(counted).toEqual([]);
    jobs.purge(ENDPOINT, nothing);
    store.commitAll();
    expect(counted).toEqual([1, 2, 3].map(() => ['CANCELLED', null, null]));
  });
});

describe('a time that is up', () => {
  test('a job does not expire by a shorter ttl that is not stored yet, and keeps the longer one where that fails', () => {
    const { clock, jobs, store, submit } = setUp();
    const job = submit({ ttl: 20_000 });
    jobs.setTtl(job, 10_000, nothing);
    clock.advance(10_000);
    store.commit(full);
    expect(jobs.get(job.id)).toBe(job);
    clock.advance(9999);
    expect(jobs.get(job.id)).toBe(job);
    clock.advance(1);
    expect(jobs.get(job.id)).toBeUndefined();
  });

  test('a job whose ttl passed before a write was stored expires after that', () => {
    const { clock, jobs, store, submit } = setUp();
    const job = submit({ ttl: 20_000 });
    jobs.setTtl(job, 10_000, nothing);
    clock.advance(10_000);
    store.commit();
    clock.advance(0);
    expect(jobs.get(job.id)).toBeUndefined();
  });

  /**
   * A job whose result cannot be stored, and whose worker has gone meanwhile: nobody has it. `runMs`: when that is
   * found out.
   */
  function abandoned(runMs: number) {
    const rules = setUp();
    rules.clock.advance(3000);
    const job = rules.submit({ executionTimeout: 5000 });
    rules.take('w');
    rules.clock.advance(runMs);
    rules.jobs.result(job, 'w', completed, nothing);
    rules.jobs.workerGone(rules.jobs.workers.get('w')!, 'it died', 'worker');
    rules.store.commit(full);
    expect(job).toMatchObject({ status: 'IN_PROGRESS', workerId: 'w' });
    rules.clock.advance(1000);
    rules.store.commit();
    return job;
  }

  test('a job that nobody has waits again soon, and that its worker is gone does not count against it', () => {
    expect(abandoned(1000)).toMatchObject({ status: 'IN_QUEUE', retries: 1, lost: 0 });
  });

  test('a job that nobody has and that has run as long as it may has timed out', () => {
    expect(abandoned(4500)).toMatchObject({ status: 'TIMED_OUT', error: expect.stringContaining('of 5000 ms') });
  });
});

describe('the texts of a job that ended', () => {
  test('the newest results stay in memory, the oldest make room', () => {
    const { jobs, submit, take, done } = setUp();
    const long = JSON.stringify('x'.repeat(60_000));
    const ended = Array.from({ length: 200 }, () => {
      const job = submit();
      take('w');
      done(job, 'w', { output: long });
      return job;
    });
    expect(ended.at(-1)!.output).toBe(long);
    expect(ended[0]!.output).toBeNull();
    expect(jobs.output(ended[0]!)).toBe(long);
  });

  test('a webhook begins once the end of its job is stored, and is told of the failure where that is not', () => {
    const events: unknown[] = [];
    const store = createFakeJobStore();
    const jobs = createLoadedJobs({
      clock: createFakeClock(),
      store,
      webhooks: {
        planDelivery: () => ({
          write: () => void events.push('write'),
          begin: () => void events.push('begin'),
          failed: (error) => void events.push(error),
        }),
      },
    });
    const request = { input: {}, webhook: RECEIVER };
    const submission = { endpointId: ENDPOINT, request, body: '{"input":{}}', sync: false, retentionMs: 60_000 };
    let job: Job | null = null;
    jobs.submit(submission, (_error, made) => (job = made));
    store.commit();
    jobs.takeNow(jobs.workers.touch('w', ENDPOINT), 1, nothing);
    store.commit();
    jobs.result(job!, 'w', completed, nothing);
    store.commit(full);
    expect(events).toEqual([full]);
    jobs.result(job!, 'w', completed, nothing);
    expect(events).toEqual([full]);
    store.commit();
    expect(events).toEqual([full, 'write', 'begin']);
  });

  test('a webhook has the input of a job that ended before it was on disk', () => {
    const { clock, commit, jobs, poster } = setUpWebhooks();
    const worker = jobs.workers.addOwn('own', ENDPOINT);
    jobs.take(worker, 1, ([job]) => jobs.result(job!, 'own', completed, nothing));
    const request = { input: { n: 7 }, webhook: RECEIVER };
    const body = JSON.stringify(request);
    jobs.submit({ endpointId: ENDPOINT, request, body, sync: false, retentionMs: 60_000 }, nothing);
    commit();
    clock.advance(0);
    commit();
    clock.advance(0);
    expect(poster.calls.map(({ text }) => JSON.parse(text) as object)).toMatchObject([
      { input: { n: 7 }, output: 1, status: 'COMPLETED' },
    ]);
  });
});

describe('a lost worker', () => {
  test('a job fails when its worker is lost once more than it is tried again, and not before', () => {
    const { jobs, store, submit, take } = setUp();
    const job = submit();
    for (let lost = 1; lost <= limits.lostWorkerRetries + 1; lost++) {
      expect(job.status).toBe('IN_QUEUE');
      take('w');
      jobs.workerGone(jobs.workers.get('w')!, 'it died', 'worker');
      store.commit();
    }
    expect(job.status).toBe('FAILED');
    expect(job.error).toBe("The job's worker was lost: it died. The job lost 2 workers and is not tried again.");
  });

  test('a worker that went for a reason of its own counts nothing against its jobs', () => {
    const { jobs, store, submit, take } = setUp();
    const job = submit();
    for (let lost = 0; lost < limits.lostWorkerRetries + 3; lost++) {
      take('w');
      jobs.workerGone(jobs.workers.get('w')!, 'it was replaced', 'nobody');
      store.commit();
    }
    expect(job).toMatchObject({ status: 'IN_QUEUE', lost: 0 });
  });

  test('a job whose workers are ended from outside again and again fails, with the reason and the count', () => {
    const { jobs, store, submit, take } = setUp();
    const job = submit();
    const reason = 'the container engine stopped answering while it ran';
    const loseWorker = (): void => {
      take('w');
      jobs.workerGone(jobs.workers.get('w')!, reason, 'outside');
      store.commit();
    };
    for (let lost = 1; lost <= limits.outsideEndRetries; lost++) {
      loseWorker();
      expect(job).toMatchObject({ status: 'IN_QUEUE', lost: 0 });
    }
    loseWorker();
    expect(job.status).toBe('FAILED');
    expect(job.error).toBe(
      `The job's worker was lost: ${reason}. That happened 6 times while the job ran, so it is not tried again. Look at the log of the container engine before you retry it.`,
    );
    jobs.retry(job, () => undefined);
    store.commit();
    loseWorker();
    expect(job.status, 'a retry counts from the beginning').toBe('IN_QUEUE');
  });
});

describe('a purge', () => {
  test('a purge is answered once all that it cancelled is stored, with the failure where there was one', () => {
    const { jobs, store, submit } = setUp();
    submit();
    submit();
    const answers: unknown[] = [];
    jobs.purge(ENDPOINT, (error, removed) => answers.push([error, removed]));
    expect(answers).toEqual([]);
    store.commit();
    expect(answers).toEqual([[null, 2]]);
    submit();
    jobs.purge(ENDPOINT, (error) => answers.push(error));
    store.commit(full);
    expect(answers).toHaveLength(2);
    expect(answers[1]).toBe(full);
  });
});
