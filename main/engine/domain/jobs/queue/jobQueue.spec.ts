/** The order of a queue, and which of its jobs calls for a worker. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jobRecord } from '../../../../../test/support/jobs/jobRecord.ts';
import type { Job } from '../jobRecord.ts';
import { createJob } from '../jobEntity.ts';
import { countMove } from './counters.ts';
import { createJobQueue, type JobQueue } from './jobQueue.ts';

const job = (seq: number, lowPriority: boolean): Job =>
  createJob(jobRecord({ seq, id: String(seq), lowPriority }), null);

/** Takes jobs out until one comes that calls for a worker. */
function nextCalling(queue: JobQueue): Job | undefined {
  for (;;) {
    const next = queue.shift();
    if (next === undefined || !next.lowPriority) return next;
  }
}

test('the first job that calls for a worker is the first to be handed out that is not of low priority', () => {
  const step = fc.record({
    what: fc.constantFrom('push', 'pushLow', 'shift', 'cancel', 'back', 'behind', 'look'),
    // Seldom many at a time: what was taken is cleared away only after a thousand.
    n: fc.oneof({ weight: 4, arbitrary: fc.nat(6) }, { weight: 1, arbitrary: fc.integer({ min: 900, max: 2500 }) }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const queue = createJobQueue();
      const out: Job[] = [];
      const all: Job[] = [];
      for (const { what, n } of steps) {
        const calling = what === 'look' ? queue.firstCalling() : undefined;
        if (what === 'push' || what === 'pushLow') {
          for (let count = 0; count < n; count++) {
            all.push(job(all.length, what === 'pushLow'));
            queue.push(all.at(-1)!);
          }
        } else if (what === 'shift') {
          for (let count = 0; count < n; count++) {
            const taken = queue.shift();
            if (taken) out.push(taken);
          }
        } else if (what === 'cancel' && all[n]) all[n].status = 'CANCELLED';
        else if (what === 'back' && out.length > 0) queue.putBack(out.pop()!);
        else if (what === 'behind' && out.length > 0) queue.deprioritize(out.pop()!);
        if (calling) expect(calling).toMatchObject({ status: 'IN_QUEUE', lowPriority: false });
      }
      const calling = queue.firstCalling();
      expect(nextCalling(queue)).toBe(calling);
    }),
  );
});

test('the first job that calls for a worker is still found when what was handed out before it is cleared away', () => {
  const queue = createJobQueue();
  for (let seq = 0; seq < 2200; seq++) queue.push(job(seq, seq < 1200));
  expect(queue.firstCalling()?.seq).toBe(1200);
  for (let count = 0; count < 1150; count++) queue.shift();
  expect(queue.firstCalling()?.seq).toBe(1200);
  for (let seq = 1150; seq < 2200; seq++) {
    expect(queue.firstCalling()?.seq).toBe(Math.max(seq, 1200));
    queue.shift();
  }
  expect(queue.firstCalling()).toBeUndefined();
});

const seqs = (jobs: Iterable<Job>): number[] => [...jobs].map(({ seq }) => seq);

/** A queue of ordinary jobs with these numbers. */
function queueWith(count: number): { queue: JobQueue; jobs: Job[] } {
  const queue = createJobQueue();
  const jobs = Array.from({ length: count }, (_, seq) => job(seq, false));
  for (const each of jobs) queue.push(each);
  return { queue, jobs };
}

