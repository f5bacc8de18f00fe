/** What workers and Pods write, in REST v2: a stream of each of them, which never ends and has no numbers. */
import { AppError } from '#contract/core/errors.ts';
import { logLevels, type LogLine, type ToldLogFilter } from '#contract/local/log.ts';
import * as z from 'zod';
import { readJson } from '../http/parsers.ts';
import type { Outbound } from '../http/outbound.ts';
import type { RestV2 } from './client.ts';
import { readEvents } from '../http/serverEvents.ts';
import type { LogsApi } from '../workers.ts';
import { workersOf } from './workers.ts';

/** The most lines that a stream begins with. */
const MOST_TAIL = 5000;
/** Streams open at once: of an endpoint with more workers, only the first ones are read. */
const MOST_WORKERS = 10;
/** What there is comes at once: a stream that has told nothing for so long has told it all. */
const FIRST_MS = 1500;
const QUIET_MS = 300;
/** Then it is looked for workers that have come since. */
const LOOK_AGAIN_MS = 30_000;

const eventSchema = z.looseObject({ ts: z.string(), source: z.string().catch('container'), line: z.string() });
/** What the workers of the public SDK write. */
const workerLineSchema = z.looseObject({
  message: z.string(),
  requestId: z.string().nullish(),
  level: z.string().nullish(),
});

const enc = encodeURIComponent;
/** A line has the number of its moment, so that they stand in order and can be gone on from. */
const IN_A_MS = 1000;
const momentOf = (n: number): number => Math.floor(n / IN_A_MS);

function levelOf(name: string | null | undefined): LogLine['level'] {
  const word = name?.toLowerCase();
  return logLevels.find((level) => level === word || (word === 'warning' && level === 'warn')) ?? null;
}

/** The source of a log: a worker of an endpoint, or a Pod. */
interface Writer {
  /** Where its stream is. */
  path: string;
  endpointId: string;
  /** Null for a Pod, whose lines name their source instead. */
  workerId: string | null;
}

function lineFrom(text: string, { endpointId, workerId }: Writer): LogLine {
  const { ts, source, line } = readJson('logs', text, eventSchema);
  const workerLine = line.startsWith('{') ? workerLineSchema.safeParse(parsed(line)) : null;
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fits({ jobId, text, level }: ToldLogFilter, line: LogLine): boolean {
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
  async function writersOf({ endpointId, workerId, podId }: ToldLogFilter): Promise<Writer[]> {
    if (podId !== undefined) return [{ path: `pods/${enc(podId)}`, endpointId: '', workerId: null }];
    if (endpointId === undefined) {
      throw new AppError(
        'UNSUPPORTED',
        'This account tells what workers write for one endpoint at a time. Choose one.',
      );
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
      // A worker that has gone since has nothing more to say.
      if (!signal.aborted && !(thrown instanceof AppError && thrown.code === 'NOT_FOUND')) throw thrown;
    }
  }

  /** What there is, until nothing more comes. */
  async function newest(writer: Writer, tail: number): Promise<LogLine[]> {
    const over = new AbortController();
    let timer = setTimeout(() => over.abort(), FIRST_MS);
    const lines: LogLine[] = [];
    try {
      for await (const line of stream(writer, { tail: String(tail) }, over.signal)) {
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
      // What is older than the longest beginning of a stream cannot be had.
      const more = fitting.length > lines.length || (tail < MOST_TAIL && newestLines.length >= tail);
      return { lines, more, next: more ? (lines[0]?.n ?? null) : null };
    },
    async *follow(filter, after, signal) {
      const writers = await writersOf(filter);
      const life = new AbortController();
      const over = AbortSignal.any([life.signal, signal]);
      const timer = setTimeout(() => life.abort(), LOOK_AGAIN_MS);
      const waiting: LogLine[] = [];
      let failure: Error | null = null;
      let wake = (): void => undefined;
      over.addEventListener('abort', () => wake());
      const since = new Date(after === 0 ? Date.now() : momentOf(after)).toISOString();

      async function read(writer: Writer): Promise<void> {
        // The stream begins at the millisecond of the last line: skip its lines that were sent before.
        let duplicates = after === 0 ? 0 : (after % IN_A_MS) + 1;
        for await (const line of stream(writer, { since }, over)) {
          if (momentOf(line.n) === momentOf(after) && duplicates-- > 0) continue;
          waiting.push(line);
          wake();
        }
      }
      const readers = writers.map((writer) =>
        read(writer).catch((thrown: unknown) => {
          failure ??= thrown instanceof Error ? thrown : new Error(String(thrown));
          wake();
        }),
      );
      let last = after;
      try {
        while (!over.aborted && failure === null) {
          for (const line of waiting.splice(0)) {
            last = Math.max(line.n, last + 1);
            if (fits(filter, line)) yield { ...line, n: last };
          }
          if (waiting.length > 0) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (over.aborted || failure !== null || waiting.length > 0) resolve();
          });
        }
        if (failure !== null) throw failure as Error;
      } finally {
        clearTimeout(timer);
        life.abort();
        await Promise.all(readers);
      }
    },
  };
}
