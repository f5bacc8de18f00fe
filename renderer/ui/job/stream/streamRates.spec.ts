import { describe, expect, it } from 'vitest';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { createRateReader } from './streamRates.ts';

const stream = (count: number, everyMs: number, text: (index: number) => string): LedgerChunk[] =>
  Array.from({ length: count }, (_, index) => ({ index, at: 1000 + index * everyMs, text: text(index) }));

it('the numbers beside the output of a chunk are series of their own', () => {
  const chunks = Array.from({ length: 3 }, (_, index) => ({
    index,
    at: 1000 + index,
    text: '"word"',
    metrics: `{"gpu_cache_usage":${index / 10},"name":"x"}`,
  }));
  expect(createRateReader()(chunks, false)).toEqual([{ name: 'gpu cache usage', values: [0, 0.1, 0.2], value: 0.2 }]);
});

describe('the rate of a stream', () => {
  it('counts tokens where chunks tell them', () => {
    const chunks = stream(41, 100, () => '{"choices":[{"tokens":["a","b"]}]}');
    expect(createRateReader()(chunks, true)).toMatchObject([{ name: 'tokens/s', value: 20 }]);
  });

  it('counts chunks where they do not', () => {
    expect(
      createRateReader()(
        stream(41, 50, () => '"word "'),
        true,
      ),
    ).toMatchObject([{ name: 'chunks/s', value: 20 }]);
  });

  it('of a slow stream is its average, also while it goes on', () => {
    const [rate] = createRateReader()(
      stream(9, 1500, () => '"a"'),
      false,
    );
    expect(rate?.value).toBeCloseTo(1 / 1.5, 2);
  });

  it('is that of the last second while the stream goes on', () => {
    const slow = stream(20, 500, () => '"a"');
    const from = slow.at(-1)!.at;
    const fast = Array.from({ length: 100 }, (_, index) => ({ index: 20 + index, at: from + index * 25, text: '"a"' }));
    const [rate] = createRateReader()([...slow, ...fast], false);
    expect(rate?.value).toBeCloseTo(40, 0);
  });

  it('is not told for a stream that is too short', () => {
    expect(
      createRateReader()(
        stream(3, 10, () => '"a"'),
        true,
      ),
    ).toEqual([]);
    expect(createRateReader()([], true)).toEqual([]);
  });

  it('goes on counting a list that grows, and begins anew with another', () => {
    const read = createRateReader();
    const chunks = stream(41, 50, () => '"a"');
    read(chunks.slice(0, 20), false);
    expect(read(chunks, true)).toEqual(createRateReader()(chunks, true));
    expect(
      read(
        stream(41, 100, () => '"b"'),
        true,
      ),
    ).toMatchObject([{ value: 10 }]);
  });
});

it('The numbers in the metrics of chunks are series of their own, of few points', () => {
  const chunks = stream(600, 20, (index) => `{"metrics":{"gpu_cache":${index},"name":"x"}}`);
  const series = createRateReader()(chunks, true);
  expect(series.map(({ name }) => name)).toEqual(['chunks/s', 'gpu cache']);
  expect(series[1]?.value).toBe(599);
  expect(series[1]?.values.length).toBeLessThanOrEqual(60);
});
