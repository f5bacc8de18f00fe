import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLevel, LogLine } from '#contract/local/log.ts';
import {
  appendLines,
  createSelector,
  everyLine,
  BUFFERED_LINES,
  lineText,
  matcher,
  prependLines,
  splitAtMatches,
  withMarks,
} from './logLines.ts';

const line = (n: number, text = `line ${n}`, level: LogLevel | null = null, workerId = 'w1'): LogLine => ({
  n,
  at: '2026-01-01T00:00:00.000Z',
  endpointId: 'e',
  workerId,
  jobId: null,
  stream: 'stdout' as const,
  level,
  text,
});
const range = (from: number, to: number): LogLine[] => Array.from({ length: to - from }, (_, i) => line(from + i));
const numbers = (lines: readonly LogLine[]): number[] => lines.map(({ n }) => n);

describe('the lines that are held', () => {
  it('grow at the end, each line once', () => {
    expect(numbers(appendLines(range(1, 4), range(2, 6)))).toEqual([1, 2, 3, 4, 5]);
  });

  it('lose the oldest when there are too many', () => {
    const lines = appendLines(range(0, BUFFERED_LINES), range(BUFFERED_LINES, BUFFERED_LINES + 10));
    expect(lines.length).toBeLessThanOrEqual(BUFFERED_LINES);
    expect(lines.length).toBeGreaterThan(BUFFERED_LINES / 2);
    expect(lines.at(-1)?.n).toBe(BUFFERED_LINES + 9);
  });

  it('take older ones before them as far as there is room', () => {
    expect(numbers(prependLines(range(5, 7), range(2, 6)))).toEqual([2, 3, 4, 5, 6]);
    expect(prependLines(range(10, BUFFERED_LINES + 10), range(0, 10))).toHaveLength(BUFFERED_LINES);
    expect(prependLines(range(10, BUFFERED_LINES + 9), range(0, 10))[0]?.n).toBe(9);
  });

  it('have no codes of terminals in them', () => {
    expect(appendLines([], [line(1, '\u001b[31mred\u001b[0m \u001b]0;title\u0007on')])[0]?.text).toBe('red on');
  });
});

describe('a filter', () => {
  it('shows a level and the graver ones; a line without one counts as information', () => {
    const shows = (level: LogLevel | null, least: LogLevel): boolean =>
      matcher({ ...everyLine, level: least })(line(1, 'a', level));
    expect([shows('error', 'warn'), shows('warn', 'warn'), shows('info', 'warn'), shows(null, 'warn')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([shows(null, 'info'), shows('debug', 'info')]).toEqual([true, false]);
  });

  it('finds words whatever their case, of one worker where one is chosen', () => {
    expect(matcher({ ...everyLine, text: ' LOAD ' })(line(1, 'Model loaded'))).toBe(true);
    expect(matcher({ ...everyLine, workerId: 'w2' })(line(1))).toBe(false);
  });

  it('selects the same lines whether they came at once or bit by bit, at the end or before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 20 }))),
        fc.constantFrom('', '1', '7'),
        (steps, text) => {
          const select = createSelector();
          const filter = { ...everyLine, text };
          let lines: readonly LogLine[] = range(1000, 1010);
          for (const [older, count] of steps) {
            const first = lines[0]?.n ?? 0;
            const last = (lines.at(-1)?.n ?? 0) + 1;
            lines = older
              ? prependLines(lines, range(first - count, first))
              : appendLines(lines, range(last, last + count));
            // Some go at the front, as they do when there are too many.
            if (count === 20) lines = lines.slice(5);
            expect(select(lines, filter)).toEqual(lines.filter(matcher(filter)));
          }
        },
      ),
    );
  });
});

describe('a line', () => {
  it('is copied with its time, its worker and its level', () => {
    expect(lineText(line(1, 'late', 'warn'))).toBe('2026-01-01T00:00:00.000Z w1 WARN late');
  });

  it('is split where the searched words stand', () => {
    expect(splitAtMatches('a Bc abC', 'bc')).toEqual(['a ', 'Bc', ' a', 'bC', '']);
    expect(splitAtMatches('abc', ' ')).toEqual(['abc']);
  });
});

describe('the marks of runs', () => {
  const words = (lines: readonly LogLine[], marks: number[]): string[] =>
    withMarks(
      lines,
      marks.map((n) => ({ ...line(n, `run at ${n}`), fileText: '' })),
    ).map(({ text }) => text);

  it('stand before the lines of their run, and after the last line where it wrote nothing yet', () => {
    expect(words([line(1), line(5), line(9)], [4, 8, 20])).toEqual([
      'line 1',
      'run at 4',
      'line 5',
      'run at 8',
      'line 9',
      'run at 20',
    ]);
  });

  it('of runs before the first line are left out, but for the run of this line', () => {
    expect(words([line(10), line(11)], [2, 4, 8])).toEqual(['run at 8', 'line 10', 'line 11']);
  });

  it('change nothing where there are none', () => {
    const lines = range(1, 4);
    expect(withMarks(lines, [])).toBe(lines);
  });
});
