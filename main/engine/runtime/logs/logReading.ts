/**
 * Reads lines for pages and for followers that are behind: first from memory, then from disk, with a limit for the
 * work.
 */
import { limits } from '#contract/core/limits.ts';
import type { LogFilter, LogLine, LogPage, LogQuery } from '#contract/local/log.ts';
import { lineFilter, type LogBatch } from '../../domain/logs/lineParser.ts';
import type { RecentLines } from './recentLines.ts';
import { inTurn, readBack, readForward } from './segmentReading.ts';
import type { Segment } from './segments.ts';
import { createPrefilter } from './linePrefilter.ts';

/** The readable lines, up to number `settledN`. */
export interface Shelf {
  segments: readonly Segment[];
  recent: RecentLines;
  settledN: number;
}

/** A follower that is behind gets about this many lines in one batch, from at most this many bytes. */
const BATCH_LINES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

function parsed(json: string): LogLine | null {
  try {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- only this engine writes these files, and validating each line would slow down paging
    return JSON.parse(json) as LogLine;
  } catch {
    // The line is damaged on disk. The other lines are still readable.
    return null;
  }
}

/** The newest lines before `before` that match the filter. */
export async function readPage({ segments, recent, settledN }: Shelf, query: LogQuery): Promise<LogPage> {
  const { before = Infinity, limit = limits.log.listed.default, ...filter } = query;
  const matches = lineFilter(filter);
  const sieve = createPrefilter(filter);
  const matched: LogLine[] = [];
  let linesRead = 0;
  /** The number of the oldest line that was read. */
  let reached = Math.min(before, settledN + 1);

  /** Returns whether to continue. One match above the limit proves that more exist. */
  function visit(line: LogLine): boolean {
    if (line.n >= reached) return true;
    if (matches(line)) matched.push(line);
    if (matched.length > limit) return false;
    reached = line.n;
    return true;
  }

  const inMemory = recent.from(recent.firstN(), Math.max(0, reached - recent.firstN())).toReversed();
  let complete = inMemory.every(({ line }) => visit(line));
  if (complete) {
    await inTurn(() =>
      readBack(segments, reached, (block) => {
        if (!sieve.block(block)) return true;
        for (const json of block.toString('utf8').split('\n').toReversed()) {
          linesRead += 1;
          if (!sieve.line(json)) continue;
          const line = parsed(json);
          if (line && !visit(line)) return (complete = false);
        }
        return (complete = linesRead < limits.log.lookedAt);
      }),
    );
  }
  const lines = matched.slice(0, limit).toReversed();
  return { lines, more: !complete, next: complete ? null : Math.min(reached, lines[0]?.n ?? reached) };
}

/** The lines after `n` that match the filter, from disk. */
export async function readLines(
  { segments, recent, settledN }: Shelf,
  n: number,
  filter: LogFilter,
): Promise<LogBatch> {
  const matches = lineFilter(filter);
  const sieve = createPrefilter(filter);
  const lines: LogBatch['lines'] = [];
  // Lines in memory are read from there. A line that is neither on disk nor in memory is lost.
  let through = Math.min(recent.firstN() - 1, settledN);
  let bytes = 0;
  await inTurn(() =>
    readForward(segments, n, (block) => {
      bytes += block.length;
      let last = n;
      const passes = sieve.block(block);
      const texts = passes ? block.toString('utf8').split('\n') : [];
      for (const json of texts) {
        if (!sieve.line(json)) continue;
        const line = parsed(json);
        if (!line || line.n <= n || line.n > settledN || !matches(line)) continue;
        lines.push({ n: line.n, json });
      }
      last = lastNumber(block) ?? last;
      if (lines.length < BATCH_LINES && bytes < BATCH_BYTES && last < through) return true;
      through = Math.min(Math.max(last, n), settledN);
      return false;
    }),
  );
  return { lines, through };
}

function lastNumber(block: Buffer): number | null {
  const start = block.lastIndexOf(10, -2) + 1;
  const match = /^\{"n":(\d+),/.exec(block.toString('utf8', start, start + 40));
  return match ? Number(match[1]) : null;
}
