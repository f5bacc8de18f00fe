/** Reads lines from disk in blocks, forwards and backwards from any line. */
import { open, type FileHandle } from 'node:fs/promises';
import { systemCode } from '#contract/core/systemCode.ts';
import { numberOf, type Segment } from './segments.ts';

/** The size of one read, bytes. No line is longer. */
const BLOCK_BYTES = 256 * 1024;
/** The search for a line stops at this many bytes; the rest is read. */
const NEAR_BYTES = 64 * 1024;
/** The maximum number of concurrent readers, because each needs a block of memory. Others wait. */
const READERS = 4;

let readers = 0;
const waiting: (() => void)[] = [];

/** Limits concurrent reads; waiting ones begin in the order of their calls. */
export async function inTurn<T>(read: () => Promise<T>): Promise<T> {
  if (readers >= READERS) await new Promise<void>((resolve) => waiting.push(resolve));
  else readers += 1;
  try {
    return await read();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else readers -= 1;
  }
}

async function readBlock(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const block = Buffer.allocUnsafe(Math.max(0, end - start));
  const { bytesRead } = await handle.read(block, 0, block.length, start);
  return block.subarray(0, bytesRead);
}

/** Searches for the position of line `n`. It is between `low` and `high`, and both are at the start of a line. */
async function locate(handle: FileHandle, bytes: number, n: number): Promise<{ low: number; high: number }> {
  let low = 0;
  let high = bytes;
  while (high - low > NEAR_BYTES * 2) {
    const middle = Math.floor((low + high) / 2);
    const block = await readBlock(handle, middle, Math.min(high, middle + BLOCK_BYTES));
    const start = block.indexOf(10) + 1;
    const lineNumber = start === 0 ? null : numberOf(block.toString('utf8', start, start + 40));
    if (lineNumber === null || middle + start >= high) break;
    if (lineNumber < n) low = middle + start;
    else high = middle + start;
  }
  return { low, high };
}

async function withSegment<T>({ file }: Segment, read: (handle: FileHandle) => Promise<T>, missing: T): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    // The file was deleted to free disk space, or by a person.
    if (systemCode(error) === 'ENOENT') return missing;
    throw error;
  }
  try {
    return await read(handle);
  } finally {
    await handle.close();
  }
}

/**
 * Calls `take` with blocks of whole lines before line `before`, newest block first, until it returns false. The lines
 * of a block are oldest first. A block may contain lines from `before` on.
 */
export async function readBack(
  segments: readonly Segment[],
  before: number,
  take: (block: Buffer) => boolean,
): Promise<void> {
  for (const segment of [...segments].toReversed()) {
    if (segment.firstN >= before) continue;
    const { bytes } = segment;
    const goOn = await withSegment(
      segment,
      async (handle) => {
        let { high: end } = await locate(handle, bytes, before);
        while (end > 0) {
          const start = Math.max(0, end - BLOCK_BYTES);
          const block = await readBlock(handle, start, end);
          // This is the end of a line that begins in the previous block.
          const whole = start === 0 ? 0 : block.indexOf(10) + 1;
          if (block.length === 0 || (start > 0 && (whole === 0 || whole === block.length))) return true;
          if (!take(block.subarray(whole))) return false;
          end = start + whole;
        }
        return true;
      },
      true,
    );
    if (!goOn) return;
  }
}

/** The same in forward direction, from the first line after `after`. A block may begin with earlier lines. */
export async function readForward(
  segments: readonly Segment[],
  after: number,
  take: (block: Buffer) => boolean,
): Promise<void> {
  const later = segments.filter((_, index) => (segments[index + 1]?.firstN ?? Infinity) > after + 1);
  for (const segment of later) {
    const { bytes } = segment;
    const goOn = await withSegment(
      segment,
      async (handle) => {
        let { low: start } = await locate(handle, bytes, after + 1);
        while (start < bytes) {
          const block = await readBlock(handle, start, Math.min(bytes, start + BLOCK_BYTES));
          const whole = block.lastIndexOf(10) + 1;
          if (whole === 0) return true;
          if (!take(block.subarray(0, whole))) return false;
          start += whole;
        }
        return true;
      },
      true,
    );
    if (!goOn) return;
  }
}
