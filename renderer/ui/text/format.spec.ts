import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatDuration,
  formatGpuMemory,
  formatMemory,
  formatMemoryOf,
  formatMoment,
  formatSince,
  formatTime,
  formatUptime,
  formatShortDay,
  formatStampWhen,
  formatWhen,
  shortGpuName,
  withMoments,
} from './format.ts';

describe('formats', () => {
  it.each([
    [0, '0 ms'],
    [12.4, '12 ms'],
    [840, '840 ms'],
    [999.4, '999 ms'],
    [999.5, '1.0 s'],
    [1240, '1.2 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [38_400, '38 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [63_000, '1 min 3 s'],
    [600_000, '10 min'],
    [86_400_000, '24 h'],
    [7 * 86_400_000, '7 d'],
    [7_500_000, '2 h 5 min'],
  ])('%i ms reads %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it('a moment of more than a week ago is a date', () => {
    const now = Date.parse('2026-06-15T12:00:00Z');
    expect(formatSince(now - 3 * 86_400_000, now)).toBe('3 d ago');
    expect(formatSince(now - 400 * 86_400_000, now)).toMatch(/2025/);
  });

  it('a moment of today has its time alone, and one of another day its date, too', () => {
    const at = new Date(2026, 2, 1, 14, 5, 9).getTime();
    expect(formatWhen(at, at + 1000)).toBe(formatTime(at));
    expect(formatWhen(at, at + 86_400_000)).toBe(formatMoment(at));
  });

  it('an event has the stamp of a line of a log, with its day where that is another one', () => {
    const at = new Date(2026, 10, 22, 14, 5, 9, 123).getTime();
    expect(formatStampWhen(at, at + 1000)).toBe('14:05:09.123');
    expect(formatStampWhen(at, at + 86_400_000)).toBe(`${formatShortDay(at)}, 14:05:09.123`);
  });

  it('the name of a GPU is short without its maker', () => {
    const names = ['NVIDIA GeForce RTX 4090', 'NVIDIA L4', 'AMD Instinct MI300X'].map(shortGpuName);
    expect(names).toEqual(['RTX 4090', 'L4', 'AMD Instinct MI300X']);
  });

  it('how long something is up has no seconds that change', () => {
    const words = [0, 9400, 49_900, 23.9 * 60_000, 134.9 * 60_000].map(formatUptime);
    expect(words).toEqual(['0 s', '9 s', '49 s', '23 min', '2 h 14 min']);
  });

  it('a duration is never negative, whatever the clocks say', () => expect(formatDuration(-40)).toBe('0 ms'));

  it('counts are grouped in threes', () => {
    expect(formatCount(1204)).toBe('1\u202f204');
    expect(formatCount(100)).toBe('100');
  });

  it('sizes are 1024-based, as the payload limits are', () => {
    expect(formatBytes(10 * 1024 * 1024)).toBe('10 MB');
    expect(formatBytes(1229)).toBe('1.2 KB');
    expect(formatBytes(812)).toBe('812 B');
  });

  it('sizes of memory keep one digit after the point where it tells something', () => {
    const GB = 1024 ** 3;
    expect(formatMemory(812 * 1024 ** 2)).toBe('812 MB');
    expect(formatMemory(17.2 * GB)).toBe('17.2 GB');
    expect(formatMemory(128 * GB)).toBe('128 GB');
    expect(formatMemory(1.8 * 1024 * GB)).toBe('1.8 TB');
  });

  it('the memory of a GPU has a digit after the point only if it is not whole', () => {
    expect(formatGpuMemory(23034 / 1024)).toBe('22.5 GB');
    expect(formatGpuMemory(24564 / 1024)).toBe('24 GB');
  });

  it('what happened just now reads "now"', () => {
    expect(formatAgo(1000, 20_000)).toBe('just now');
    expect(formatAgo(0, 120_000)).toBe('2 min ago');
    expect(formatAgo(0, 3 * 3_600_000)).toBe('3 h ago');
  });
});

describe('a part of a memory', () => {
  it.each([
    [3 * 1024 ** 2, 22.5 * 1024 ** 3, '0.0 of 22.5 GB'],
    [300 * 1024 ** 2, 512 * 1024 ** 2, '300 of 512 MB'],
    [512 * 1024 ** 3, 2 * 1024 ** 4, '0.5 of 2.0 TB'],
    [120 * 1024 ** 3, 141 * 1024 ** 3, '120 of 141 GB'],
  ])('%d of %d is %s', (bytes, whole, words) => {
    expect(formatMemoryOf(bytes, whole)).toBe(words);
  });
});

describe('a sentence of an engine', () => {
  it('has its moments as the window has them, and nothing else changed', () => {
    const iso = '2026-03-01T12:00:00.000Z';
    expect(withMoments(`It ended at ${iso}. The file log-2026-03-01.txt is kept.`)).toBe(
      `It ended at ${formatMoment(Date.parse(iso))}. The file log-2026-03-01.txt is kept.`,
    );
  });
});
