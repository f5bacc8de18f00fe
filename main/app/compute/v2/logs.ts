/** Logs of workers and Pods in REST v2: one stream for each of them, which never ends and has no line numbers. */
import { AppError } from '#contract/core/errors.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { logLevels, type LogLine, type PodLogFilter } from '#contract/local/log.ts';
import * as z from 'zod';
import { readJson } from '../http/parsers.ts';
import type { Outbound } from '../http/outbound.ts';
import type { RestV2 } from './client.ts';
import { readEvents } from '../http/serverEvents.ts';
import type { LogsApi } from '../workers.ts';
import { workersOf } from './workers.ts';

/** Largest number of earlier lines that a stream begins with. */
const MOST_TAIL = 5000;
/** Streams open at once: for an endpoint with more workers, only the first ones are read. */
const MOST_WORKERS = 10;
/** Existing lines arrive immediately: a stream that is silent for this long has sent all of them. */
const FIRST_MS = 1500;
const QUIET_MS = 300;
/** Interval of the checks for new workers. */
const LOOK_AGAIN_MS = 30_000;

const eventSchema = z.looseObject({ ts: z.string(), source: z.string().catch('container'), line: z.string() });
/** The log format of workers of the public SDK. */
const workerLineSchema = z.looseObject({
  message: z.string(),
  requestId: z.string().nullish(),
  level: z.string().nullish(),
});

const enc = encodeURIComponent;
/** The number of a line is made of its time, so that lines have an order and a reader can continue. */
const IN_A_MS = 1000;
const momentOf = (n: number): number => Math.floor(n / IN_A_MS);

function levelOf(name: string | null | undefined): LogLine['level'] {
  const word = name?.toLowerCase();
  return logLevels.find((level) => level === word || (word === 'warning' && level === 'warn')) ?? null;
}

/** The source of a log: a worker of an endpoint, or a Pod. */
interface Writer {
  /** The path of its stream. */
  path: string;
  endpointId: string;
  /** Null for a Pod, whose lines contain their source. */
  workerId: string | null;
}

function lineFrom(text: string, { endpointId, workerId }: Writer): LogLine {
  const { ts, source, line } = readJson('logs', text, eventSchema);
  const workerLine = line.startsWith('{') ? workerLineSchema.safeParse(parseJsonOrNull(line)) : null;
  const at = Date.parse(ts);
  return {
    n: Number.isNaN(at) ? 0 : at * IN_A_MS,
    at: ts,
    endpointId,
    workerId: workerId ?? source,
    jobId: workerLine?.data?.requestId ?? null,
    stream: source === 'system' ? 'engine' : 'stdout',
    level: levelOf(workerLine?.data?.level),
    text: workerLine?.data?.message ?? line,
  };
}

function fits({ jobId, text, level }: PodLogFilter, line: LogLine): boolean {
  if (jobId !== undefined && line.jobId !== jobId) return false;
  if (text !== undefined && !line.text.toLowerCase().includes(text.toLowerCase())) return false;
  return level === undefined || (line.level !== null && logLevels.indexOf(line.level) >= logLevels.indexOf(level));
}

/** Numbers lines of the same millisecond by their order. */
function numbered(lines: readonly LogLine[]): LogLine[] {
  let last = 0;
  return lines
    .toSorted((a, b) => a.n - b.n)
    .map((line) => {
      last = Math.max(line.n, last + 1);
      return { ...line, n: last };
    });
}

