/**
 * Reserves disk space for the ends of jobs, on disks of any size. Three states:
 *
 * - There is room: all writes are accepted.
 * - Little room is left: new jobs are refused.
 * - The disk is full: the reserve file is removed, so that jobs can still end and be removed.
 */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../domain/core/ports.ts';
import { createReserveFile } from './reserveFile.ts';

const MB = 1024 * 1024;
/** The possible sizes of the reserve. The largest one that fits is used. */
const RESERVES_BYTES = [32, 16, 8, 4, 2, 1].map((size) => size * MB);
const SMALLEST_BYTES = Math.min(...RESERVES_BYTES);
/** The reserve is created only when this many times its size is free. */
const ROOM_FACTOR = 4;
/** The delay of the reserve after a start, which has more urgent work. */
const FILL_AFTER_MS = 2000;
const LOOK_AGAIN_MS = 1000;
/**
 * The assumed highest rate at which a disk fills, bytes per millisecond. The less is free, the sooner the next check
 * comes.
 */
const FILLED_PER_MS = MB / 2;
const SOONEST_MS = 10;
/** The space besides the reserve that must be free before new jobs are accepted again. */
const MARGIN_BYTES = 4 * MB;

export interface DiskFacts {
  /** Free space for this program, bytes; null where the system does not report it. */
  freeBytes: number | null;
  /** Whether new jobs are refused. */
  full: boolean;
  /** The size of the reserve, bytes. */
  reserveBytes: number;
}

export interface DiskReserve {
  readonly full: boolean;
  /**
   * Called after each write: must be cheap. Checks once a second whether there is room for new jobs, sooner where
   * little is left.
   */
  noteWrite(): void;
  /** Frees the reserve, then polls the disk until there is room again. */
  noteFull(): void;
  facts(): Promise<DiskFacts>;
  stop(): Promise<void>;
}

/** How long a check whether at least `leastBytes` are free stays true, milliseconds. */
export const validMs = (freeBytes: number, leastBytes: number): number =>
  Math.min(LOOK_AGAIN_MS, Math.max(SOONEST_MS, (freeBytes - leastBytes) / FILLED_PER_MS));

export function createDiskReserve(dataDir: string, logger: Logger): DiskReserve {
  const reserve = createReserveFile(join(dataDir, 'disk-reserve'), logger);
  let full = false;
  /** Little room is left, but the reserve exists. */
  let low = false;
  let checkAt = -Infinity;
  let checking = false;
  let stopped = false;
  /** Whether a failed read of the free space was logged. */
  let isLogged = false;
  let timer: NodeJS.Timeout | null = setTimeout(() => void fillFirst(), FILL_AFTER_MS);

  async function free(): Promise<number | null> {
    try {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    } catch (error) {
      if (!isLogged) logger.warn({ err: error }, 'the free space of the disk could not be read');
      isLogged = true;
      return null;
    }
  }

  async function fillFirst(): Promise<void> {
    timer = null;
    const freeBytes = await free();
    if (freeBytes === null || stopped || full) return;
    const bytes = RESERVES_BYTES.find((fitting) => freeBytes + reserve.bytes >= fitting * ROOM_FACTOR);
    if (bytes !== undefined && reserve.bytes !== bytes) await reserve.fill(bytes);
  }

  /** New jobs require this much space besides the reserve, because the ends of accepted jobs need space as well. */
  const leastBytes = (): number => Math.max(SMALLEST_BYTES, reserve.fullBytes);
  /** A small disk gets a smaller margin, because the usual one would be most of the disk. */
  const marginBytes = (): number => Math.min(MARGIN_BYTES, leastBytes());

  async function checkFreeSpace(): Promise<void> {
    checking = true;
    const freeBytes = await free();
    checking = false;
    checkAt = performance.now() + (freeBytes === null ? LOOK_AGAIN_MS : validMs(freeBytes, leastBytes()));
    if (stopped || full || low || freeBytes === null || freeBytes >= leastBytes()) return;
    low = true;
    logger.error({ freeBytes }, 'little room is left on the disk: new jobs are refused until there is more');
    if (timer === null) watch();
  }

  function watch(): void {
    timer = stopped ? null : setTimeout(() => void poll(), LOOK_AGAIN_MS);
  }

  /** Accepts new jobs again once there is space for the reserve and a margin. */
  async function poll(): Promise<void> {
    timer = null;
    const freeBytes = await free();
    if (stopped) return;
    if (freeBytes !== null && freeBytes < leastBytes() + marginBytes()) {
      watch();
      return;
    }
    if (full && reserve.fullBytes > 0) await reserve.fill(reserve.fullBytes);
    full = false;
    low = false;
    logger.info({ freeBytes }, 'there is room on the disk again: new jobs are accepted');
    // The disk was full at the start, so the size of the reserve is not chosen yet.
    if (reserve.fullBytes === 0) await fillFirst();
  }

  return {
    get full() {
      return full || low;
    },
    noteWrite() {
      if (full || low || checking || stopped || performance.now() < checkAt) return;
      void checkFreeSpace();
    },
    noteFull() {
      if (full) return;
      full = true;
      const freed = reserve.drop();
      logger.error({ freed }, 'the disk is full: new jobs are refused until there is room again');
      if (timer) clearTimeout(timer);
      watch();
    },
    facts: async () => ({ freeBytes: await free(), full: full || low, reserveBytes: reserve.bytes }),
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await reserve.stop();
    },
  };
}
