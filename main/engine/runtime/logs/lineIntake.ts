/** Reads what workers write, as fast as the engine can afford beside its other work: whoever writes faster waits. */
import type { Readable } from 'node:stream';
import type { Cancel, Clock } from '../../domain/ports.ts';
import { createLineSplitter } from './lineSplitter.ts';

/** In each window of time lines of all workers together may cost so much: a byte costs 1, a line 100. */
const WINDOW_MS = 10;
const WINDOW_COST = 128 * 1024;
const LINE_COST = 100;
/** Lines are taken out of so many bytes at once. */
const SLICE_BYTES = 4096;

export interface LineIntake {
  /** Reads a stream to its end. Returns what takes the last words out of it, once nothing more will come. */
  read(stream: Readable, take: (line: string, leftOut: number) => void): () => void;
  /** Nothing more is read while `isFull`; call this once it no longer is. */
  goOn(): void;
  stop(): void;
}

interface Reader {
  readonly stream: Readable;
  /** What came and was not looked at yet. */
  backlog: Buffer | null;
  look(): void;
}

/** `isFull`: what was read must go somewhere first. */
export function createLineIntake(clock: Clock, isFull: () => boolean): LineIntake {
  const readers = new Set<Reader>();
  let spent = 0;
  let nextWindow: Cancel | null = null;

  const mayLook = (): boolean => {
    if (spent >= WINDOW_COST) {
      nextWindow ??= clock.after(WINDOW_MS, () => {
        nextWindow = null;
        spent = 0;
        lookAtAll();
      });
      return false;
    }
    return !isFull();
  };

  function lookAtAll(): void {
    for (const reader of readers) if (reader.backlog) reader.look();
  }

  return {
    read(stream, take) {
      let over = false;
      const splitter = createLineSplitter((line, leftOut) => {
        spent += LINE_COST;
        take(line, leftOut);
      });
      const reader: Reader = {
        stream,
        backlog: null,
        look() {
          while (reader.backlog && mayLook()) slice(reader.backlog);
          if (!reader.backlog) stream.resume();
        },
      };

      function slice(data: Buffer): void {
        reader.backlog = data.length > SLICE_BYTES ? data.subarray(SLICE_BYTES) : null;
        const part = data.subarray(0, SLICE_BYTES);
        spent += part.length;
        splitter.push(part);
      }

      function finish(): void {
        if (over) return;
        over = true;
        while (reader.backlog) slice(reader.backlog);
        splitter.end();
        readers.delete(reader);
      }

      readers.add(reader);
      stream.on('data', (data: Buffer) => {
        reader.backlog = reader.backlog ? Buffer.concat([reader.backlog, data]) : data;
        stream.pause();
        reader.look();
      });
      stream.on('end', finish);
      stream.on('close', finish);
      // The other end has gone in a hurry; what it wrote before is there.
      stream.on('error', () => undefined);
      return () => {
        if (stream.destroyed || stream.readableEnded) finish();
      };
    },
    goOn: lookAtAll,
    stop() {
      nextWindow?.();
      nextWindow = null;
    },
  };
}
