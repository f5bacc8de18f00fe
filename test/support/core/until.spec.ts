import { describe, expect, test } from 'vitest';
import { standsStill, until, untilWithin } from './until.ts';

describe('a wait for a condition', () => {
  test('ends with the value that is right', async () => {
    let count = 0;
    expect(await until('three', () => ++count, 3)).toBe(3);
    const even = (value: number): boolean => value % 2 === 0;
    expect(await until('an even number', () => ++count, even)).toBe(4);
    expect(await until('anything', () => (++count < 7 ? null : count))).toBe(7);
  });

  test('ends with the part that was picked', async () => {
    const read = (): { name: string }[] => [{ name: 'one' }, { name: 'two' }];
    const second = await until('the second', read, (all) => all.find(({ name }) => name === 'two'));
    expect(second).toEqual({ name: 'two' });
  });

  test('goes on while a file is empty, or a number cannot be read yet', async () => {
    const texts = ['', 'pid ', 'pid 7'];
    expect(await until('a text', () => texts.shift() ?? 'pid 7')).toBe('pid ');
    expect(await until('a number', () => Number(/\d+/.exec(texts.shift() ?? '')?.[0]))).toBe(7);
  });

  test('fails with the condition, the time and the value that was read last', async () => {
    let count = 0;
    const waiting = untilWithin(
      30,
      'the job to complete',
      () => ({ status: 'IN_QUEUE', reads: ++count }),
      ({ status }) => status === 'COMPLETED',
    );
    const { message } = await waiting.then(
      () => expect.unreachable(),
      (error: unknown) => error as Error,
    );
    expect(message).toBe(`Waited 0.03 s for: the job to complete. Seen last: { status: 'IN_QUEUE', reads: ${count} }`);
  });

  test('fails at its deadline when the read itself never ends', async () => {
    const never = untilWithin(
      30,
      'an answer',
      () => new Promise(() => undefined),
      () => true,
    );
    await expect(never).rejects.toThrow(
      'Waited 0.03 s for: an answer. Seen last: nothing, because the first read has not ended.',
    );
  });

  test('fails at once with the reason when a read fails', async () => {
    let count = 0;
    const read = (): number => {
      if (++count === 2) throw new Error('The engine is gone.');
      return count;
    };
    await expect(until('ten', read, 10)).rejects.toThrow('The wait for ten failed: The engine is gone.');
    expect(count).toBe(2);
  });

  test('shows the end of a long text', async () => {
    const text = `${'x'.repeat(5000)} the end`;
    const waiting = untilWithin(
      1,
      'more',
      () => text,
      () => false,
    );
    await expect(waiting).rejects.toThrow(/Seen last: …"x+ the end"$/);
  });
});

test('a number that changes no more is returned', async () => {
  let count = 0;
  expect(await standsStill('the count', () => Math.min(++count, 3))).toBe(3);
});
