/** Keeps what lies in the data folder from the other users of the machine, on systems with such permissions. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a new file or folder is not given: anything for users other than its owner. */
const PRIVATE_MASK = 0o077;
/** Whatever is in the folders in these is for containers, whose programs run as users of their own. Nobody else reaches it from outside. */
const FOR_CONTAINERS: ReadonlySet<string> = new Set(['volumes', 'pods']);

const hasModes = process.platform !== 'win32';

/** From now on this program, and every program that it starts, makes private files and folders. Answers the mask from before, for workers. */
export const makePrivateFiles = (): number => process.umask(PRIVATE_MASK);

/**
 * Makes the folder, or takes what other users may do with it from one that is there: nothing in it can be reached then. Throws where
 * there is none and none can be made. Answers why it is not private; null where it is.
 */
export function makePrivateFolder(folder: string): string | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!hasModes) return null;
  try {
    const { mode } = statSync(folder);
    if ((mode & PRIVATE_MASK) !== 0) chmodSync(folder, mode & 0o700);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** A file or folder whose permissions could not be changed, and why. */
export interface StillOpen {
  path: string;
  reason: string;
}

/**
 * The same for everything in a private folder, whoever made it, except for what is in volumes. Links are not followed. What cannot be
 * changed is answered; never rejects.
 */
export async function makeContentPrivate(folder: string, signal?: AbortSignal): Promise<StillOpen[]> {
  const open: StillOpen[] = [];
  if (!hasModes) return open;

  async function change(path: string): Promise<'folder' | 'other'> {
    try {
      const facts = await lstat(path);
      if (facts.isSymbolicLink()) return 'other';
      if ((facts.mode & PRIVATE_MASK) !== 0) await chmod(path, facts.mode & 0o700);
      return facts.isDirectory() ? 'folder' : 'other';
    } catch (thrown) {
      // What has gone meanwhile needs nothing.
      const { code, message } = thrown as NodeJS.ErrnoException;
      if (code !== 'ENOENT') open.push({ path, reason: message });
      return 'other';
    }
  }

  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const names = await readdir(at).catch(() => []);
    for (const name of names) {
      if (signal?.aborted) return open;
      const path = join(at, name);
      if ((await change(path)) === 'folder' && !(at === folder && FOR_CONTAINERS.has(name))) folders.push(path);
    }
  }
  return open;
}
