/** How much of the disk a folder takes. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderSize {
  /** The blocks that its files take, bytes. */
  bytes: number;
  /** False if something could not be read, or `signal` ended the count. */
  isWhole: boolean;
}

/** Files whose sizes are asked for at the same time. */
const AT_ONCE = 64;
/** The unit of `blocks`, bytes. */
const BLOCK_BYTES = 512;

/**
 * Counts a file, or a folder with all below it; links are not followed. Nothing there: 0 bytes. `signal` ends the count
 * early, with what was counted until then. A file with two names counts twice.
 */
export async function folderSize(path: string, signal: AbortSignal): Promise<FolderSize> {
  const size: FolderSize = { bytes: 0, isWhole: true };
  const missed = (error: unknown): null => {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isGone) size.isWhole = false;
    return null;
  };
  const count = async (file: string): Promise<void> => {
    const facts = await lstat(file).catch(missed);
    // Windows does not tell the blocks of a file.
    size.bytes += facts === null ? 0 : facts.blocks === undefined ? facts.size : facts.blocks * BLOCK_BYTES;
  };
  const top = await lstat(path).catch(missed);
  if (top === null) return size;
  if (!top.isDirectory()) {
    await count(path);
    return size;
  }
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = (await readdir(folder, { withFileTypes: true }).catch(missed)) ?? [];
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(folder, entry.name));
    const files = entries.filter((entry) => entry.isFile());
    for (let first = 0; first < files.length; first += AT_ONCE) {
      if (signal.aborted) return { ...size, isWhole: false };
      const path = folder;
      await Promise.all(files.slice(first, first + AT_ONCE).map(({ name }) => count(join(path, name))));
    }
    if (signal.aborted && folders.length > 0) return { ...size, isWhole: false };
  }
  return size;
}
