/** The order of webhook calls: few at a time for each receiver, and always room for receivers that answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { answering, createReceivers, doubtful, type Caller } from './fairScheduler.ts';

const { perReceiver, slots, slowMs, receiversKnown } = limits.webhook;

const call = (receiver: string, taking = 1): Caller => ({ receiver, slots: taking });

function setUp() {
  const receivers = createReceivers();
  const one = (): Caller | null => receivers.next(answering) ?? receivers.next(doubtful);
  const begin = (): Caller[] => {
    const begun: Caller[] = [];
    for (let next = one(); next; next = one()) begun.push(next);
    return begun;
  };
  /** Makes a receiver known for taking this long. */
  const known = (receiver: string, tookMs: number): void => {
    receivers.add(call(receiver));
    receivers.over(begin()[0]!, tookMs);
  };
  return { receivers, begin, known };
}

describe('one receiver', () => {
  test('is called once until it has answered, and then several times at once', () => {
    const { receivers, begin } = setUp();
    for (let i = 0; i < 40; i++) receivers.add(call('a'));
    const first = begin();
    expect(first).toHaveLength(perReceiver.new);
    receivers.over(first[0]!, 3);
    expect(begin()).toHaveLength(perReceiver.quick);
  });

  test('that was slow is called fewer times at once', () => {
    const { receivers, begin, known } = setUp();
    known('a', slowMs);
    for (let i = 0; i < 40; i++) receivers.add(call('a'));
    expect(begin()).toHaveLength(perReceiver.slow);
  });

  test('is called in the order in which it was to be told', () => {
    const { receivers, begin, known } = setUp();
    known('a', 1);
    const calls = Array.from({ length: 5 }, () => call('a'));
    for (const one of calls) receivers.add(one);
    expect(begin()).toEqual(calls);
  });
});

describe('many receivers', () => {
  test('take turns', () => {
    const { receivers, known } = setUp();
    known('a', 1);
    known('b', 1);
    for (const name of ['a', 'a', 'a', 'b', 'b']) receivers.add(call(name));
    expect(Array.from({ length: 5 }, () => receivers.next(answering)!.receiver)).toEqual(['a', 'b', 'a', 'b', 'a']);
  });

  test('that hang leave room for new ones, and new ones that hang leave room for those that answer', () => {
    const { receivers, begin, known } = setUp();
    known('live', 1);
    for (let i = 0; i < 600; i++) known(`slow${i}`, slowMs);
    for (let i = 0; i < 600; i++) receivers.add(call(`slow${i}`));
    expect(begin()).toHaveLength(slots.slow);
    for (let i = 0; i < slots.new; i++) receivers.add(call(`new${i}`));
    expect(begin()).toHaveLength(slots.new - slots.slow);
    receivers.add(call('live'));
    expect(begin()).toEqual([call('live')]);
  });

  test('a large call waits until it fits, holds up no other, and goes alone when it never would', () => {
    const { receivers, begin, known } = setUp();
    known('a', 1);
    known('b', 1);
    const small = call('a');
    const large = call('b', slots.quick);
    receivers.add(small);
    expect(begin()).toEqual([small]);
    receivers.add(large);
    const next = call('a');
    receivers.add(next);
    expect(begin()).toEqual([next]);
    receivers.over(small, 1);
    receivers.over(next, 1);
    expect(begin()).toEqual([large]);
  });

  test('are forgotten when they are too many to remember, the one idle for longest first', () => {
    const { receivers, begin, known } = setUp();
    for (let i = 0; i <= receiversKnown; i++) known(`r${i}`, 1);
    for (const name of ['r0', 'r1']) for (let i = 0; i < 3; i++) receivers.add(call(name));
    expect(begin().map(({ receiver }) => receiver)).toEqual(['r1', 'r1', 'r1', 'r0']);
  });

  test('whatever happens, nobody is called more often at once than allowed, and in the end everybody was called', () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 0, max: 5 }), slots: fc.integer({ min: 1, max: 700 }) }),
      fc.record({ end: fc.nat(), tookMs: fc.constantFrom(1, slowMs) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { receivers, begin } = setUp();
        const under: Caller[] = [];
        let added = 0;
        let begun = 0;
        const checkLimits = (): void => {
          const more = begin();
          begun += more.length;
          under.push(...more);
          for (const { receiver } of under) {
            expect(under.filter((one) => one.receiver === receiver).length).toBeLessThanOrEqual(perReceiver.quick);
          }
          const used = under.reduce((sum, one) => sum + one.slots, 0);
          if (under.length > 1) expect(used).toBeLessThanOrEqual(slots.quick);
        };
        for (const one of steps) {
          if ('add' in one) {
            added++;
            receivers.add(call(`r${one.add}`, one.slots));
          } else if (under.length > 0) {
            const [over] = under.splice(one.end % under.length, 1);
            receivers.over(over!, one.tookMs);
          }
          checkLimits();
        }
        while (under.length > 0) {
          receivers.over(under.pop()!, 1);
          checkLimits();
        }
        expect(begun).toBe(added);
      }),
    );
  });
});
