/** Protects the data folder from other users of the machine, on systems with such permissions. */
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '#contract/core/errors.ts';
import { errorCode } from './systemError.ts';

/** The umask of new files and folders: no permissions for other users. */
const PRIVATE_MASK = 0o077;
/** Folders with content of containers, whose programs run as other users. Their parent folder is private. */
const FOR_CONTAINERS: ReadonlySet<string> = new Set(['volumes', 'pods']);

const hasModes = process.platform !== 'win32';

/**
 * Makes all files and folders private that this program and its children create from now on. Returns the earlier umask,
 * for workers.
 */
export const makePrivateFiles = (): number => process.umask(PRIVATE_MASK);

/** The folder is not writable; the message says why and what to do. */
export class FolderUnusableError extends Error {
  override readonly name = 'FolderUnusableError';
}

/** Causes and what to do, by error code, for a person. */
const reasons: Readonly<Record<string, string>> = {
  EROFS: 'its disk is read-only. Make the disk writable, or name another folder.',
  EACCES: 'this user may not write there. Change the permissions of the folder, or name another folder.',
  EPERM: 'this user may not write there. Change the permissions of the folder, or name another folder.',
  ENOTDIR: 'a file is in the way. Remove that, or name another folder.',
  EEXIST: 'a file is in the way. Remove that, or name another folder.',
  ENOSPC: 'the disk is full. Free some space, or name another folder.',
  EDQUOT: 'this user has used all the space that is allowed. Free some, or name another folder.',
  ENOENT: 'the system keeps no files there. Name a folder on a disk.',
  EINVAL: 'the system keeps no files there. Name a folder on a disk.',
  ENAMETOOLONG: 'its name is too long. Name another folder.',
  ELOOP: 'a link in its path leads back to itself. Remove that, or name another folder.',
  EIO: 'the disk reports an error. Check the disk, or name another folder.',
};

/** Creates the folders one by one: on a read-only disk, the recursive call of Node reports a missing folder. */
function makeMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    if (errorCode(thrown) !== 'ENOENT' || dirname(folder) === folder) throw thrown;
    makeMissing(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

function requireWritable(folder: string): void {
  try {
    makeMissing(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = reasons[errorCode(cause) ?? ''] ?? `${messageOf(cause)}. Make it writable, or name another folder.`;
    throw new FolderUnusableError(`The folder ${folder} cannot be written: ${reason}`, { cause });
  }
}

/**
 * Creates the folder, or removes the permissions of other users from an existing one, which protects its whole content.
 * Throws FolderUnusableError if it is not writable. Returns why it is not private; null if it is.
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

/**
 * Removes the permissions of other users from the files that lie in the folder itself, such as databases: SQLite gives
 * its log the permissions of the database. `makeContentPrivate` reports the files for which that fails.
 */
export function makeFilesPrivate(folder: string): void {
  if (!hasModes) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    try {
      const { mode } = statSync(path);
      if ((mode & PRIVATE_MASK) !== 0) chmodSync(path, mode & 0o700);
    } catch {
      // The file was removed in the meantime, or belongs to somebody else.
    }
  }
}

/** A file or folder whose permissions could not be changed, or a folder that could not be listed, with the reason. */
export interface StillOpen {
  path: string;
  reason: string;
}

/**
 * Removes the permissions of other users from the content of a private folder, except for volumes. Links are not
 * followed. Returns the files and folders that failed; never rejects.
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
      // The file was removed in the meantime.
      if (errorCode(thrown) !== 'ENOENT') open.push({ path, reason: messageOf(thrown) });
      return 'other';
    }
  }

  async function list(path: string): Promise<string[]> {
    try {
      return await readdir(path);
    } catch (thrown) {
      if (errorCode(thrown) !== 'ENOENT') open.push({ path, reason: messageOf(thrown) });
      return [];
    }
  }

  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const name of await list(at)) {
      if (signal?.aborted) return open;
      const path = join(at, name);
      if ((await change(path)) === 'folder' && !(at === folder && FOR_CONTAINERS.has(name))) folders.push(path);
    }
  }
  return open;
}
