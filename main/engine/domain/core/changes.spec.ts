import { expect, test } from 'vitest';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { CHANGE_BURST, CHANGE_PACE_MS, createChanges } from './changes.ts';

function follow() {
  const clock = createFakeClock();
  const changes = createChanges(clock);
  const reports: StateChange[][] = [];
  const leave = changes.follow((report) => void reports.push([...report]));
  return { clock, changes, reports, leave };
}

test('the first changes are told at once, those soon after them together, and each endpoint once', () => {
  const { clock, changes, reports } = follow();
  for (let count = 0; count < CHANGE_BURST; count++) {
    changes.endpoint('a');
    clock.advance(0);
  }
  expect(reports).toEqual(Array.from({ length: CHANGE_BURST }, () => [{ about: 'endpoint', id: 'a' }]));
  for (const id of ['a', 'b', 'a']) changes.endpoint(id);
  changes.pod('p');
  changes.folder('a');
  for (const change of [changes.pause, changes.key, changes.pause]) change();
  clock.advance(CHANGE_PACE_MS - 1);
  expect(reports).toHaveLength(CHANGE_BURST);
  clock.advance(1);
  expect(reports[CHANGE_BURST]).toEqual([
    { about: 'endpoint', id: 'a' },
    { about: 'endpoint', id: 'b' },
    { about: 'folder', id: 'a' },
    { about: 'pod', id: 'p' },
    { about: 'pause', id: null },
    { about: 'key', id: null },
  ]);
  clock.advance(10 * CHANGE_PACE_MS);
  expect(reports).toHaveLength(CHANGE_BURST + 1);
});

test('changes that keep coming are told once in the pace, however long they do', () => {
  const { clock, changes, reports } = follow();
  for (let ms = 0; ms < 100 * CHANGE_PACE_MS; ms += 10) {
    changes.endpoint('a');
    clock.advance(10);
  }
  expect(reports.length).toBeGreaterThan(100);
  expect(reports.length).toBeLessThanOrEqual(100 + CHANGE_BURST);
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
