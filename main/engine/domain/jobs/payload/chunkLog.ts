/**
 * The chunks of a job: cut to size, kept in order, read once each by /stream, and from a position of one's own by
 * others.
 */
import { AppError } from '#contract/core/errors.ts';
import { parseJson, rawField } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import { ChunkTail, type ChunkRow } from './chunkBuffer.ts';
import type { ChunkLog } from '../jobRecord.ts';

/** The newest chunks of a job that stay in memory for a reader who keeps up: characters. */
const TAIL_LENGTH = 256 * 1024;

/** `longest`: no chunk that is on disk already is longer; as long as one may be where that is not known. */
export function createChunkLog(firstRow: number, longest: number = limits.chunkBytes): ChunkLog {
  const none = firstRow - 1;
  return {
    firstRow,
    lastRow: none,
    storedRow: none,
    total: 0,
    ready: 0,
    readRow: firstRow,
    tail: new ChunkTail(),
    unwrittenLength: 0,
    longest,
  };
}

/** Notes chunks that were handed to the store from row `firstRow` on. */
export function noteChunks(log: ChunkLog, firstRow: number, texts: readonly string[]): void {
  for (const [index, text] of texts.entries()) {
    log.tail.push(firstRow + index, text);
    if (text.length > log.longest) log.longest = text.length;
  }
  log.unwrittenLength += lengthOf(texts);
  trimTail(log);
  log.lastRow = firstRow + texts.length - 1;
  log.total += texts.length;
}

/** Notes that the store has taken these, and every row before them, or has failed to. */
export function noteStored(log: ChunkLog, firstRow: number, texts: readonly string[]): void {
  log.storedRow = firstRow + texts.length - 1;
  log.unwrittenLength -= lengthOf(texts);
  trimTail(log);
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

function trimTail({ tail, storedRow }: ChunkLog): void {
  while (tail.textLength > TAIL_LENGTH && tail.length > 1 && tail.at(0).row <= storedRow) tail.shift();
}

/** Reads rows from the store, oldest first: at most `limit` of them. */
export type LoadChunks = (fromRow: number, toRow: number, limit: number) => ChunkRow[];

/** How far one reader has come. */
export interface ChunkPosition {
  /** Number of the next chunk. */
  index: number;
  /** Row of the next chunk, at least. */
  row: number;
}

/** Rows asked of the store at a time. */
const ROWS_AT_ONCE = 256;

/**
 * The ready chunks from `position` on, about `maxBytes` of them, oldest first. `load` is asked where the tail does not
 * reach back far enough. Advances the position; other readers are not affected.
 */
export function chunksFrom(log: ChunkLog, position: ChunkPosition, maxBytes: number, load: LoadChunks): string[] {
  const texts: string[] = [];
  let bytes = 0;
  const tell = ({ row, text }: ChunkRow): void => {
    texts.push(text);
    bytes += text.length;
    position.index++;
    position.row = row + 1;
  };
  while (position.index < log.ready && bytes < maxBytes) {
    const inTail = position.index - (log.total - log.tail.length);
    if (inTail >= 0) {
      tell(log.tail.at(inTail));
      continue;
    }
    // Loads only as many chunks as have room even if each is as long as the longest.
    const room = Math.ceil((maxBytes - bytes) / Math.max(1, log.longest));
    const batch = load(position.row, log.lastRow, Math.min(log.ready - position.index, ROWS_AT_ONCE, room));
    if (batch.length === 0) break;
    for (const chunk of batch) tell(chunk);
  }
  return texts;
}

/**
 * The ready chunks that /stream has not yet told, at most about `maxBytes` of them, oldest first. Advances its reading
 * position.
 */
export function readChunks(log: ChunkLog, alreadyRead: number, maxBytes: number, load: LoadChunks): string[] {
  const position = { index: alreadyRead, row: log.readRow };
  const texts = chunksFrom(log, position, maxBytes, load);
  log.readRow = position.row;
  // What is not on disk yet must stay: another reader may not have had it.
  const doneRow = Math.min(log.readRow - 1, log.storedRow);
  while (log.tail.length > 0 && log.tail.at(0).row <= doneRow) log.tail.shift();
  return texts;
}

/** The raw JSON of a chunk as a worker sent it. Throws BAD_REQUEST when it is no object with `output`. */
export function checkChunk(text: string): string {
  const chunk = parseJson(text, 'The chunk');
  if (typeof chunk !== 'object' || chunk === null || !('output' in chunk)) {
    throw new AppError('BAD_REQUEST', 'A chunk must be a JSON object with `output`.');
  }
  return text;
}

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/**
 * A chunk's JSON text as it is kept: itself when it is at most 1 MB (or what the settings say), otherwise several
 * chunks of strings. Joining them gives the text that was yielded; for anything but a string, the JSON of what was
 * yielded.
 *
 * @param chunkText raw JSON of the whole chunk, `{"output": …}`
 */
export function splitChunk(chunkText: string, limitBytes: number = limits.chunkBytes): string[] {
  // A UTF-16 unit takes at most three bytes: short texts need no measuring.
  if (chunkText.length * 3 <= limitBytes || utf8Length(chunkText) <= limitBytes) return [chunkText];
  const rawOutput = rawField(chunkText, 'output') ?? 'null';
  const whole = rawOutput.startsWith('"') ? String(JSON.parse(rawOutput)) : rawOutput;
  const pieces: string[] = [];
  let start = 0;
  while (start < whole.length) {
    // Escapes grow a character to six at most; shrink until the piece fits.
    let length = Math.min(whole.length - start, limitBytes);
    for (;;) {
      const end = start + length;
      // Never between the halves of a surrogate pair.
      const high = end < whole.length && (whole.charCodeAt(end - 1) & 0xfc00) === 0xd800;
      const piece = `{"output":${JSON.stringify(whole.slice(start, high ? end - 1 : end))}}`;
      const size = utf8Length(piece);
      if (size <= limitBytes) {
        pieces.push(piece);
        start = high ? end - 1 : end;
        break;
      }
      length = Math.max(2, Math.floor((length * limitBytes) / size) - 32);
    }
  }
  return pieces;
}
