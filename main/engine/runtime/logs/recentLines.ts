/** The newest lines in memory: unwritten ones, and those that followers read next. */
import type { LogLine } from '#contract/local/log.ts';

const KEPT_LINES = 4000;
const KEPT_CHARACTERS = 2 * 1024 * 1024;

export interface RecentLine {
  readonly line: LogLine;
  /** The line as JSON, for the disk and for clients. */
  readonly json: string;
}

export interface RecentLines {
  add(line: LogLine): RecentLine;
  /** The number of the oldest line in memory; that of the next line when there is none. */
  firstN(): number;
  /** The lines from number `n` on, at most `most` of them. */
  from(n: number, most: number): RecentLine[];
  /** Removes the oldest lines above the limit, but none after `n`. */
  trim(n: number): void;
}

export function createRecentLines(nextN: number): RecentLines {
  let lines: RecentLine[] = [];
  let firstN = nextN;
  let characters = 0;

  return {
    add(line) {
      const recent = { line, json: JSON.stringify(line) };
      lines.push(recent);
      characters += recent.json.length;
      return recent;
    },
    firstN: () => firstN,
    from(n, most) {
      const start = Math.max(0, n - firstN);
      return lines.slice(start, start + most);
    },
    trim(n) {
      // Removes half of the lines at once, and rarely, because moving the rest is expensive.
      if (lines.length <= KEPT_LINES && characters <= KEPT_CHARACTERS) return;
      let count = 0;
      let remaining = characters;
      while (firstN + count <= n && (lines.length - count > KEPT_LINES / 2 || remaining > KEPT_CHARACTERS / 2)) {
        remaining -= lines[count]?.json.length ?? 0;
        count += 1;
      }
      lines = lines.slice(count);
      firstN += count;
      characters = remaining;
    },
  };
}
