/** Leaves room on the disk for the engine, which ends its jobs in the room that is left. */
import { statfsSync } from 'node:fs';

const MB = 1024 * 1024;
/** At this much free space, the engine still accepts jobs: it refuses them at 32 MB or less. */
const LEAST_BYTES = 64 * MB;
/** The part of a small disk that has to be free instead. */
const LEAST_PART = 1 / 4;

/**
 * Returns whether the disk of a folder has so much free space that the feeds of engines may be recorded. True where the
 * system does not report it.
 */
export function hasDiskRoom(folder: string): boolean {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return bavail * bsize >= Math.min(LEAST_BYTES, blocks * bsize * LEAST_PART);
  } catch {
    // The folder is gone, or its disk does not answer: the write says so.
    return true;
  }
}
