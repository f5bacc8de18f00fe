/** Deadlines fall due in order, once each, on one timer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fakes.ts';
import { createDeadlines } from './deadlines.ts';

test('deadlines fall due in the order of their time, whatever order they were added in', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 300 }), (delays) => {
      const clock = createFakeClock();
      const due: number[] = [];
      const start = clock.now();
      const deadlines = createDeadlines(clock, () => due.push(clock.now() - start));
      delays.forEach((delay, index) => deadlines.add(start + delay, index, 'ttl'));
      expect(clock.pending()).toBe(1);
      clock.advance(10_000);
      expect(due).toEqual([...delays].sort((a, b) => a - b));
      deadlines.stop();
    }),
  );
});

test('what was added is what falls due', () => {
  const clock = createFakeClock();
  const due: string[] = [];
  const deadlines = createDeadlines(clock, (seq, kind) => due.push(`${seq} ${kind}`));
  deadlines.add(clock.now() + 2, 7, 'retention');
  deadlines.add(clock.now() + 1, 8, 'executionTimeout');
  clock.advance(5);
  expect(due).toEqual(['8 executionTimeout', '7 retention']);
});

test('stopped deadlines leave no timer', () => {
  const clock = createFakeClock();
  const deadlines = createDeadlines(clock, () => expect.unreachable());
  deadlines.add(clock.now() + 1, 1, 'ttl');
  deadlines.stop();
  expect(clock.pending()).toBe(0);
  clock.advance(10);
});
