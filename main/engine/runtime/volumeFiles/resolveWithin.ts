/** Walks below a folder, name by name, and never out of it, whatever links lie there or are put there meanwhile. */
import { constants, existsSync, type PathLike, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';

/** A folder that is held open: what its path names stays the same folder, wherever it is moved. */
export interface Folder {
  readonly path: string;
  /** Makes its entries survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Where a path has led: to a name in a folder, or to the folder that the walk began in (name is null). */
export interface Spot {
  readonly folder: Folder;
  readonly name: string | null;
  /** The file's facts; null where there is none. */
  readonly facts: Stats | null;
  readonly path: string;
}

// Not every system has each of them.
const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };
/** Here the entries of an open folder can be named by its handle, so that nobody can change what lies above them. */
const HANDLES = '/proc/self/fd';
const byHandle = process.platform === 'linux' && existsSync(HANDLES);
const MOST_LINKS = 40;
/** Folders held open at once: those of a path, and as many again that links lead through. */
const MOST_HELD = 2 * limits.volumeFiles.depth;

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Rejects where it is no folder, or a link. */
export async function holdFolder(at: PathLike, follow = false): Promise<Folder> {
  if (byHandle) {
    const handle = await open(at, O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));
    return {
      path: `${HANDLES}/${handle.fd}`,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  }
  const facts = await (follow ? stat(at) : lstat(at));
  if (!facts.isDirectory()) throw Object.assign(new Error('It is no folder'), { code: 'ENOTDIR' });
  return { path: at.toString(), sync: async () => undefined, close: async () => undefined };
}

const outside = (name: string): AppError =>
  new AppError('BAD_REQUEST', `${JSON.stringify(name)} is a link that leads out of the volume; it is not opened.`);

/**
 * Leads `use` to the spot that the names tell of, below `root`. Links on the way are followed as long as they stay below it;
 * the last name is followed only with `followLast`. BAD_REQUEST for a link that leads out.
 */
export async function beneath<T>(
  root: string,
  names: readonly string[],
  followLast: boolean,
  use: (spot: Spot) => Promise<T>,
): Promise<T> {
  const folders = [await holdFolder(root, true)];
  const leave = async (count: number): Promise<void> => {
    while (folders.length > count) await folders.pop()!.close();
  };
  /** The target of a link as names below the current folder; an absolute target goes back to the root. */
  async function namesIn(link: string, name: string): Promise<string[]> {
    const target = await readlink(link);
    if (!path.isAbsolute(target)) return target.split(path.sep);
    const below = path.relative(await realpath(root), path.normalize(target));
    if (below.startsWith('..') || path.isAbsolute(below)) throw outside(name);
    await leave(1);
    return below.split(path.sep);
  }
  try {
    const ahead = [...names];
    for (let links = 0; ;) {
      const name = ahead.shift();
      const folder = folders.at(-1)!;
      if (name === undefined)
        return await use({ folder, name: null, facts: await stat(folder.path), path: folder.path });
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (folders.length === 1) throw outside(names.at(-1) ?? name);
        await leave(folders.length - 1);
        continue;
      }
      const at = `${folder.path}/${name}`;
      const facts = await lstat(at).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      const isLast = ahead.length === 0;
      if (facts?.isSymbolicLink() === true && (!isLast || followLast)) {
        if (++links > MOST_LINKS || folders.length > MOST_HELD)
          throw Object.assign(new Error('Too many links'), { code: 'ELOOP' });
        ahead.unshift(...(await namesIn(at, name)));
        continue;
      }
      if (isLast) return await use({ folder, name, facts, path: at });
      folders.push(await holdFolder(at));
    }
  } finally {
    await leave(0);
  }
}
