/** The sizes of files and folders, counted step by step, so that nothing waits for a huge folder. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../platform/systemError.ts';

export interface Amount {
  bytes: number;
  files: number;
  /** False if something could not be read. */
  isWhole: boolean;
}

/** Files whose sizes are asked for at the same time. */
const AT_ONCE = 64;

async function sizeOf(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.size ?? 0;
}

/**
 * Yields the amount so far after each folder, and at the end. Follows no links; entries that disappear meanwhile count
 * nothing. A file with two names counts twice.
 */
export async function* measure(path: string, signal: AbortSignal): AsyncGenerator<Amount, void, void> {
  const total: Amount = { bytes: 0, files: 0, isWhole: true };
  const facts = await lstat(path).catch(() => null);
  if (facts !== null && !facts.isDirectory()) {
    yield { bytes: facts.isFile() ? facts.size : 0, files: 1, isWhole: true };
    return;
  }
  const folders = facts === null ? [] : [path];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(at, { withFileTypes: true }).catch((thrown: unknown) => {
      if (errorCode(thrown) !== 'ENOENT') total.isWhole = false;
      return [];
    });
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(at, entry.name));
    const files = entries.filter((entry) => entry.isFile());
    for (let first = 0; first < files.length; first += AT_ONCE) {
      signal.throwIfAborted();
      const sizes = await Promise.all(files.slice(first, first + AT_ONCE).map(({ name }) => sizeOf(join(at, name))));
      for (const size of sizes) total.bytes += size;
      total.files += sizes.length;
      yield { ...total };
    }
  }
  yield total;
}
