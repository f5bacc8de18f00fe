/** Keeps what lies in the data folder from the other users of the machine, on systems with such permissions. */
import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a new file or folder is not given: anything for users other than its owner. */
const PRIVATE_MASK = 0o077;
/** Whatever is in the folders in these is for containers, whose programs run as users of their own. Nobody else reaches it from outside. */
const FOR_CONTAINERS: ReadonlySet<string> = new Set(['volumes', 'pods']);

const hasModes = process.platform !== 'win32';

/** From now on this program, and every program that it starts, makes private files and folders. Answers the mask from before, for workers. */
export const makePrivateFiles = (): number => process.umask(PRIVATE_MASK);

/** Nothing can be written in a folder; the message says why and what to do. */
export class FolderUnusableError extends Error {
  override readonly name = 'FolderUnusableError';
}

/** What the system says, for a person. */
const reasons: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only. Make the disk writable',
  EACCES: 'this user may not write there. Change the permissions of the folder',
  EPERM: 'this user may not write there. Change the permissions of the folder',
  ENOTDIR: 'a file is in the way. Remove that',
  EEXIST: 'a file is in the way. Remove that',
  ENOSPC: 'the disk is full. Free some space',
};

/** Step by step: the system's own way to make all of them says of a read-only disk that there is no such folder. */
function makeMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw thrown;
    makeMissing(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

function requireWritable(folder: string): void {
  try {
    makeMissing(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    const reason = reasons[code] ?? `${message}. Make it writable`;
    throw new FolderUnusableError(`The folder ${folder} cannot be written: ${reason}, or name another folder.`, {
      cause,
    });
  }
}

/**
 * Makes the folder, or takes what other users may do with it from one that is there: nothing in it can be reached then. Throws
 * FolderUnusableError where it cannot be written. Answers why it is not private; null where it is.
 */
export function makePrivateFolder(folder: string): string | null {
  requireWritable(folder);
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