export function createLogsV2(rest: RestV2, outbound: Outbound): LogsApi {
  async function writersOf({ endpointId, workerId, podId }: PodLogFilter): Promise<Writer[]> {
    if (podId !== undefined) return [{ path: `pods/${enc(podId)}`, endpointId: '', workerId: null }];
    if (endpointId === undefined) {
      throw new AppError('UNSUPPORTED', 'This account reports the log of one endpoint at a time. Choose one.');
    }
    const ids =
      workerId !== undefined
        ? [workerId]
        : (await workersOf(rest, endpointId)).slice(0, MOST_WORKERS).map(({ id }) => id);
    return ids.map((id) => ({
      path: `serverless/${enc(endpointId)}/workers/${enc(id)}`,
      endpointId,
      workerId: id,
    }));
  }

  async function* stream(writer: Writer, query: Record<string, string>, signal: AbortSignal) {
    const path = `/v2/${writer.path}/logs?${new URLSearchParams(query).toString()}`;
    try {
      for await (const text of readEvents(outbound.events({ path, signal }))) yield lineFrom(text, writer);
    } catch (thrown) {
      // A worker that no longer exists sends no more lines.
      if (!signal.aborted && !(thrown instanceof AppError && thrown.code === 'NOT_FOUND')) throw thrown;
    }
  }

  /** The existing lines: reads until no more arrive. */
  async function newest(writer: Writer, tail: number, signal?: AbortSignal): Promise<LogLine[]> {
    const over = new AbortController();
    const life = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
    let timer = setTimeout(() => over.abort(), FIRST_MS);
    const lines: LogLine[] = [];
    try {
      for await (const line of stream(writer, { tail: String(tail) }, life)) {
        lines.push(line);
        clearTimeout(timer);
        if (lines.length >= tail) break;
        timer = setTimeout(() => over.abort(), QUIET_MS);
      }
    } finally {
      clearTimeout(timer);
      over.abort();
    }
    return lines;
  }

  return {
    async page(filter, { before, limit }) {
      const writers = await writersOf(filter);
      const isFiltered = before !== undefined || filter.jobId !== undefined || filter.text !== undefined;
      const tail = isFiltered || filter.level !== undefined ? MOST_TAIL : Math.min(MOST_TAIL, limit);
      const newestLines = (await Promise.all(writers.map((writer) => newest(writer, tail)))).flat();
      const all = numbered(newestLines.filter((line) => fits(filter, line)));
      const fitting = all.filter(({ n }) => before === undefined || n < before);
      const lines = fitting.slice(-limit);
      // Lines before the longest possible start of a stream are not available.
      const more = fitting.length > lines.length || (tail < MOST_TAIL && newestLines.length >= tail);
      return { lines, more, next: more ? (lines[0]?.n ?? null) : null };
    },
    async *whole(filter, signal) {
      const writers = await writersOf(filter);
      const newestLines = await Promise.all(writers.map((writer) => newest(writer, MOST_TAIL, signal)));
      yield* numbered(newestLines.flat().filter((line) => fits(filter, line)));
      return newestLines.some((lines) => lines.length >= MOST_TAIL) ? 'service' : null;
    },
    async *follow(filter, after, signal) {
      const writers = await writersOf(filter);
      const life = new AbortController();
      const over = AbortSignal.any([life.signal, signal]);
      const timer = setTimeout(() => life.abort(), LOOK_AGAIN_MS);
      const waiting: LogLine[] = [];
      const failed: { reason: Error | null } = { reason: null };
      let wake = (): void => undefined;
      over.addEventListener('abort', () => wake());
      const since = new Date(after === 0 ? Date.now() : momentOf(after)).toISOString();

      async function read(writer: Writer): Promise<void> {
        // The stream begins at the millisecond of the last line: skip its lines that were already sent.
        let duplicates = after === 0 ? 0 : (after % IN_A_MS) + 1;
        for await (const line of stream(writer, { since }, over)) {
          if (momentOf(line.n) === momentOf(after) && duplicates-- > 0) continue;
          waiting.push(line);
          wake();
        }
      }
      const readers = writers.map((writer) =>
        read(writer).catch((thrown: unknown) => {
          failed.reason ??= thrown instanceof Error ? thrown : new Error(String(thrown));
          wake();
        }),
      );
      let last = after;
      try {
        while (!over.aborted && failed.reason === null) {
          for (const line of waiting.splice(0)) {
            last = Math.max(line.n, last + 1);
            if (fits(filter, line)) yield { ...line, n: last };
          }
          if (waiting.length > 0) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (over.aborted || failed.reason !== null || waiting.length > 0) resolve();
          });
        }
        if (failed.reason !== null) throw failed.reason;
      } finally {
        clearTimeout(timer);
        life.abort();
        await Promise.all(readers);
      }
    },
  };
}
