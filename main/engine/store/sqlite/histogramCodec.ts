/**
 * Packs a histogram into one column: for each bucket with a count, the distance from the bucket before and the count,
 * both as numbers of 7 bits a byte, the lowest first. Durations lie close together, so a histogram is a few dozen
 * bytes.
 */
import { BUCKETS, newHistogram, type Histogram } from '#contract/core/histogram.ts';

const MORE = 0x80;

export function packHistogram(histogram: Histogram): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number): void => {
    let rest = value;
    for (; rest >= MORE; rest = Math.floor(rest / MORE)) bytes.push((rest % MORE) | MORE);
    bytes.push(rest);
  };
  let before = 0;
  for (const [bucket, count] of histogram.entries()) {
    if (count === 0) continue;
    put(bucket - before);
    put(count);
    before = bucket;
  }
  return Uint8Array.from(bytes);
}

/** The histogram of a column. Counts beyond the last bucket, which only a damaged file has, are ignored. */
export function unpackHistogram(packed: Uint8Array): Histogram {
  const histogram = newHistogram();
  let at = 0;
  const take = (): number => {
    let value = 0;
    for (let weight = 1; at < packed.length; weight *= MORE) {
      const byte = packed[at++] ?? 0;
      value += (byte % MORE) * weight;
      if (byte < MORE) break;
    }
    return value;
  };
  let bucket = 0;
  while (at < packed.length) {
    bucket += take();
    const count = take();
    if (bucket < BUCKETS) histogram[bucket] = count;
  }
  return histogram;
}
