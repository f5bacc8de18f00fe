/** What workers write, and what the engine has to say of them: numbered, kept on disk with a limit, and told to whoever follows. */
import type { Readable } from 'node:stream';
import { hideMadeKeys } from '#contract/core/secretPatterns.ts';
import { limits } from '#contract/core/limits.ts';
import type { LogFilter, LogLevel, LogLine } from '#contract/local/log.ts';
import { createLineReading, lineFilter, type LogBook } from '../../domain/logs/lineParser.ts';
import type { Clock } from '../../domain/core/ports.ts';
import { createLineIntake } from './throttledReader.ts';
import { clean } from './lineSplitter.ts';
import { readLines, readPage } from './logReading.ts';
import { createRecentLines } from './recentLines.ts';
import { openSegments, type Segments } from './segments.ts';

/** Characters that may wait for the disk: then nothing more is read of workers. */
const UNWRITTEN_LENGTH = 1024 * 1024;
/** After a failure the disk is left alone for this long. */
const RETRY_MS = 5000;
/** Lines in memory that one reading of a follower looks at. */
const READ_LINES = 1000;

/** The lines of one worker. */
export interface WorkerLog {
  /** Reads a stream of the worker to its end. */
  read(stream: Readable, name?: 'stdout' | 'stderr'): void;
  /** The last lines of all streams, oldest first. */
  lastLines(): string[];
  /** Settles once everything that was read is on disk, or could not be written. */
  written(): Promise<void>;
}

export interface WorkerOfLog {
  workerId: string;
  endpointId: string;
}

export interface WorkerLogs extends LogBook {
  open(worker: WorkerOfLog): WorkerLog;
  /** Adds a line of the engine's own about a worker. */
  note(worker: WorkerOfLog, level: LogLevel, text: string): void;
  /** Settles once everything is written. */
  stop(): Promise<void>;
}

export interface WorkerLogsOptions {
  folder: string;
  clock: Clock;
  /** The jobs that what a worker writes now may belong to: where it is one, it does. */
  jobsOf(workerId: string): readonly string[];
  /** The disk takes no lines: workers run on. Called once, and again only after it took some. */
  onFailure(error: unknown): void;
  segmentBytes?: number;
  keptBytes?: number;
}

export function createWorkerLogs(options: WorkerLogsOptions): WorkerLogs {
  const { folder, clock, jobsOf } = options;
  const { segmentBytes = limits.log.segmentBytes, keptBytes = limits.log.keptBytes } = options;
  const listeners = new Set<() => void>();
  let segments: Segments | null = null;
  let failing = false;
  let retryAt = -Infinity;
  openFolder();
  let lastN = (segments as Segments | null)?.lastN ?? 0;
  /** Up to here lines are on disk, or never will be. Nobody is told of later ones: a crash could give their numbers to others. */
  let settledN = lastN;
  const recent = createRecentLines(lastN + 1);
  let unwritten = 0;
  let writing: Promise<void> | null = null;
  const intake = createLineIntake(clock, () => unwritten > UNWRITTEN_LENGTH);

  function openFolder(): void {
    try {
      segments = openSegments({ folder, segmentBytes, keptBytes });
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    retryAt = clock.elapsed() + RETRY_MS;
    if (failing) return;
    failing = true;
    options.onFailure(error);
  }

  async function store(lines: Buffer, firstN: number): Promise<void> {
    if (failing && clock.elapsed() < retryAt) return;
    if (!segments) openFolder();
    try {
      if (!segments) return;
      await segments.append(lines, firstN);
      failing = false;
    } catch (error) {
      fail(error);
    }
  }

  async function writeAll(): Promise<void> {
    // Lines that came together are written together.
    await Promise.resolve();
    while (settledN < lastN) {
      const batch = recent.from(settledN + 1, Infinity);
      await store(Buffer.from(batch.map(({ json }) => `${json}\n`).join('')), settledN + 1);
      settledN += batch.length;
      unwritten -= batch.reduce((sum, { json }) => sum + json.length, 0);
      recent.trim(settledN);
      intake.goOn();
      for (const listener of listeners) listener();
    }
    writing = null;
  }

  function add(line: Pick<LogLine, 'endpointId' | 'workerId' | 'jobId' | 'stream' | 'level' | 'text'>): void {
    lastN += 1;
    const { endpointId, workerId, jobId, stream, level, text } = line;
    const at = new Date(clock.now()).toISOString();
    const { json } = recent.add({ n: lastN, at, endpointId, workerId, jobId, stream, level, text });
    unwritten += json.length;
    writing ??= writeAll();
  }

  return {
    open(worker) {
      const { workerId, endpointId } = worker;
      const lastLines: string[] = [];
      const finish: (() => void)[] = [];
      return {
        read(stream, name = 'stdout') {
          const readLine = createLineReading();
          const takeLast = intake.read(stream, (raw, leftOut) => {
            const read = readLine(raw);
            const text = shortened(read.text, leftOut);
            lastLines.push(text);
            if (lastLines.length > limits.log.lastLines) lastLines.shift();
            const jobs = jobsOf(workerId);
            const jobId = read.jobId ?? (jobs.length === 1 ? jobs[0]! : null);
            add({ endpointId, workerId, jobId, stream: name, level: read.level, text });
          });
          finish.push(takeLast);
        },
        lastLines: () => [...lastLines],
        async written() {
          for (const takeLast of finish) takeLast();
          await writing;
        },
      };
    },
    note({ workerId, endpointId }, level, text) {
      add({ endpointId, workerId, jobId: null, stream: 'engine', level, text: shortened(text, 0) });
    },
    page: (query) => readPage({ segments: segments?.list() ?? [], recent, settledN }, query),
    newest: () => settledN,
    async readAfter(after, filter: LogFilter) {
      const n = Math.min(after, settledN);
      if (recent.firstN() > n + 1 && segments) {
        return readLines({ segments: segments.list(), recent, settledN }, n, filter);
      }
      const matches = lineFilter(filter);
      const first = Math.max(n + 1, recent.firstN());
      const lines = recent.from(first, Math.min(READ_LINES, settledN + 1 - first));
      return {
        lines: lines.filter(({ line }) => matches(line)).map(({ line, json }) => ({ n: line.n, json })),
        through: lines.at(-1)?.line.n ?? n,
      };
    },
    onLines(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      intake.stop();
      await writing;
      await segments?.close();
    },
  };
}

/** A line that can be shown: clean, without a key such as the worker's own, and of a length, saying what was left out of it. */
function shortened(raw: string, leftOut: number): string {
  const text = hideMadeKeys(clean(raw));
  const { lineLength } = limits.log;
  const cut = Math.max(0, text.length - lineLength) + leftOut;
  return cut === 0 ? text : `${text.slice(0, lineLength)}… [${cut} more characters were cut]`;
}
