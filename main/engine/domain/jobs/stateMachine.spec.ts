/** The transition table of the description, and nothing beside it: every pair of a state and an event. */
import { describe, expect, test } from 'vitest';
import { isTerminal, jobStatuses, type JobStatus } from '#contract/api/job.ts';
import { nextStatus, requireNextStatus, type JobEvent } from './stateMachine.ts';

const events: JobEvent[] = ['take', 'complete', 'fail', 'cancel', 'timeout', 'lost', 'giveBack', 'retry'];

/** `state event` → the state after it. A pair that is not here changes nothing. */
const table: Readonly<Record<string, JobStatus>> = {
  'IN_QUEUE take': 'IN_PROGRESS',
  'IN_QUEUE cancel': 'CANCELLED',
  'IN_PROGRESS complete': 'COMPLETED',
  'IN_PROGRESS fail': 'FAILED',
  'IN_PROGRESS cancel': 'CANCELLED',
  'IN_PROGRESS timeout': 'TIMED_OUT',
  'IN_PROGRESS lost': 'IN_QUEUE',
  'IN_PROGRESS giveBack': 'IN_QUEUE',
  'FAILED retry': 'IN_QUEUE',
  'TIMED_OUT retry': 'IN_QUEUE',
};

describe.each(jobStatuses)('a job that is %s', (status) => {
  test.each(events)('goes by %s where the table says so, and nowhere else', (event) => {
    const next = table[`${status} ${event}`] ?? null;
    expect(nextStatus(status, event)).toBe(next);
    if (next === null) expect(() => requireNextStatus(status, event)).toThrow(`The job is ${status}`);
    else expect(requireNextStatus(status, event)).toBe(next);
  });
});

test('an end state is left by a retry alone', () => {
  for (const status of jobStatuses.filter(isTerminal)) {
    expect(events.filter((event) => nextStatus(status, event) !== null)).toEqual(
      ['FAILED', 'TIMED_OUT'].includes(status) ? ['retry'] : [],
    );
  }
});
