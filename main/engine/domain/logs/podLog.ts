/** The log of a Pod: pages of its lines, and lines as they come. */
import { hideMadeKeys } from '#contract/core/secretPatterns.ts';
import { limits } from '#contract/core/limits.ts';
import type { LogLine, LogPage, PodLogQuery } from '#contract/local/log.ts';
import { createLineReading, lineFilter } from './lineParser.ts';

/** One line of a container. `at`: microseconds since 1970. */
export interface OutputLine {
  at: number;
  stream: 'stdout' | 'stderr';
  text: string;
}

/** `sinceUs`: only lines from this time on, in microseconds since 1970. `tail`: only so many of the last lines. */
export interface OutputQuery {
  sinceUs?: number;
  tail?: number;
  /** Also the lines that come, until the container ends. */
  follow: boolean;
}

export type ReadOutput = (query: OutputQuery, signal: AbortSignal) => AsyncIterable<OutputLine>;

const { lineLength, listed } = limits.log;
const US_PER_MS = 1000;

/**
 * The container engine stamps the lines of the two outputs apart from each other, so that one may come behind a later
 * one. Numbers rise in the order in which lines come, so they depend on the lines before. A reader that begins so much
 * earlier gives each line the number that it had: there is a pause of a microsecond in between.
 */
const LEAD_US = 1_000_000;
const LEAD_LINES = 200;

/**
 * Turns the lines of a container into numbered lines of a log. The number of a line is its time in microseconds, or the
 * next one after the line before.
 */
function createNumbering(): (line: OutputLine) => LogLine {
  const readers = { stdout: createLineReading(), stderr: createLineReading() };
  let last = 0;
  return ({ at, stream, text: raw }) => {
    last = Math.max(last + 1, at);
    const { text, level } = readers[stream](hideMadeKeys(raw));
    const cut = text.length - lineLength;
    return {
      n: last,
      at: new Date(Math.floor(at / US_PER_MS)).toISOString(),
      endpointId: '',
      workerId: 'container',
      jobId: null,
      stream,
      level,
      text: cut > 0 ? `${text.slice(0, lineLength)}… [${cut} more characters were cut]` : text,
    };
  };
}

async function collect(
  lines: AsyncIterable<OutputLine>,
  { before = Infinity, limit = listed.default, ...filter }: PodLogQuery,
): Promise<{ lines: LogLine[]; more: boolean }> {
  const matches = lineFilter(filter);
  const numbered = createNumbering();
  const newest: LogLine[] = [];
  let more = false;
  for await (const output of lines) {
    const line = numbered(output);
    if (line.n >= before) break;
    if (!matches(line)) continue;
    newest.push(line);
    if (newest.length <= limit) continue;
    newest.shift();
    more = true;
  }
  return { lines: newest, more };
}

/** The newest lines that match, or those before a line; oldest first. */
export async function readPodPage(read: ReadOutput, query: PodLogQuery, signal: AbortSignal): Promise<LogPage> {
  const { before, limit = listed.default, ...filter } = query;
  let page: { lines: LogLine[]; more: boolean } | null = null;
  if (before === undefined && Object.keys(filter).length === 0) {
    page = await collect(read({ follow: false, tail: limit + 1 + LEAD_LINES }, signal), query);
  }
  // The container engine counts the parts of a long line as lines: only more lines than wanted are surely whole.
  if (!page?.more) page = await collect(read({ follow: false }, signal), query);
  return { ...page, next: page.more ? (page.lines[0]?.n ?? null) : null };
}

/** The lines after line `after` that match, and those that come, until `read` ends. */
export async function* followPodLog(
  read: ReadOutput,
  after: number,
  filter: Omit<PodLogQuery, 'before' | 'limit'>,
  signal: AbortSignal,
): AsyncGenerator<LogLine> {
  const matches = lineFilter(filter);
  const numbered = createNumbering();
  for await (const output of read({ sinceUs: Math.max(0, after - LEAD_US), follow: true }, signal)) {
    const line = numbered(output);
    if (line.n > after && matches(line)) yield line;
  }
}

/** The last `tail` lines, one at least, and those that come, until `read` ends. */
export async function* tailPodLog(read: ReadOutput, tail: number, signal: AbortSignal): AsyncGenerator<LogLine> {
  const { lines } = await readPodPage(read, { limit: tail }, signal);
  yield* lines;
  yield* followPodLog(read, lines.at(-1)?.n ?? 0, {}, signal);
}
