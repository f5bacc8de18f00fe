/**
 * Reads the output of workers as fast as the engine can afford beside its other work. A worker that writes faster
 * waits, up to a limit, so that its job does not take minutes because of its output. Beyond the limit its output is
 * dropped, and a line tells how much.
 */
import type { Readable } from 'node:stream';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import { createLineSplitter } from './lineSplitter.ts';

/** The maximum cost of all workers' lines in each window of time: a byte costs 1, a line 100. */
const WINDOW_MS = 10;
const WINDOW_COST = 128 * 1024;
const LINE_COST = 100;
/** The number of bytes that are processed at once. */
const SLICE_BYTES = 4096;
/**
 * How long a worker must have waited before its output is dropped, and how long it is dropped each time, milliseconds.
 */
const PATIENCE_MS = 5000;
const LEFT_OUT_MS = 1000;
/** How long a worker waits between two drops, milliseconds, so that a part of its output is visible. */
const READ_AGAIN_MS = 200;
/** After a pause of this length, milliseconds, the earlier waits of a worker do not count. */
const QUIET_MS = 1000;
const NEW_LINE = 10;

/** `leftOut`: the number of characters that were cut from the end of the line. */
type TakeLine = (line: string, leftOut: number) => void;

export interface LineIntake {
  /** Reads a stream to its end. Returns a function that takes the last line when no more data will come. */
  read(stream: Readable, take: TakeLine): () => void;
  /** Reading stops while `isFull` is true. Call this once it is false. */
  goOn(): void;
  stop(): void;
}

/** The share of the engine's time that all lines together may use. */
interface Budget {
  /** Whether data may be processed now; otherwise readers with a backlog are called again later. */
  mayProcess(): boolean;
  spend(cost: number): void;
}

interface Reader {
  hasBacklog(): boolean;
  /** Processes the backlog as far as the budget allows. */
  process(): void;
  /** Takes the last line, once. The stream brings no more data. */
  finish(): void;
}

/**
 * States: reading → waiting (it has a backlog, and the stream is paused) → dropping (the stream flows, and the output is dropped) →
 * reading again. `onFinish` is called once, at the end of the stream.
 */
function createReader(
  stream: Readable,
  clock: Clock,
  { mayProcess, spend }: Budget,
  take: TakeLine,
  onFinish: () => void,
): Reader {
  const splitter = createLineSplitter((line, leftOut) => {
    spend(LINE_COST);
    take(line, leftOut);
  });
  /** Received bytes that are not processed yet. */
  let backlog: Buffer | null = null;
  /** The total wait of the worker, and the start of the current wait; monotonic milliseconds. */
  let waitedMs = 0;
  let waitsSince: number | null = null;
  let lastDataAt = clock.elapsed();
  /** The time until which the output is dropped; null while it is read. */
  let leftOutUntil: number | null = null;
  let leftOutBytes = 0;
  /** Whether the next bytes continue a line whose start was dropped. */
  let isWithinLine = false;
  let isOver = false;

  function slice(data: Buffer): void {
    backlog = data.length > SLICE_BYTES ? data.subarray(SLICE_BYTES) : null;
    const part = data.subarray(0, SLICE_BYTES);
    spend(part.length);
    splitter.push(part);
  }

  function process(): void {
    while (backlog && mayProcess()) slice(backlog);
    const now = clock.elapsed();
    if (waitsSince !== null) waitedMs += now - waitsSince;
    waitsSince = backlog ? now : null;
    if (backlog && waitedMs > PATIENCE_MS) leaveOut(backlog);
    if (backlog) return;
    lastDataAt = now;
    stream.resume();
  }

  /** Drops the output for a while, so that the worker does not wait. */
  function leaveOut(data: Buffer): void {
    splitter.end();
    leftOutBytes += data.length;
    backlog = null;
    waitsSince = null;
    leftOutUntil = clock.elapsed() + LEFT_OUT_MS;
  }

  /** Ends the drop with a line that says how much is missing. */
  function readAgain(): void {
    leftOutUntil = null;
    waitedMs = PATIENCE_MS - READ_AGAIN_MS;
    isWithinLine = true;
    take(`[${leftOutBytes} bytes were left out here: they were written faster than they can be kept]`, 0);
    leftOutBytes = 0;
  }

  /** The data after the end of the partial line. */
  function afterCut(data: Buffer): Buffer {
    if (!isWithinLine) return data;
    const end = data.indexOf(NEW_LINE);
    if (end !== -1) isWithinLine = false;
    return end === -1 ? data.subarray(data.length) : data.subarray(end + 1);
  }

  function add(data: Buffer): void {
    if (data.length === 0) return;
    backlog = backlog ? Buffer.concat([backlog, data]) : data;
    stream.pause();
    process();
  }

  function finish(): void {
    if (isOver) return;
    isOver = true;
    if (leftOutUntil !== null) readAgain();
    while (backlog) slice(backlog);
    splitter.end();
    onFinish();
  }

  stream.on('data', (data: Buffer) => {
    const now = clock.elapsed();
    if (now - lastDataAt > QUIET_MS) waitedMs = 0;
    lastDataAt = now;
    if (leftOutUntil !== null && now >= leftOutUntil) readAgain();
    if (leftOutUntil === null) add(afterCut(data));
    else leftOutBytes += data.length;
  });
  stream.on('end', finish);
  stream.on('close', finish);
  // A worker that ends quickly breaks its pipe. Its earlier output was read.
  stream.on('error', () => undefined);
  return { hasBacklog: () => backlog !== null, process, finish };
}

/** `isFull`: whether earlier output must be written to the disk first. */
export function createLineIntake(clock: Clock, isFull: () => boolean): LineIntake {
  const readers = new Set<Reader>();
  let spent = 0;
  let nextWindow: Cancel | null = null;

  const budget: Budget = {
    mayProcess() {
      if (spent < WINDOW_COST) return !isFull();
      nextWindow ??= clock.after(WINDOW_MS, () => {
        nextWindow = null;
        spent = 0;
        processAll();
      });
      return false;
    },
    spend: (cost) => void (spent += cost),
  };

  function processAll(): void {
    for (const reader of readers) if (reader.hasBacklog()) reader.process();
  }

  return {
    read(stream, take) {
      const reader = createReader(stream, clock, budget, take, () => readers.delete(reader));
      readers.add(reader);
      return () => {
        if (stream.destroyed || stream.readableEnded) reader.finish();
      };
    },
    goOn: processAll,
    stop() {
      nextWindow?.();
      nextWindow = null;
    },
  };
}
