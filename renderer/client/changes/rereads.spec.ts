import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRereads } from './rereads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const atOnce = () => Promise.resolve();

it('reads at once after a calm time, less and less often while changes keep coming, and at once again later', async () => {
  const startedAt = performance.now();
  const readAt: number[] = [];
  const life = new AbortController();
  const ask = createRereads(
    async () => {
      readAt.push(Math.round(performance.now() - startedAt));
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
    atOnce,
    life.signal,
  );
  const changing = setInterval(ask, 10);
  ask();
  await vi.advanceTimersByTimeAsync(3000);
  clearInterval(changing);
  // 50 ms of each are the read.
  expect(readAt.slice(0, 6).map((at, index) => at - (readAt[index - 1] ?? 0))).toEqual([0, 100, 150, 250, 250, 250]);
  await vi.advanceTimersByTimeAsync(2000);
  const before = readAt.length;
  ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(readAt).toHaveLength(before + 1);
  life.abort();
  ask();
  await vi.advanceTimersByTimeAsync(1000);
  expect(readAt).toHaveLength(before + 1);
});

it('does not read a slow engine all the time: the pause is as long as the read before it took', async () => {
  const startedAt = performance.now();
  const readAt: number[] = [];
  const life = new AbortController();
  const ask = createRereads(
    async () => {
      readAt.push(Math.round(performance.now() - startedAt));
      await new Promise((resolve) => setTimeout(resolve, 3000));
    },
    atOnce,
    life.signal,
  );
  const changing = setInterval(ask, 10);
  ask();
  await vi.advanceTimersByTimeAsync(14_000);
  clearInterval(changing);
  expect(readAt).toEqual([0, 6000, 12_000]);
  life.abort();
});
