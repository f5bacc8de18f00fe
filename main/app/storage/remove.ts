/** Removes every file and folder that Hangar made on this computer, after everything else has stopped. */
import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '#contract/core/errors.ts';
import type { Place } from '#contract/bridge/data/places.ts';
import { isOurs } from './contents.ts';
import { holdFolder } from './holdFolder.ts';

export interface Removed {
  removed: string[];
  /** What is left, each with the reason. */
  left: string[];
}

/**
 * `places`: all places, of which those with a path are removed. Entries of the data folder that Hangar does not make
 * stay. Rejects with CONFLICT if a Hangar uses the data folder.
 */
export async function removeFiles(dataDir: string, places: readonly Place[]): Promise<Removed> {
  const result: Removed = { removed: [], left: [] };
  const drop = async (path: string): Promise<void> => {
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      result.removed.push(path);
    } catch (thrown) {
      result.left.push(`${path}: ${messageOf(thrown)}`);
    }
  };
  if (existsSync(dataDir)) {
    await holdFolder(dataDir, 'it removes all data');
    for (const name of await readdir(dataDir)) {
      const path = join(dataDir, name);
      if (isOurs(name)) await drop(path);
      else result.left.push(`${path}: Hangar did not make it`);
    }
    await rmdir(dataDir).catch(() => undefined);
    if (!existsSync(dataDir)) result.removed.push(dataDir);
  }
  for (const { path, isPath, isInside, leaves } of places) {
    if (!isPath || isInside) continue;
    if (leaves === null) await drop(path);
    else result.left.push(`${path}: ${leaves}`);
  }
  return result;
}
