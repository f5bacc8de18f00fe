import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOutputBatches } from './outputBatches.ts';

const KIB = 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Parts of these sizes in KiB, of which `written` tells what has reached the screen. */
function batchesOf(isHidden = false) {
  const written: number[] = [];
  const parsed: number[] = [];
  const batches = createOutputBatches(
    (bytes, done) => {
      written.push(bytes.length / KIB);
      done();
    },
    () => isHidden,
  );
  const write = (...sizes: number[]): void => {
    for (const kib of sizes) batches.write(new Uint8Array(kib * KIB), () => parsed.push(kib));
  };
  return { batches, write, written, parsed };
}

test('slow output is written at once', () => {
  const { write, written } = batchesOf();
  for (const kib of [1, 10, 1]) {
    write(kib);
    vi.advanceTimersByTime(16);
  }
  expect(written).toEqual([1, 10, 1]);
});

test('fast output is written once in 50 ms, in its order, and each part is confirmed', () => {
  const { write, written, parsed } = batchesOf();
  write(40, 30, 20, 10);
  expect(written).toEqual([40, 30]);
  vi.advanceTimersByTime(49);
  expect(written).toEqual([40, 30]);
  vi.advanceTimersByTime(1);
  expect(written).toEqual([40, 30, 20, 10]);
  expect(parsed).toEqual([40, 30, 20, 10]);
});

test('output that stays fast waits for each batch, also for its first part', () => {
  const { write, written } = batchesOf();
  write(70, 80);
  vi.advanceTimersByTime(50);
  write(5);
  expect(written).toEqual([70, 80]);
  vi.advanceTimersByTime(50);
  expect(written).toEqual([70, 80, 5]);
});

test('a key has its echo at once after fast output', () => {
  const { write, written } = batchesOf();
  write(70, 80);
  vi.advanceTimersByTime(100);
  write(1);
  expect(written).toEqual([70, 80, 1]);
});

test('a snapshot or a new size comes after all that was received before it', () => {
  const { batches, write, written } = batchesOf();
  write(70, 80);
  batches.flush();
  expect(written).toEqual([70, 80]);
});

test('a hidden page, whose timers are slow, holds nothing back', () => {
  const { write, written } = batchesOf(true);
  write(70, 80, 90);
  expect(written).toEqual([70, 80, 90]);
});

test('nothing is written to a screen that is gone', () => {
  const { batches, write, written } = batchesOf();
  write(70, 80);
  batches.dispose();
  vi.advanceTimersByTime(1000);
  expect(written).toEqual([70]);
});
