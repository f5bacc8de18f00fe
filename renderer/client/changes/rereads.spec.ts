import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRereads } from './rereads.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const atOnce = () => Promise.resolve();
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Rereads whose reads take `tookMs(count)` milliseconds each, where `count` begins with 1. `readAt` has the beginnings
 * of the reads, in milliseconds after this call.
 */
function startRereads(tookMs: (count: number) => number, spacingMs?: number) {
  const startedAt = performance.now();
  const readAt: number[] = [];
  const life = new AbortController();
  const read = async () => {
    const ms = tookMs(readAt.push(Math.round(performance.now() - startedAt)));
    if (ms > 0) await after(ms);
  };
  return { readAt, life, ask: createRereads(read, atOnce, life.signal, spacingMs) };
}

it('reads at once after a calm time, less and less often while changes keep coming, and at once again later', async () => {
  const { readAt, life, ask } = startRereads(() => 50);
  const changing = setInterval(ask, 10);
  ask();
  await vi.advanceTimersByTimeAsync(3000);
  clearInterval(changing);
  // 50 ms of each are the read. The first five take the 200 ms that are free.
  const gaps = readAt.map((at, index) => at - (readAt[index - 1] ?? 0));
  expect(gaps.slice(0, 8)).toEqual([0, 50, 50, 50, 50, 50, 250, 250]);
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

it('reads after each change at once if they are few, however soon they follow each other', async () => {
  const waits: number[] = [];
  let changedAt = 0;
  const life = new AbortController();
  const ask = createRereads(
    async () => {
      waits.push(performance.now() - changedAt);
      await after(10);
    },
    atOnce,
    life.signal,
  );
  for (let count = 0; count < 20; count++) {
    changedAt = performance.now();
    ask();
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(waits).toEqual(Array.from({ length: 20 }, () => 0));
  life.abort();
});

it('reads ten times a second at most, however fast its engine is', async () => {
  let reads = 0;
  const life = new AbortController();
  const ask = createRereads(async () => void reads++, atOnce, life.signal);
  const changing = setInterval(ask, 5);
  await vi.advanceTimersByTimeAsync(2000);
  reads = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  clearInterval(changing);
  expect(reads).toBeGreaterThan(90);
  expect(reads).toBeLessThanOrEqual(100);
  life.abort();
});

it('does not read a slow engine all the time: the pause is as long as the read before it took', async () => {
  const { readAt, life, ask } = startRereads(() => 3000);
  const changing = setInterval(ask, 10);
  ask();
  await vi.advanceTimersByTimeAsync(14_000);
  clearInterval(changing);
  expect(readAt).toEqual([0, 6000, 12_000]);
  life.abort();
});

it('does not pause for long after a read that hung', async () => {
  const { readAt, life, ask } = startRereads((count) => (count === 1 ? 60_000 : 0));
  ask();
  await vi.advanceTimersByTimeAsync(60_000);
  ask();
  await vi.advanceTimersByTimeAsync(5000);
  expect(readAt).toEqual([0, 65_000]);
  life.abort();
});

it('keeps the spacing that is wanted between two reads, and reads the last change after it', async () => {
  const { readAt, life, ask } = startRereads(() => 0, 15_000);
  const changing = setInterval(ask, 100);
  ask();
  await vi.advanceTimersByTimeAsync(31_000);
  clearInterval(changing);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readAt).toEqual([0, 15_000, 30_000, 45_000]);
  life.abort();
});
