/** The newest lines in memory: those that are still to be written, and those that followers are about to read. */
import type { LogLine } from '#contract/local/log.ts';

const KEPT_LINES = 4000;
const KEPT_CHARACTERS = 2 * 1024 * 1024;

export interface RecentLine {
  readonly line: LogLine;
  /** The line as it is on disk and on the wire. */
  readonly json: string;
}

export interface RecentLines {
  add(line: LogLine): RecentLine;
  /** The number of the oldest one here; that of the next line when there is none. */
  firstN(): number;
  /** Those from `n` on, at most so many. */
  from(n: number, most: number): RecentLine[];
  /** Forgets the oldest, where there are too many; none after `n`. */
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
      // Now and then, and then half of them: moving the rest has its price.
      if (lines.length <= KEPT_LINES && characters <= KEPT_CHARACTERS) return;
      let count = 0;
      let left = characters;
      while (firstN + count <= n && (lines.length - count > KEPT_LINES / 2 || left > KEPT_CHARACTERS / 2)) {
        left -= lines[count]!.json.length;
        count += 1;
      }
      lines = lines.slice(count);
      firstN += count;
      characters = left;
    },
  };
}
