/**
 * The output of workers and the engine's own lines about them: numbered, stored on disk with a limit, and readable by
 * followers.
 */
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
import { createLogDisk } from './logDisk.ts';

/** The maximum number of characters that wait for the disk. Above it, no output of workers is read. */
const UNWRITTEN_LENGTH = 1024 * 1024;
/** The number of lines in memory that one read of a follower searches. */
const READ_LINES = 1000;
/** The number of newest lines among which a text is searched that a worker may have written. */
const SEARCHED_LINES = 1000;

/** The log of one worker. */
export interface WorkerLog {
  /** Reads a stream of the worker to its end. */
  read(stream: Readable, name?: 'stdout' | 'stderr'): void;
  /** The last lines of all streams, oldest first. */
  lastLines(): string[];
  /** Resolves once everything that was read is on disk, or could not be written. */
  written(): Promise<void>;
}

export interface WorkerOfLog {
  workerId: string;
  endpointId: string;
}

export interface WorkerLogs extends LogBook {
  open(worker: WorkerOfLog): WorkerLog;
  /** Adds a line of the engine about a worker. */
  note(worker: WorkerOfLog, level: LogLevel, text: string): void;
  /** Adds lines of the engine about a job of a worker. */
  noteJob(worker: WorkerOfLog, jobId: string, level: LogLevel, texts: readonly string[]): void;
  /** Whether a worker wrote a line with this text during a job, among the newest lines of all workers. */
  hasWritten(jobId: string, text: string): boolean;
  /** Resolves once everything is written. */
  stop(): Promise<void>;
}

export interface WorkerLogsOptions {
  folder: string;
  clock: Clock;
  /** The current jobs of a worker. With exactly one, its output belongs to this job. */
  jobsOf(workerId: string): readonly string[];
  /** Called once when the disk fails, and again only after a successful write. Workers continue. */
  onFailure(error: unknown): void;
  segmentBytes?: number;
  storedBytes?: number;
}

export function createWorkerLogs(options: WorkerLogsOptions): WorkerLogs {
  const { folder, clock, jobsOf } = options;
  const { segmentBytes = limits.log.segmentBytes, storedBytes = limits.log.storedBytes } = options;
  const listeners = new Set<() => void>();
  const disk = createLogDisk({ folder, segmentBytes, storedBytes, clock, onFailure: options.onFailure });
  let lastN = disk.lastN();
  /**
   * Lines up to this number are on disk, or are lost. Followers get no later ones, because a crash could reuse their
   * numbers.
   */
  let settledN = lastN;
  const recent = createRecentLines(lastN + 1);
  let unwritten = 0;
  let writing: Promise<void> | null = null;
  const intake = createLineIntake(clock, () => unwritten > UNWRITTEN_LENGTH);

  async function writeAll(): Promise<void> {
    // Collect the lines of one turn into one write.
    await Promise.resolve();
    while (settledN < lastN) {
      const batch = recent.from(settledN + 1, Infinity);
      await disk.store(Buffer.from(batch.map(({ json }) => `${json}\n`).join('')), settledN + 1);
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
            const jobId = read.jobId ?? (jobs.length === 1 ? (jobs[0] ?? null) : null);
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
    noteJob({ workerId, endpointId }, jobId, level, texts) {
      for (const text of texts) add({ endpointId, workerId, jobId, stream: 'engine', level, text: shortened(text, 0) });
    },
    hasWritten(jobId, text) {
      const newest = recent.from(Math.max(recent.firstN(), lastN + 1 - SEARCHED_LINES), SEARCHED_LINES);
      return newest.some(({ line }) => line.jobId === jobId && line.stream !== 'engine' && line.text.includes(text));
    },
    page: (query) => readPage({ segments: disk.list() ?? [], recent, settledN }, query),
    newest: () => settledN,
    async readAfter(after, filter: LogFilter) {
      const n = Math.min(after, settledN);
      const segments = disk.list();
      if (recent.firstN() > n + 1 && segments) return readLines({ segments, recent, settledN }, n, filter);
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
      await disk.close();
    },
  };
}

/** The text of a line for display: clean, without keys such as the worker's own, and cut to a limit with a note. */
function shortened(raw: string, leftOut: number): string {
  const text = hideMadeKeys(clean(raw));
  const { lineLength } = limits.log;
  const cut = Math.max(0, text.length - lineLength) + leftOut;
  return cut === 0 ? text : `${text.slice(0, lineLength)}… [${cut} more characters were cut]`;
}
