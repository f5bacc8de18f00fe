/** The transition table of the description, and nothing beside it. */
import { expect, test } from 'vitest';
import { isTerminal, jobStatuses } from '#contract/api/job.ts';
import { nextStatus, requireNextStatus, type JobEvent } from './stateMachine.ts';

const events: JobEvent[] = ['take', 'complete', 'fail', 'cancel', 'timeout', 'lost', 'giveBack'];

test.each([
  ['IN_QUEUE', 'take', 'IN_PROGRESS'],
  ['IN_QUEUE', 'cancel', 'CANCELLED'],
  ['IN_PROGRESS', 'complete', 'COMPLETED'],
  ['IN_PROGRESS', 'fail', 'FAILED'],
  ['IN_PROGRESS', 'cancel', 'CANCELLED'],
  ['IN_PROGRESS', 'timeout', 'TIMED_OUT'],
  ['IN_PROGRESS', 'lost', 'IN_QUEUE'],
] as const)('a job that is %s becomes, by %s, %s', (from, event, to) => {
  expect(nextStatus(from, event)).toBe(to);
});

test('nothing leaves an end state', () => {
  for (const status of jobStatuses.filter(isTerminal)) {
    for (const event of events) {
      expect(nextStatus(status, event)).toBeNull();
      expect(() => requireNextStatus(status, event)).toThrow(status);
    }
  }
});
