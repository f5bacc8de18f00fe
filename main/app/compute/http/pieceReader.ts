/**
 * Reads files in pieces. Pieces that follow each other are cut out of one answer: a request for each of them would have
 * the engine open the file anew, which takes two programs in a container.
 *
 * A reader of a file, which has read up to a place, is in one of two states: `expected`, after a piece of its own
 * request, and `open`, while an answer is read from that place on. The next piece of an expected reader opens the
 * answer. Both states end after `IDLE_MS`, and an answer also at its end or at a failure.
 */
import type { Cancel, Clock } from '../../platform/clock.ts';

export interface Piece {
  /** Of the request: each file has one of its own. */
  path: string;
  from: number;
  most: number;
}

/** An answer that nobody reads has an open file, and in a container a program. */
const IDLE_MS = 5000;
/** This many readers have an answer each. The oldest one has requests of its own for its next pieces. */
const MOST_READERS = 8;

interface Answer {
  pieces: AsyncIterator<Uint8Array, unknown>;
  /** Of a piece of the answer, what was not read yet. */
  rest: Uint8Array;
  abort: AbortController;
}

interface Reader {
  /** Null while it is expected. */
  answer: Answer | null;
  cancelIdle: Cancel;
}

/** By file and next byte: a file may have several readers. */
const keyOf = (path: string, at: number): string => `${at} ${path}`;

/** The next bytes of an answer: `most` of them, or fewer at its end. */
async function takeBytes(answer: Answer, most: number): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let left = most;
  while (left > 0) {
    if (answer.rest.length === 0) {
      const next = await answer.pieces.next();
      if (next.done === true) break;
      answer.rest = next.value;
    }
    const part = answer.rest.subarray(0, left);
    answer.rest = answer.rest.subarray(part.length);
    left -= part.length;
    taken.push(part);
  }
  return Buffer.concat(taken);
}

interface PieceReaderOptions {
  clock: Clock;
  /** A request for this piece alone. */
  readOne: (piece: Piece) => Promise<Uint8Array>;
  /** The bytes from a place on to the end. An abort closes the answer. */
  open: (place: Omit<Piece, 'most'>, signal: AbortSignal) => Promise<AsyncIterator<Uint8Array, unknown>>;
}

interface PieceReader {
  /** Fewer bytes than `most` are the last ones. Rejects as `readOne` does. */
  read(piece: Piece): Promise<Uint8Array>;
  /** Closes every answer. */
  stop(): void;
}

export function createPieceReader({ clock, readOne, open }: PieceReaderOptions): PieceReader {
  /** By `keyOf`, the oldest first. One whose piece is being read is not among them. */
  const readers = new Map<string, Reader>();
  let isStopped = false;

  function take(key: string | undefined): Reader | null {
    const reader = key === undefined ? undefined : readers.get(key);
    if (key === undefined || reader === undefined) return null;
    readers.delete(key);
    reader.cancelIdle();
    return reader;
  }
  const close = (key: string | undefined): void => take(key)?.answer?.abort.abort();

  function remember(path: string, at: number, answer: Answer | null): void {
    const key = keyOf(path, at);
    close(key);
    if (isStopped) return answer?.abort.abort();
    if (readers.size >= MOST_READERS) close(readers.keys().next().value);
    readers.set(key, { answer, cancelIdle: clock.after(IDLE_MS, () => close(key)) });
  }

  /** Null where the piece needs a request of its own. */
  async function readOn({ path, from, most }: Piece): Promise<Uint8Array | null> {
    const reader = take(keyOf(path, from));
    if (reader === null) return null;
    const abort = reader.answer?.abort ?? new AbortController();
    try {
      const answer = reader.answer ?? {
        pieces: await open({ path, from }, abort.signal),
        rest: new Uint8Array(),
        abort,
      };
      const bytes = await takeBytes(answer, most);
      if (bytes.length === most) remember(path, from + most, answer);
      else abort.abort();
      return bytes.length > 0 ? bytes : null;
    } catch {
      // Its own request says why, or reads the piece after all.
      abort.abort();
      return null;
    }
  }

  return {
    async read(piece) {
      const { path, from, most } = piece;
      const next = await readOn(piece);
      if (next !== null) return next;
      const bytes = await readOne(piece);
      if (bytes.length === most) remember(path, from + most, null);
      return bytes;
    },
    stop() {
      isStopped = true;
      for (const key of readers.keys()) close(key);
    },
  };
}
