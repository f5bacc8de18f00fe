/** Resolves paths inside of a folder, name by name. No link leads outside, even if it is created during the resolution. */
import { constants, existsSync, type PathLike, type Stats } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '#contract/core/limits.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import { fileError } from './pathRules.ts';

/** An open folder. Its path means the same folder, even after the folder is moved. */
export interface Folder {
  readonly path: string;
  /** Makes its entries durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The result of a resolution: a name in a folder, or the start folder itself (name is null). */
export interface Spot {
  readonly folder: Folder;
  readonly name: string | null;
  /** The facts of the entry; null where it does not exist. */
  readonly facts: Stats | null;
  readonly path: string;
}

/** A spot other than the start folder. */
export type NamedSpot = Spot & { readonly name: string };

// Some systems lack these flags.
const optionalFlags: Partial<typeof constants> = constants;
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = optionalFlags;
/** Linux addresses the entries of an open folder by its handle, so that a changed parent folder has no effect. */
const HANDLES = '/proc/self/fd';
const byHandle = process.platform === 'linux' && existsSync(HANDLES);
const MOST_LINKS = 40;
/** The maximum number of open folders: those of a path, and as many again for links. */
const MOST_HELD = 2 * limits.volumeFiles.depth;

export const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT';

/** Opens a folder. Rejects where `at` is no folder; without `follow`, also for a link. */
export async function holdFolder(at: PathLike, follow = false): Promise<Folder> {
  if (byHandle) {
    const handle = await open(at, constants.O_RDONLY | O_DIRECTORY | (follow ? 0 : O_NOFOLLOW));
    return {
      path: `${HANDLES}/${handle.fd}`,
      sync: () => handle.sync(),
      close: () => handle.close(),
    };
  }
  const facts = await (follow ? stat(at) : lstat(at));
  if (!facts.isDirectory()) throw fileError('ENOTDIR', 'It is not a folder');
  return { path: at.toString(), sync: async () => undefined, close: async () => undefined };
}

const outside = (name: string): Error => fileError('EOUTSIDE', `${name} leads out`);

/**
 * Resolves the names inside of `root` and calls `use` with the spot. Links are followed as long as they stay inside; the last name
 * is followed only with `followLast`. Rejects with EOUTSIDE for a link that leads outside.
 */
export async function beneath<T>(
  root: string,
  names: readonly string[],
  followLast: boolean,
  use: (spot: Spot) => Promise<T>,
): Promise<T> {
  const top = await holdFolder(root, true);
  /** The open folders below the top one, each inside of the previous one. */
  const folders: Folder[] = [];
  const leave = async (count: number): Promise<void> => {
    while (folders.length > count) await folders.pop()?.close();
  };
  /** The target of a link as names below the current folder. An absolute target starts at the root again. */
  async function namesIn(link: string, name: string): Promise<string[]> {
    const target = await readlink(link);
    if (!path.isAbsolute(target)) return target.split(path.sep);
    const below = path.relative(await realpath(root), path.normalize(target));
    if (below.startsWith('..') || path.isAbsolute(below)) throw outside(name);
    await leave(0);
    return below.split(path.sep);
  }
  try {
    const ahead = [...names];
    for (let links = 0; ;) {
      const name = ahead.shift();
      const folder = folders.at(-1) ?? top;
      if (name === undefined)
        return await use({ folder, name: null, facts: await stat(folder.path), path: folder.path });
      if (name === '' || name === '.') continue;
      if (name === '..') {
        if (folders.length === 0) throw outside(names.at(-1) ?? name);
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
        if (++links > MOST_LINKS || folders.length >= MOST_HELD) throw fileError('ELOOP', 'Too many links');
        ahead.unshift(...(await namesIn(at, name)));
        continue;
      }
      if (isLast) return await use({ folder, name, facts, path: at });
      folders.push(await holdFolder(at));
    }
  } finally {
    await leave(0);
    await top.close();
  }
}
