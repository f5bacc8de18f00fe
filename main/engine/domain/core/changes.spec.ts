import { expect, test } from 'vitest';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { CHANGE_PACE_MS, createChanges } from './changes.ts';

function follow() {
  const clock = createFakeClock();
  const changes = createChanges(clock);
  const reports: StateChange[][] = [];
  const leave = changes.follow((report) => void reports.push([...report]));
  return { clock, changes, reports, leave };
}

test('the first change is told at once, those soon after it together, and each endpoint once', () => {
  const { clock, changes, reports } = follow();
  changes.endpoint('a');
  clock.advance(0);
  expect(reports).toEqual([[{ about: 'endpoint', id: 'a' }]]);
  for (const id of ['a', 'b', 'a']) changes.endpoint(id);
  changes.pod('p');
  changes.folder('a');
  changes.pause();
  clock.advance(CHANGE_PACE_MS - 1);
  expect(reports).toHaveLength(1);
  clock.advance(1);
  expect(reports[1]).toEqual([
    { about: 'endpoint', id: 'a' },
    { about: 'endpoint', id: 'b' },
    { about: 'folder', id: 'a' },
    { about: 'pod', id: 'p' },
    { about: 'pause', id: null },
  ]);
  clock.advance(10 * CHANGE_PACE_MS);
  expect(reports).toHaveLength(2);
});

test('what happened while nobody followed is not told later', () => {
  const { clock, changes, reports, leave } = follow();
  changes.endpoint('before');
  leave();
  changes.endpoint('meanwhile');
  changes.follow((report) => void reports.push([...report]));
  clock.advance(CHANGE_PACE_MS);
  expect(reports).toEqual([]);
  changes.pod(null);
  clock.advance(0);
  expect(reports).toEqual([[{ about: 'pod', id: null }]]);
});
