import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { createDeadlines } from '../../domain/core/timerHeap.ts';
import { createAwakeClock } from './awakeClock.ts';

const HOUR_MS = 3_600_000;

/** A machine whose monotonic clock counts a sleep, in which no timer runs. */
function startMachine() {
  const clock = createFakeClock();
  let sleptMs = 0;
  const awake = createAwakeClock({ ...clock, elapsed: () => clock.elapsed() + sleptMs });
  return { clock, awake, sleep: (ms: number) => (sleptMs += ms) };
}

test('a sleep that was announced does not count', () => {
  const { clock, awake, sleep } = startMachine();
  const before = awake.elapsed();
  clock.advance(5000);
  awake.suspend();
  sleep(8 * HOUR_MS);
  expect(awake.elapsed()).toBe(before + 5000);
  awake.resume();
  clock.advance(2000);
  expect(awake.elapsed()).toBe(before + 7000);
});

test('a deadline that lies beyond the sleep is not due at its end, but after the rest of its time', () => {
  const { clock, awake, sleep } = startMachine();
  const due: string[] = [];
  const deadlines = createDeadlines<{ slot: number }>(awake, awake.elapsed, () => due.push('due'));
  deadlines.start();
  deadlines.set({ slot: -1 }, awake.elapsed() + 10_000);
  awake.suspend();
  sleep(HOUR_MS);
  // Timers that were set before the sleep can run before the news of its end.
  clock.advance(500);
  awake.resume();
  clock.advance(9_900);
  expect(due).toEqual([]);
  clock.advance(200);
  expect(due).toEqual(['due']);
  deadlines.stop();
});

test('a sleep that was announced and never came stops the clock for half a minute at most', () => {
  const { clock, awake } = startMachine();
  awake.suspend();
  clock.advance(29_000);
  const stopped = awake.elapsed();
  clock.advance(1000);
  clock.advance(5000);
  expect(awake.elapsed()).toBe(stopped + 5000);
});

test('two announcements are one, and an end without a beginning changes nothing', () => {
  const { clock, awake, sleep } = startMachine();
  awake.resume();
  const before = awake.elapsed();
  awake.suspend();
  sleep(HOUR_MS);
  awake.suspend();
  sleep(HOUR_MS);
  awake.resume();
  awake.resume();
  clock.advance(1000);
  expect(awake.elapsed()).toBe(before + 1000);
  expect(clock.pending()).toBe(0);
});
