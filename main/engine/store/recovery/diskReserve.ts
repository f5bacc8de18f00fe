/**
 * Keeps room for the ends of jobs, however small the disk is. Three states: there is room; little is left, so that new jobs are refused;
 * the disk is full, so that a file that took up room for this goes, and jobs can still end and be removed.
 */
import { randomFillSync } from 'node:crypto';
import { statSync, unlinkSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../domain/core/ports.ts';

const MB = 1024 * 1024;
/** The largest that fits is made. */
const RESERVES_BYTES = [32, 16, 8, 4, 2, 1].map((size) => size * MB);
const SMALLEST_BYTES = RESERVES_BYTES.at(-1)!;
/** The reserve is made only where this many times its size is free. */
const ROOM_FACTOR = 4;
/** A start has better things to do at first. */
const FILL_AFTER_MS = 2000;
const LOOK_AGAIN_MS = 1000;
/** Room that must be there besides the reserve before new jobs are accepted again. */
const MARGIN_BYTES = 4 * MB;
const PART_BYTES = MB;

export interface DiskFacts {
  /** Free for this program; null where the system does not tell. */
  freeBytes: number | null;
  /** New jobs are refused until there is room again. */
  full: boolean;
  /** What is kept free for ending jobs when the disk is full. */
  reserveBytes: number;
}

export interface DiskReserve {
  readonly full: boolean;
  /** Something was written: now and then it is looked whether there is still room for new jobs. Called often: cheap. */
  noteWrite(): void;
  /** Frees the reserve; from now on the disk is looked at until there is room again. */
  noteFull(): void;
  facts(): Promise<DiskFacts>;
  stop(): Promise<void>;
}

export function createDiskReserve(dataDir: string, logger: Logger): DiskReserve {
  const file = join(dataDir, 'disk-reserve');
  let full = false;
  /** Little is left, and the reserve is still there. */
  let low = false;
  let checkedAt = -Infinity;
  let checking = false;
  let stopped = false;
  /** How large the file is, and how large it was before it was freed. */
  let reserveBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let formerBytes = reserveBytes;
  let filling: Promise<void> | null = null;
  /** The file being written is no longer wanted. */
  let abandoned = false;
  let timer: NodeJS.Timeout | null = setTimeout(() => void fillFirst(), FILL_AFTER_MS);

  async function free(): Promise<number | null> {
    try {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    } catch {
      return null;
    }
  }

  /** Answers whether the file was written whole. */
  async function write(bytes: number): Promise<boolean> {
    // Not zeros: a file system may keep those without taking up room.
    const part = randomFillSync(Buffer.allocUnsafe(PART_BYTES));
    const handle = await open(file, 'w', 0o600);
    try {
      for (let at = 0; at < bytes; at += PART_BYTES) {
        if (abandoned) return false;
        await handle.write(part, 0, PART_BYTES, at);
      }
      return !abandoned;
    } finally {
      await handle.close();
    }
  }

  async function make(bytes: number): Promise<void> {
    abandoned = false;
    try {
      if (await write(bytes)) {
        reserveBytes = formerBytes = bytes;
        return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'no room could be reserved for when the disk is full');
    }
    drop();
  }

  function fill(bytes: number): Promise<void> {
    filling ??= make(bytes).finally(() => {
      filling = null;
    });
    return filling;
  }

  async function fillFirst(): Promise<void> {
    timer = null;
    const freeBytes = await free();
    if (freeBytes === null || stopped || full) return;
    const bytes = RESERVES_BYTES.find((fitting) => freeBytes + reserveBytes >= fitting * ROOM_FACTOR);
    if (bytes !== undefined && reserveBytes !== bytes) await fill(bytes);
  }

  function drop(): boolean {
    reserveBytes = 0;
    try {
      unlinkSync(file);
      return true;
    } catch {
      // There was none.
      return false;
    }
  }

  /** So much must be free besides the reserve for new jobs: the ends of those that were accepted take up room as well. */
  const leastBytes = (): number => Math.max(SMALLEST_BYTES, formerBytes);
  /** On a small disk a margin of the usual size would be most of it. */
  const marginBytes = (): number => Math.min(MARGIN_BYTES, leastBytes());

  async function checkFreeSpace(): Promise<void> {
    checking = true;
    const freeBytes = await free();
    checking = false;
    checkedAt = performance.now();
    if (stopped || full || low || freeBytes === null || freeBytes >= leastBytes()) return;
    low = true;
    logger.error({ freeBytes }, 'little room is left on the disk: new jobs are refused until there is more');
    if (timer === null) watch();
  }

  function watch(): void {
    timer = stopped ? null : setTimeout(() => void poll(), LOOK_AGAIN_MS);
  }

  /** What was freed must be there again, and some room besides. */
  async function poll(): Promise<void> {
    timer = null;
    const freeBytes = await free();
    if (stopped) return;
    if (freeBytes !== null && freeBytes < leastBytes() + marginBytes()) {
      watch();
      return;
    }
    if (full && formerBytes > 0) await fill(formerBytes);
    full = false;
    low = false;
    logger.info({ freeBytes }, 'there is room on the disk again: new jobs are accepted');
    // After a start on a full disk there was none to bring back.
    if (formerBytes === 0) await fillFirst();
  }

  return {
    get full() {
      return full || low;
    },
    noteWrite() {
      if (full || low || checking || stopped || performance.now() - checkedAt < LOOK_AGAIN_MS) return;
      void checkFreeSpace();
    },
    noteFull() {
      if (full) return;
      full = true;
      abandoned = true;
      const freed = drop();
      logger.error({ freed }, 'the disk is full: new jobs are refused until there is room again');
      if (timer) clearTimeout(timer);
      watch();
    },
    facts: async () => ({ freeBytes: await free(), full: full || low, reserveBytes }),
    async stop() {
      stopped = true;
      abandoned = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await filling;
    },
  };
}
