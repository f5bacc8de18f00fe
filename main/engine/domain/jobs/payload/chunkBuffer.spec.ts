import { expect, test } from 'vitest';
import { ChunkTail } from './chunkBuffer.ts';

test('the oldest chunks go first, however many come and go, and their lengths are counted', () => {
  const tail = new ChunkTail();
  let next = 0;
  let oldest = 0;
  const textOf = (row: number): string => 'x'.repeat(row % 7);
  const come = (count: number): void => {
    for (const end = next + count; next < end; next++) tail.push(next, textOf(next));
  };
  const go = (count: number): void => {
    for (const end = oldest + count; oldest < end; oldest++) tail.shift();
  };
  for (const [coming, going] of [
    [3000, 2000],
    [10, 1009],
    [1, 1],
    [5000, 600],
    [0, 4401],
    [2, 0],
  ] as const) {
    come(coming);
    go(going);
    const left = Array.from({ length: next - oldest }, (_, index) => oldest + index);
    expect(tail.length).toBe(left.length);
    expect(left.map((_, index) => tail.at(index).row)).toEqual(left);
    expect(tail.textLength).toBe(left.reduce((sum, row) => sum + textOf(row).length, 0));
  }
});
