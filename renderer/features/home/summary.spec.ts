import { expect, it } from 'vitest';
import type { PodRow } from '#contract/bridge/pod.ts';
import { monthOf, monthWords, spendingWords } from './summary.ts';

const DAY_MS = 86_400_000;
const noon = (date: number): number => Date.UTC(2026, 10, date, 12);

it('the month is that of UTC, up to the end of today', () => {
  expect(monthOf(noon(23))).toEqual({ from: Date.UTC(2026, 10), to: Date.UTC(2026, 10, 24), end: Date.UTC(2026, 11) });
});

const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const day = (at: number): string => dayFormat.format(at);

it('what is spent by the end of the month is estimated from the days so far', () => {
  expect(monthWords(41.2, Date.UTC(2026, 10) + 20 * DAY_MS)).toBe(
    `this month · about $61.80 by ${day(Date.UTC(2026, 10, 30))}`,
  );
  expect(monthWords(1, Date.UTC(2026, 9, 16, 12))).toBe(`this month · about $2.00 by ${day(Date.UTC(2026, 9, 31))}`);
});

it('nothing is estimated on the first day, or where nothing was spent', () => {
  expect(monthWords(3, noon(1))).toBe('this month');
  expect(monthWords(0, noon(23))).toBe('this month');
});

const pod = (facts: { runtime?: object; problem?: string }): PodRow =>
  ({ pod: { desiredStatus: 'RUNNING' }, facts: { preparing: null, problem: null, runtime: null, ...facts } }) as PodRow;

it('spending is told with the states of the Pods that cause it, and that there is more', () => {
  const running = pod({ runtime: {} });
  expect(spendingWords([], 0, false)).toBe('no running Pods');
  expect(spendingWords([], 0.5, false)).toBe('workers $0.50/h · no running Pods');
  expect(spendingWords([running], 0, false)).toBe('Pods: 1 running');
  expect(spendingWords([running, pod({ problem: 'No such image.' })], 0, true)).toBe(
    'Pods: 1 running, 1 not running · and more',
  );
});
