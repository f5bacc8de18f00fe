/** Two things happen to one job in the same moment: the first one counts, whether it is on disk yet or not. */
import { describe, expect, test } from 'vitest';
import { isTerminal } from '#contract/api/job.ts';
import { ENDPOINT, setUp } from '../../../../test/support/jobs/rules.ts';
import type { Job } from './jobRecord.ts';

const TIMEOUT_MS = 5000;
const TTL_MS = 20_000;

type Rules = ReturnType<typeof setUp>;

/** What can happen to a running job, and the state it leads to; null: the job is gone. */
const events: Record<string, { leadsTo: Job['status'] | null; act(rules: Rules, job: Job): void }> = {
  completing: {
    leadsTo: 'COMPLETED',
    act: ({ jobs }, job) =>
      jobs.result(job, 'w', { progress: false, output: '1', error: null, stopWorker: false }, () => undefined),
  },
  failing: {
    leadsTo: 'FAILED',
    act: ({ jobs }, job) =>
      jobs.result(job, 'w', { progress: false, output: null, error: 'no', stopWorker: false }, () => undefined),
  },
  cancelling: { leadsTo: 'CANCELLED', act: ({ jobs }, job) => jobs.cancel(job, () => undefined) },
  'running out of time': { leadsTo: 'TIMED_OUT', act: ({ clock }) => clock.advance(TIMEOUT_MS) },
  'losing its worker': {
    leadsTo: 'IN_QUEUE',
    act({ jobs }) {
      const worker = jobs.workers.get('w');
      if (worker) jobs.workerGone(worker, 'it died', 'worker');
    },
  },
};
const names = Object.keys(events);
const pairs = names.flatMap((first) =>
  names.filter((name) => name !== first).map((second) => [first, second] as const),
);

function running(): { rules: Rules; job: Job } {
  const rules = setUp();
  const job = rules.submit({ executionTimeout: TIMEOUT_MS, ttl: TTL_MS });
  rules.take('w');
  return { rules, job };
}

/** As a caller would: what is refused is refused. */
function attempt(name: string, rules: Rules, job: Job): void {
  try {
    events[name]!.act(rules, job);
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/^(CONFLICT|BAD_REQUEST)$/) });
  }
}

describe.each([['before the first is on disk'], ['after the first is on disk']])('fault 20: %s', (when) => {
  test.each(pairs)('a job that is %s has that outcome, though it is %s as well', (first, second) => {
    const { rules, job } = running();
    attempt(first, rules, job);
    if (when.startsWith('after')) rules.store.commit();
    attempt(second, rules, job);
    rules.store.commit();
    rules.store.commit();
    const { leadsTo } = events[first]!;
    // A job that waits again can still be cancelled; nothing else reaches it.
    const expected = leadsTo === 'IN_QUEUE' && second === 'cancelling' ? 'CANCELLED' : leadsTo;
    expect(job.status).toBe(expected);
    expect(rules.store.rows.get(job.seq)).toMatchObject({ status: expected, hasOutput: expected === 'COMPLETED' });
    const { inQueue, inProgress, completed, failed } = rules.jobs.queueOf(ENDPOINT).counters;
    expect({ inQueue, inProgress, completed, failed }).toEqual({
      inQueue: expected === 'IN_QUEUE' ? 1 : 0,
      inProgress: 0,
      completed: expected === 'COMPLETED' ? 1 : 0,
      failed: expected === 'FAILED' || expected === 'TIMED_OUT' ? 1 : 0,
    });
  });
});

describe('fault 20', () => {
  test.each(names)('a job that expires while it is %s is gone, and stays gone', (name) => {
    const { rules, job } = running();
    rules.clock.advance(TIMEOUT_MS - 1);
    attempt(name, rules, job);
    rules.store.commit();
    rules.clock.advance(TTL_MS);
    rules.store.commit();
    rules.store.commit();
    expect([rules.jobs.get(job.id), rules.store.rows.get(job.seq)]).toEqual([undefined, undefined]);
    expect(rules.jobs.queueOf(ENDPOINT).counters).toMatchObject({ inQueue: 0, inProgress: 0 });
  });

  test('a job that a worker takes in the moment of a purge is run or purged, not both', () => {
    for (const purgeFirst of [true, false]) {
      const rules = setUp();
      const job = rules.submit();
      const handed: Job[] = [];
      let removed = -1;
      const take = (): void =>
        rules.jobs.takeNow(rules.jobs.workers.touch('w', ENDPOINT), 1, (taken) => handed.push(...taken));
      const purge = (): void => rules.jobs.purge(ENDPOINT, (_error, count) => (removed = count));
      for (const act of purgeFirst ? [purge, take] : [take, purge]) act();
      rules.store.commit();
      expect([removed, handed.length, job.status]).toEqual(purgeFirst ? [1, 0, 'CANCELLED'] : [0, 1, 'IN_PROGRESS']);
    }
  });

  test('a job that is retried in the last moment it is kept waits again, and is not swept', () => {
    const rules = setUp();
    const job = rules.submit();
    rules.take('w');
    rules.done(job, 'w', { error: 'no' });
    rules.clock.advance(job.retentionMs - 1);
    rules.jobs.retry(job, () => undefined);
    rules.clock.advance(1);
    rules.store.commit();
    expect([job.status, isTerminal(job.status), job.removed]).toEqual(['IN_QUEUE', false, false]);
    expect(rules.store.rows.get(job.seq)).toMatchObject({ status: 'IN_QUEUE' });
  });
});
