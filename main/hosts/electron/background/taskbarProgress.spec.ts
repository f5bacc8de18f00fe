/** Rules of the bar in the taskbar. */
import { expect, it } from 'vitest';
import { progressOf } from './taskbarProgress.ts';

it('the bar is the share of all bytes of the transfers, also while jobs run', () => {
  const transfers = [
    { doneBytes: 50, totalBytes: 100 },
    { doneBytes: 0, totalBytes: 300 },
  ];
  expect(progressOf(0, transfers)).toBe(0.125);
  expect(progressOf(3, transfers)).toBe(0.125);
});

it('jobs and empty files have a bar without a share, and nothing has none', () => {
  expect(progressOf(1, [])).toBeGreaterThan(1);
  expect(progressOf(0, [{ doneBytes: 0, totalBytes: 0 }])).toBeGreaterThan(1);
  expect(progressOf(0, [])).toBe(-1);
});