describe('jobs that come back', () => {
  test('jobs that come back go first, in the order of their age', () => {
    const { queue } = queueWith(4);
    const [first, second, third] = [queue.shift()!, queue.shift()!, queue.shift()!];
    queue.putBack(second);
    queue.putBack(third);
    queue.putBack(first);
    expect(seqs(queue.first(10))).toEqual([0, 1, 2, 3]);
    expect(queue.shift()).toBe(first);
  });

  test('a job that still has its place is put back once', () => {
    const { queue, jobs } = queueWith(2);
    queue.putBack(jobs[1]!);
    queue.deprioritize(jobs[1]!);
    expect(seqs(queue.first(10))).toEqual([0, 1]);
    const taken = queue.shift()!;
    queue.putBack(taken);
    queue.putBack(taken);
    expect(seqs(queue.first(10))).toEqual([0, 1]);
  });

  test('a job that has killed its worker lets ten others go first', () => {
    const { queue } = queueWith(15);
    queue.deprioritize(queue.shift()!);
    expect(seqs(queue.first(20))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11, 12, 13, 14]);
  });

  test('a job that comes back during a purge is kept apart from what never left, until the last purge ends', () => {
    const { queue } = queueWith(3);
    const first = queue.shift()!;
    queue.putBack(first);
    expect(queue.isPurging()).toBe(false);
    expect(queue.beginPurge()).toEqual([first]);
    queue.beginPurge();
    queue.endPurge();
    expect(queue.isPurging()).toBe(true);
    queue.deprioritize(first);
    expect(seqs(queue.first(10))).toEqual([0, 1, 2]);
    expect(queue.shiftNew(Infinity)?.seq).toBe(1);
    queue.endPurge();
    expect(queue.isPurging()).toBe(false);
  });
});

describe('what waits', () => {
  test('a job that waits no longer is neither handed out nor listed nor counted before others', () => {
    const { queue, jobs } = queueWith(4);
    jobs[0]!.status = 'CANCELLED';
    jobs[2]!.removed = true;
    expect(seqs(queue.first(10))).toEqual([1, 3]);
    expect(queue.ahead(jobs[3]!, 10)).toBe(1);
    expect(queue.shift()).toBe(jobs[1]);
    expect(queue.shift()).toBe(jobs[3]);
    expect(queue.shift()).toBeUndefined();
  });

  test('the number of jobs before one is counted up to the most that is asked for', () => {
    const { queue, jobs } = queueWith(6);
    queue.putBack(queue.shift()!);
    expect(queue.ahead(jobs[5]!, 10)).toBe(5);
    expect(queue.ahead(jobs[5]!, 3)).toBe(3);
    expect(queue.ahead(jobs[0]!, 3)).toBe(0);
  });

  test('as many of the first jobs are listed as are asked for', () => {
    const { queue } = queueWith(6);
    expect(seqs(queue.first(2))).toEqual([0, 1]);
    expect(seqs(queue.first(0))).toEqual([]);
  });

  test('a purge takes what is older than its border, and leaves the rest', () => {
    const { queue, jobs } = queueWith(4);
    expect(queue.shiftNew(2)).toBe(jobs[0]);
    expect(queue.shiftNew(2)).toBe(jobs[1]);
    expect(queue.shiftNew(2)).toBeUndefined();
    expect(seqs(queue.first(10))).toEqual([2, 3]);
  });

  test('a job that is set aside is listed apart, until it is released or gone', () => {
    const { queue, jobs } = queueWith(1);
    const [released, gone, stays] = [job(7, false), job(8, false), job(9, false)];
    for (const each of [released, gone, stays]) {
      each.crashes = 100;
      queue.quarantine(each);
    }
    expect(seqs(queue.quarantined())).toEqual([7, 8, 9]);
    released.crashes = 0;
    released.pendingWrites = 1;
    gone.removed = true;
    expect(seqs(queue.quarantined())).toEqual([9]);
    // What was to release it could not be stored.
    released.crashes = 100;
    released.pendingWrites = 0;
    expect(seqs(queue.quarantined())).toEqual([7, 9]);
    expect(seqs(queue.first(10))).toEqual(seqs(jobs));
  });
});

