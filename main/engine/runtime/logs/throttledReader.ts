/**
 * Reads what workers write, as fast as the engine can afford beside its other work. A worker that writes faster waits, up to a limit:
 * its job must not take minutes because of its output. Beyond that limit its output is left out, and a line says how much.
 */
import type { Readable } from 'node:stream';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import { createLineSplitter } from './lineSplitter.ts';

/** In each window of time lines of all workers together may cost so much: a byte costs 1, a line 100. */
const WINDOW_MS = 10;
const WINDOW_COST = 128 * 1024;
const LINE_COST = 100;
/** Lines are taken out of so many bytes at once. */
const SLICE_BYTES = 4096;
/** A worker is made to wait for so long altogether before its output is left out, for a second at a time. */
const PATIENCE_MS = 5000;
const LEFT_OUT_MS = 1000;
/** Between two such seconds it is made to wait for so long, so that what it writes is seen now and then. */
const READ_AGAIN_MS = 200;
/** After a pause of so long a worker counts as one that has never waited. */
const QUIET_MS = 1000;
const NEW_LINE = 10;

export interface LineIntake {
  /** Reads a stream to its end. Returns what takes the last words out of it, once nothing more will come. */
  read(stream: Readable, take: (line: string, leftOut: number) => void): () => void;
  /** Nothing more is read while `isFull`; call this once it no longer is. */
  goOn(): void;
  stop(): void;
}

interface Reader {
  readonly stream: Readable;
  /** Bytes that came and are not processed yet. */
  backlog: Buffer | null;
  process(): void;
}

/** `isFull`: what was read must go somewhere first. */
export function createLineIntake(clock: Clock, isFull: () => boolean): LineIntake {
  const readers = new Set<Reader>();
  let spent = 0;
  let nextWindow: Cancel | null = null;

  const mayProcess = (): boolean => {
    if (spent >= WINDOW_COST) {
      nextWindow ??= clock.after(WINDOW_MS, () => {
        nextWindow = null;
        spent = 0;
        processAll();
      });
      return false;
    }
    return !isFull();
  };

  function processAll(): void {
    for (const reader of readers) if (reader.backlog) reader.process();
  }

  return {
    read(stream, take) {
      let over = false;
      const splitter = createLineSplitter((line, leftOut) => {
        spent += LINE_COST;
        take(line, leftOut);
      });
      /** How long it has been made to wait, and since when it waits now. */
      let waitedMs = 0;
      let waitsSince: number | null = null;
      let lastDataAt = clock.elapsed();
      /** Until when its output is left out; null while it is read. */
      let leftOutUntil: number | null = null;
      let leftOutBytes = 0;
      /** What comes next is the rest of a line whose begin was left out. */
      let isWithinLine = false;
      const reader: Reader = {
        stream,
        backlog: null,
        process() {
          while (reader.backlog && mayProcess()) slice(reader.backlog);
          const now = clock.elapsed();
          if (waitsSince !== null) waitedMs += now - waitsSince;
          waitsSince = reader.backlog ? now : null;
          if (reader.backlog && waitedMs > PATIENCE_MS) leaveOut(reader.backlog);
          if (reader.backlog) return;
          lastDataAt = now;
          stream.resume();
        },
      };

      /** From now on for a while: nothing waits for lines that nobody could read. */
      function leaveOut(data: Buffer): void {
        splitter.end();
        leftOutBytes += data.length;
        reader.backlog = null;
        waitsSince = null;
        leftOutUntil = clock.elapsed() + LEFT_OUT_MS;
      }

      /** It is read again; a line says what is missing. */
      function readAgain(): void {
        leftOutUntil = null;
        waitedMs = PATIENCE_MS - READ_AGAIN_MS;
        isWithinLine = true;
        take(`[${leftOutBytes} bytes were left out here: they were written faster than they can be kept]`, 0);
        leftOutBytes = 0;
      }

      /** What is left of the data once the line that was cut is over. */
      function afterCut(data: Buffer): Buffer {
        if (!isWithinLine) return data;
        const end = data.indexOf(NEW_LINE);
        if (end !== -1) isWithinLine = false;
        return end === -1 ? data.subarray(data.length) : data.subarray(end + 1);
      }

      function slice(data: Buffer): void {
        reader.backlog = data.length > SLICE_BYTES ? data.subarray(SLICE_BYTES) : null;
        const part = data.subarray(0, SLICE_BYTES);
        spent += part.length;
        splitter.push(part);
      }

      function finish(): void {
        if (over) return;
        over = true;
        if (leftOutUntil !== null) readAgain();
        while (reader.backlog) slice(reader.backlog);
        splitter.end();
        readers.delete(reader);
      }

      readers.add(reader);
      stream.on('data', (data: Buffer) => {
        const now = clock.elapsed();
        if (now - lastDataAt > QUIET_MS) waitedMs = 0;
        lastDataAt = now;
        if (leftOutUntil !== null && now >= leftOutUntil) readAgain();
        if (leftOutUntil !== null) {
          leftOutBytes += data.length;
          return;
        }
        add(afterCut(data));
      });
      function add(data: Buffer): void {
        if (data.length === 0) return;
        reader.backlog = reader.backlog ? Buffer.concat([reader.backlog, data]) : data;
        stream.pause();
        reader.process();
      }
      stream.on('end', finish);
      stream.on('close', finish);
      // The other end has gone in a hurry; what it wrote before is there.
      stream.on('error', () => undefined);
      return () => {
        if (stream.destroyed || stream.readableEnded) finish();
      };
    },
    goOn: processAll,
    stop() {
      nextWindow?.();
      nextWindow = null;
    },
  };
}
