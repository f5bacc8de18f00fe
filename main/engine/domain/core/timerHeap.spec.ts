/** Deadlines fall due in order, once each, on one timer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../test/support/core/fakes.ts';
import { createDeadlines, type Deadlines, type Due } from './timerHeap.ts';

interface Item extends Due {
  name: number;
}
const item = (name: number): Item => ({ name, slot: -1 });

function setUp(): { clock: FakeClock; start: number; due: [name: number, atMs: number][]; deadlines: Deadlines<Item> } {
  const clock = createFakeClock();
  const start = clock.now();
  const due: [number, number][] = [];
  const deadlines = createDeadlines<Item>(clock, clock.now, ({ name }) => due.push([name, clock.now() - start]));
  deadlines.start();
  return { clock, start, due, deadlines };
}

test('each item falls due once, at the last deadline it was given, and not at all where that was taken back', () => {
  const change = fc.record({ name: fc.nat(40), at: fc.option(fc.integer({ min: 0, max: 200_000 })) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 300 }), (changes) => {
      const { clock, start, due, deadlines } = setUp();
      const items = new Map<number, Item>();
      const last = new Map<number, number>();
      for (const { name, at } of changes) {
        const one = items.get(name) ?? item(name);
        items.set(name, one);
        if (at === null) {
          deadlines.clear(one);
          last.delete(name);
        } else {
          deadlines.set(one, start + at);
          last.set(name, at);
        }
      }
      expect(deadlines.size()).toBe(last.size);
      expect(clock.pending()).toBeLessThanOrEqual(1);
      clock.advance(200_000);
      expect(due.map(([, at]) => at)).toEqual([...last.values()].sort((a, b) => a - b));
      expect(new Map(due)).toEqual(last);
      expect(clock.pending()).toBe(0);
    }),
  );
});

test('fault 15: a clock that was set forward, or a machine that slept, is noticed within a minute', () => {
  const { clock, start, due, deadlines } = setUp();
  deadlines.set(item(1), start + 7_200_000);
  clock.jump(7_200_000);
  clock.advance(60_000);
  expect(due.map(([name]) => name)).toEqual([1]);
});

test('fault 15: a clock that was set back makes the deadline later by as much', () => {
  const { clock, start, due, deadlines } = setUp();
  deadlines.set(item(1), start + 1000);
  clock.jump(-5000);
  clock.advance(5999);
  expect(due).toEqual([]);
  clock.advance(1);
  expect(due).toEqual([[1, 1000]]);
});

test('stopped deadlines leave no timer', () => {
  const { clock, start, due, deadlines } = setUp();
  deadlines.set(item(1), start + 1);
  deadlines.stop();
  expect(clock.pending()).toBe(0);
  clock.advance(10);
  expect(due).toEqual([]);
});