describe('the newest jobs', () => {
  test('all jobs are remembered while there are few', () => {
    const { queue, jobs } = queueWith(2);
    for (const each of jobs) queue.note(each);
    expect(seqs(queue.recent())).toEqual([1, 0]);
  });

  test('the newest thousand jobs are remembered, newest first, less what is removed', () => {
    const { queue, jobs } = queueWith(1003);
    for (const each of jobs) queue.note(each);
    jobs[1001]!.removed = true;
    const recent = seqs(queue.recent());
    expect(recent.slice(0, 3)).toEqual([1002, 1000, 999]);
    expect(recent).toHaveLength(999);
    expect(recent.at(-1)).toBe(3);
  });
});

describe('workers that wait', () => {
  test('the worker that has waited longest is the first to get a job, and each gets one', () => {
    const queue = createJobQueue();
    const [first, second, third] = ['a', 'b', 'c'].map((workerId) => ({ workerId, max: 1, deliver: () => undefined }));
    for (const taker of [first!, second!, third!]) queue.park(taker);
    queue.unpark(second!);
    expect(queue.parked()).toBe(2);
    expect([...queue.parkedWorkers()]).toEqual([first, third]);
    expect([queue.nextParkedWorker(), queue.nextParkedWorker(), queue.nextParkedWorker()]).toEqual([
      first,
      third,
      undefined,
    ]);
    expect(queue.parked()).toBe(0);
  });
});

describe('the counters', () => {
  const none = { inQueue: 0, calling: 0, quarantined: 0, inProgress: 0, lowInProgress: 0, completed: 0, failed: 0 };
  const moved = (counted: Job, ...statuses: (Job['status'] | null)[]) => {
    const { counters: tally } = createJobQueue();
    statuses.forEach((to, index) => countMove(tally, counted, index === 0 ? null : statuses[index - 1]!, to));
    return tally;
  };

  test.each([
    ['a job', false, { inQueue: 1, calling: 1 }, { inProgress: 1 }],
    ['a job of low priority', true, { inQueue: 1 }, { inProgress: 1, lowInProgress: 1 }],
  ])('%s is counted where it is, and only there', (_what, low, waiting, running) => {
    expect(moved(job(1, low), 'IN_QUEUE')).toMatchObject({ ...none, ...waiting });
    expect(moved(job(1, low), 'IN_QUEUE', 'IN_PROGRESS')).toMatchObject({ ...none, ...running });
    expect(moved(job(1, low), 'IN_QUEUE', 'IN_PROGRESS', 'IN_QUEUE')).toMatchObject({ ...none, ...waiting });
    expect(moved(job(1, low), 'IN_QUEUE', 'IN_PROGRESS', 'COMPLETED')).toMatchObject({ ...none, completed: 1 });
    expect(moved(job(1, low), 'IN_QUEUE', 'CANCELLED')).toMatchObject(none);
    expect(moved(job(1, low), 'IN_QUEUE', null)).toMatchObject(none);
    expect(moved(job(1, low), 'IN_QUEUE', 'IN_PROGRESS', null)).toMatchObject(none);
  });

  test('a job that is set aside waits and calls for no worker', () => {
    const aside = job(1, false);
    aside.crashes = 100;
    expect(moved(aside, 'IN_QUEUE')).toMatchObject({ ...none, inQueue: 1, quarantined: 1 });
    expect(moved(aside, 'IN_QUEUE', null)).toMatchObject(none);
  });

  test.each(['COMPLETED', 'FAILED', 'TIMED_OUT'] as const)(
    'a job that is %s stays counted when its record goes, and not when it is taken up again',
    (ended) => {
      const counted = ended === 'COMPLETED' ? { completed: 1 } : { failed: 1 };
      expect(moved(job(1, false), 'IN_PROGRESS', ended)).toMatchObject({ ...none, ...counted });
      expect(moved(job(1, false), 'IN_PROGRESS', ended, null)).toMatchObject({ ...none, ...counted });
      expect(moved(job(1, false), 'IN_PROGRESS', ended, 'IN_QUEUE')).toMatchObject({ ...none, inQueue: 1, calling: 1 });
    },
  );
});
