/** Jobs that are taken up again or taken off the queue, and clocks that are set. */
import { describe, expect, test } from 'vitest';
import { ENDPOINT, setUp } from '../../../../test/support/jobs/rules.ts';

describe('retrying', () => {
  test('a failed job is queued again with nothing left of its attempt, at the place of its age', () => {
    const { clock, jobs, store, submit, take, done } = setUp();
    const failing = submit();
    take('w');
    jobs.append(failing, 'w', ['{"output":1}'], () => undefined);
    done(failing, 'w', { error: 'no' });
    submit();
    clock.advance(10);
    jobs.retry(failing, () => undefined);
    store.commit();
    expect(store.rows.get(failing.seq)).toMatchObject({
      status: 'IN_QUEUE',
      error: null,
      hasOutput: false,
      retries: 1,
    });
    expect([jobs.output(failing), jobs.read(failing), store.disk.chunks.size]).toEqual([null, [], 0]);
    expect(jobs.queueOf(ENDPOINT).counters).toMatchObject({ inQueue: 2, failed: 0, retried: 1 });
    expect(take('w')[0]).toBe(failing);
  });

  test.each(['COMPLETED', 'CANCELLED', 'IN_QUEUE', 'IN_PROGRESS'] as const)('a job that is %s is refused', (state) => {
    const { jobs, store, submit, take, done } = setUp();
    const job = submit();
    if (state === 'CANCELLED') jobs.cancel(job, () => undefined);
    if (state === 'IN_PROGRESS' || state === 'COMPLETED') take('w');
    if (state === 'COMPLETED') done(job, 'w');
    store.commit();
    expect(() => jobs.retry(job, () => undefined)).toThrow(new RegExp(`The job is ${state};`));
  });

  test('what a worker still says of the attempt that ran out of time is not taken for the new one', () => {
    const { clock, jobs, store, submit, take } = setUp();
    const job = submit({ executionTimeout: 5000 });
    take('w');
    clock.advance(5000);
    store.commit();
    expect(job.status).toBe('TIMED_OUT');
    jobs.retry(job, () => undefined);
    store.commit();
    take('w');
    expect(() => jobs.append(job, 'w', ['{"output":1}'], () => undefined)).toThrow(/no longer has the job/);
    const late = { progress: false, output: '"late"', error: null, stopWorker: false };
    expect(() => jobs.result(job, 'w', late, () => undefined)).toThrow(/no longer has the job/);
    jobs.result(job, 'w', { ...late, output: '"new"' }, () => undefined);
    store.commit();
    expect([job.status, jobs.output(job)]).toEqual(['COMPLETED', '"new"']);
  });
});

describe('purging', () => {
  test('what waited is cancelled, a slice at a time, and what came or was retried later waits on', () => {
    const { clock, jobs, store, submit, take, done } = setUp();
    const retried = submit();
    take('w');
    done(retried, 'w', { error: 'no' });
    const running = submit();
    take('w');
    const waiting = Array.from({ length: 1200 }, () => submit());
    let removed = -1;
    jobs.purge(ENDPOINT, (_error, count) => (removed = count));
    clock.advance(1);
    jobs.retry(retried, () => undefined);
    const later = submit();
    for (let turn = 0; turn < 5; turn++) store.commit();
    expect(removed).toBe(1200);
    expect(waiting.every(({ status }) => status === 'CANCELLED')).toBe(true);
    expect([running.status, retried.status, later.status]).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE']);
    expect(take('w')).toEqual([retried, later]);
  });

  test('where it cannot be stored, the jobs wait on', () => {
    const { jobs, store, submit, take } = setUp();
    const job = submit();
    let failure: unknown = null;
    jobs.purge(ENDPOINT, (error) => (failure = error));
    store.commit(new Error('disk'));
    expect(failure).toMatchObject({ message: 'disk' });
    expect(take('w')).toEqual([job]);
  });
});

describe('a clock that is set', () => {
  test('fault 15: a job that runs is neither timed out early nor late', () => {
    const { clock, store, submit, take } = setUp();
    const job = submit({ executionTimeout: 5000 });
    take('w');
    clock.jump(7_200_000);
    clock.advance(2000);
    clock.jump(-14_400_000);
    clock.advance(2999);
    expect(job.status).toBe('IN_PROGRESS');
    clock.advance(1);
    store.commit();
    expect(job).toMatchObject({ status: 'TIMED_OUT', executionTime: 5000 });
  });

  test('fault 15: ids stay in order, and no delay is negative', () => {
    const { clock, submit, take } = setUp();
    const first = submit();
    clock.jump(-7_200_000);
    const second = submit();
    expect(second.id > first.id).toBe(true);
    take('w');
    expect([first.delayTime, second.delayTime]).toEqual([0, 0]);
  });
});
