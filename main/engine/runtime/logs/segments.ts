/** Lines on disk: JSON lines in files of limited size. The oldest files are deleted. */
import { systemCode } from '#contract/core/systemCode.ts';
import { mkdirSync, openSync, readdirSync, readSync, closeSync, rmSync, statSync, truncateSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** A file of lines. `firstN` is the number of its first line; `bytes` is the length of its whole lines. */
export interface Segment {
  readonly file: string;
  readonly firstN: number;
  bytes: number;
}

export interface Segments {
  /** Oldest first. */
  list(): readonly Segment[];
  /** The number of the newest line on disk; 0 without lines. */
  readonly lastN: number;
  /**
   * Appends whole lines; the first one has the number `firstN`. Rejects when the write fails; then none of them is
   * stored.
   */
  append(lines: Buffer, firstN: number): Promise<void>;
  close(): Promise<void>;
}

export interface SegmentsOptions {
  folder: string;
  segmentBytes: number;
  storedBytes: number;
}

const NAME = /^(\d{16})\.jsonl$/;
/** Longer than any line, bytes. */
const TAIL_BYTES = 256 * 1024;

const fileName = (n: number): string => `${String(n).padStart(16, '0')}.jsonl`;

/** The number of the line at the start of `text`; null where no line begins there. */
export function numberOf(text: string): number | null {
  const match = /^\{"n":(\d+),/.exec(text);
  return match ? Number(match[1]) : null;
}

/** The length of the whole lines in a file, and the number of the last one. A crash may have left a partial line. */
function readEnd(file: string): { bytes: number; lastN: number | null } {
  const { size } = statSync(file);
  const start = Math.max(0, size - TAIL_BYTES);
  const tail = Buffer.alloc(size - start);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, tail, 0, tail.length, start);
  } finally {
    closeSync(handle);
  }
  const end = tail.lastIndexOf(10) + 1;
  const lines = tail.subarray(0, end).toString('utf8').split('\n');
  const lastN = lines.map(numberOf).findLast((n) => n !== null) ?? null;
  return { bytes: end === 0 ? 0 : start + end, lastN };
}

/** Opens the existing files. Throws when the folder can be neither created nor read. */
export function openSegments({ folder, segmentBytes, storedBytes }: SegmentsOptions): Segments {
  mkdirSync(folder, { recursive: true });
  const segments: Segment[] = readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const firstN = NAME.exec(name)?.[1];
      if (firstN === undefined) return [];
      const file = path.join(folder, name);
      return [{ file, firstN: Number(firstN), bytes: statSync(file).size }];
    });
  let lastN = 0;
  const newest = segments.at(-1);
  if (newest) {
    const end = readEnd(newest.file);
    if (end.bytes < newest.bytes) truncateSync(newest.file, end.bytes);
    newest.bytes = end.bytes;
    lastN = end.lastN ?? newest.firstN - 1;
  }
  let current: { segment: Segment; handle: FileHandle } | null = null;
  drop();

  function drop(): void {
    let total = segments.reduce((sum, { bytes }) => sum + bytes, 0);
    while (segments.length > 1 && total > storedBytes) {
      const oldest = segments.shift();
      if (!oldest) return;
      total -= oldest.bytes;
      rmSync(oldest.file, { force: true });
    }
  }

  async function segmentFor(bytes: number, firstN: number): Promise<{ segment: Segment; handle: FileHandle }> {
    const last = segments.at(-1);
    if (last && (last.bytes === 0 || last.bytes + bytes <= segmentBytes)) {
      try {
        current ??= { segment: last, handle: await open(last.file, 'r+') };
        return current;
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') throw error;
        // A person has deleted the file.
        segments.pop();
      }
    }
    await current?.handle.close();
    current = null;
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, fileName(firstN));
    const handle = await open(file, 'w', 0o600);
    const segment: Segment = { file, firstN, bytes: 0 };
    segments.push(segment);
    drop();
    current = { segment, handle };
    return current;
  }

  return {
    list: () => segments,
    get lastN() {
      return lastN;
    },
    async append(lines, firstN) {
      const { segment, handle } = await segmentFor(lines.length, firstN);
      try {
        for (let done = 0; done < lines.length;) {
          const { bytesWritten } = await handle.write(lines, done, lines.length - done, segment.bytes + done);
          done += bytesWritten;
        }
      } catch (error) {
        // A partial write must not look like lines.
        await handle.truncate(segment.bytes).catch(() => undefined);
        await handle.close().catch(() => undefined);
        current = null;
        if (segment.bytes === 0) {
          segments.pop();
          await rm(segment.file, { force: true }).catch(() => undefined);
        }
        throw error;
      }
      segment.bytes += lines.length;
      lastN = Math.max(lastN, numberOf(lines.toString('utf8', lines.lastIndexOf(10, -2) + 1)) ?? lastN);
    },
    async close() {
      await current?.handle.close();
      current = null;
    },
  };
}
