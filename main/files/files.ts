/** Lists, reads, writes, moves and deletes files below a folder, such as that of a volume, and never outside of it. */
import { chmod, lstat, mkdir, rmdir, statfs, unlink } from 'node:fs/promises';
import { AppError } from '#contract/core/errors.ts';
import type { FileSystem } from './ports.ts';
import { openFile } from './fileReading.ts';
import { createFileWriter, moveTo } from './fileWriting.ts';
import { listFolder, toFile } from './listing.ts';
import { beneath, holdFolder, type NamedSpot, type Spot } from './resolveWithin.ts';
import { removeFolder } from './removeTree.ts';
import { fileError, fileFailure, namesOf, VOLUME_WORDS, type FileWords } from './pathRules.ts';

const missing = (): Error => fileError('ENOENT', 'There is nothing there');

export interface FolderFilesOptions {
  /** The permissions that new files and folders do not get. */
  mask?: number | undefined;
  words?: FileWords;
  /**
   * How long a part of a file stays that this program does not write, in milliseconds since its last change. Other
   * programs of Hangar may write into the same folder; without it, none does.
   */
  foreignPartMs?: number;
}

export function createFolderFiles({
  mask = 0o022,
  words = VOLUME_WORDS,
  foreignPartMs = 0,
}: FolderFilesOptions = {}): FileSystem {
  const writer = createFileWriter();

  /** Calls `use` with the spot of `path` in `root`. Rejects with an AppError about the path. */
  async function at<T>(root: string, path: string, follow: boolean, use: (spot: Spot) => Promise<T>): Promise<T> {
    try {
      return await beneath(root, namesOf(path), follow, use);
    } catch (error) {
      throw fileFailure(error, path, words);
    }
  }

  /** As `at`, but rejects where the path leads to the root itself. */
  function below<T>(root: string, path: string, follow: boolean, use: (spot: NamedSpot) => Promise<T>): Promise<T> {
    return at(root, path, follow, ({ name, ...spot }) => {
      if (path === '') {
        throw new AppError('BAD_REQUEST', `The path names ${words.holder} itself; name a file or a folder in it.`);
      }
      // A link leads back to the root.
      if (name === null) throw fileError('EISDIR', 'It is a folder');
      return use({ name, ...spot });
    });
  }

  /** Whether a part may still be written. */
  async function isWritten(part: string, partPath: string): Promise<boolean> {
    if (writer.isWriting(part)) return true;
    if (foreignPartMs === 0) return false;
    return Date.now() - (await lstat(partPath)).mtimeMs < foreignPartMs;
  }

  return {
    list: (root, path) =>
      at(root, path, true, async (spot) => {
        const { facts } = spot;
        if (facts === null) throw missing();
        if (spot.name === null) return listFolder({ root, path, openPath: spot.path, facts }, isWritten);
        const folder = await holdFolder(spot.path);
        try {
          return await listFolder({ root, path, openPath: folder.path, facts }, isWritten);
        } finally {
          await folder.close();
        }
      }),

    open: (root, path) =>
      below(root, path, true, async (spot) => {
        if (spot.facts === null) throw missing();
        return openFile(path, spot.path, spot.facts);
      }),

    write: (root, path, body, { mayReplace, lengthBytes }) =>
      below(root, path, true, async (spot) => {
        const { facts } = spot;
        if (facts !== null && !mayReplace) throw fileError('EEXIST', 'It is there');
        if (facts !== null && !facts.isFile()) {
          throw new AppError('CONFLICT', `${JSON.stringify(path)} is no file, and cannot be replaced by one.`);
        }
        const { bavail, bsize } = await statfs(spot.folder.path);
        const full = lengthBytes !== null && lengthBytes > bavail * bsize;
        if (full) throw fileError('ENOSPC', 'There is no room for that');
        const mode = facts === null ? 0o666 & ~mask : facts.mode & 0o777;
        return writer.write(spot, mode, body, mayReplace);
      }),

    remove: (root, path, onlyEmpty) =>
      below(root, path, false, async ({ facts, path: there }) => {
        if (facts === null) throw missing();
        if (!facts.isDirectory()) return unlink(there);
        return onlyEmpty ? rmdir(there) : removeFolder(there);
      }),

    makeFolder: (root, path) =>
      below(root, path, false, async ({ folder, name, path: there }) => {
        await mkdir(there);
        await chmod(there, 0o777 & ~mask);
        await folder.sync();
        return toFile(name, await lstat(there));
      }),

    move: (root, from, to) =>
      below(root, from, false, (source) => {
        if (source.facts === null) throw missing();
        const isFile = source.facts.isFile();
        return below(root, to, false, async (target) => {
          if (target.facts !== null) throw fileError('EEXIST', 'It is there');
          await moveTo(source.path, target.path, isFile);
          await Promise.all([source.folder.sync(), target.folder.sync()]);
          return toFile(target.name, await lstat(target.path));
        });
      }),
  };
}
