/** How many workers an endpoint gets. */
import { expect, test } from 'vitest';
import { startDelayMs, wantedWorkers } from './scaling.ts';

test.each([
  ['no job, no minimum: none', { queued: 0, busy: 0, workersMin: 0, workersMax: 3 }, 0],
  ['a job that waits calls for a worker', { queued: 1, busy: 0, workersMin: 0, workersMax: 3 }, 1],
  ['running jobs keep theirs', { queued: 1, busy: 1, workersMin: 0, workersMax: 3 }, 2],
  ['never more than workersMax', { queued: 50, busy: 2, workersMin: 0, workersMax: 3 }, 3],
  ['never fewer than workersMin', { queued: 0, busy: 0, workersMin: 2, workersMax: 3 }, 2],
  ['workersMax 0 stops all', { queued: 9, busy: 0, workersMin: 0, workersMax: 0 }, 0],
])('%s', (_rule, state, wanted) => {
  expect(wantedWorkers(state)).toBe(wanted);
});

test('a worker that keeps dying is started again ever later, up to 30 s', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 99].map(startDelayMs);
  expect(delays).toEqual([...delays].sort((a, b) => a - b));
  expect([delays[0], delays.at(-1)]).toEqual([0, 30_000]);
});
