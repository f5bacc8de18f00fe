/**
 * Grants: a person dropped or picked a file or a folder of this computer, and the desktop host knows its path. The page
 * gets an id for it, never the path, and may upload it by that id.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { GrantedFolder } from '#contract/local/files.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import { createFolderFiles } from '../../../files/files.ts';
import { fileFailure } from '../../../files/pathRules.ts';
import type { OpenedFile } from '../../../files/ports.ts';
import { isBelow, realPath } from './realPath.ts';

/** A granted file, or a file in a granted folder. */
export interface GrantedFile {
  readonly grantId: string;
  /** Below the folder, with "/" between names; '' for a granted file. */
  readonly path: string;
  /** What the page knows of the file. A file with another size or time is refused. */
  readonly sizeBytes: number;
  /** In milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/**
 * `list` and `read` reject with AppError: NOT_FOUND for an unknown grant, FORBIDDEN for what the person may not read and
 * for Hangar's own data, BAD_REQUEST for what is neither a file nor a folder.
 */
export interface FileGrants {
  /** Returns the id of a new grant. Only the newest `limits.page.grants.most` grants are kept. */
  grant(path: string): string;
  /** All files below a granted folder. Symbolic links are not followed. */
  list(grantId: string): Promise<GrantedFolder>;
  /**
   * The bytes of a file. The last ones come after a check that the file was not changed meanwhile; otherwise it rejects
   * with CONFLICT and `sourceChanged` in its details. A grant of one file ends here.
   */
  read(file: GrantedFile): AsyncGenerator<Uint8Array, void, void>;
}

const WORDS = { holder: 'the folder', user: "Hangar's user" };

/** What a person may upload of the data folder: files of volumes and of Pods, and the sample handlers. */
const OF_PERSON = ['volumes', 'pods', 'examples'];

const changed = (cause?: unknown): AppError =>
  new AppError('CONFLICT', 'The file was changed or removed after it was chosen. Choose it again.', {
    details: { sourceChanged: true },
    cause,
  });

/** The times of a page are whole milliseconds. */
const isSame = (file: OpenedFile, { sizeBytes, modifiedAt }: GrantedFile): boolean =>
  file.sizeBytes === sizeBytes && Math.abs(file.modifiedAt - modifiedAt) < 1;

/** Yields `pieces`; the next one is read while the caller uses the one before. */
async function* readAhead<Piece>(pieces: AsyncGenerator<Piece, void, void>): AsyncGenerator<Piece, void, void> {
  const read = (): Promise<IteratorResult<Piece, void>> => {
    const piece = pieces.next();
    // The loop gets the error, unless the caller stopped before.
    piece.catch(() => undefined);
    return piece;
  };
  try {
    for (let next = read(); ;) {
      const piece = await next;
      if (piece.done === true) return;
      next = read();
      yield piece.value;
    }
  } finally {
    await pieces.return();
  }
}

/** Adds the entries of one folder to `content`, and returns the folders in it. */
async function readFolder(folder: string, below: string, content: GrantedFolder): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.length === 0) content.emptyFolders.push(below);
  const placed = entries
    .map((entry) => ({ entry, path: below === '' ? entry.name : `${below}/${entry.name}` }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const files = placed.filter(({ entry }) => entry.isFile());
  const folders = placed.filter(({ entry }) => entry.isDirectory());
  content.leftOut += entries.length - files.length - folders.length;
  const facts = await Promise.all(files.map(({ entry }) => lstat(join(folder, entry.name)).catch(() => null)));
  files.forEach(({ path }, at) => {
    // Null: the file was removed meanwhile. The page has whole milliseconds of a single file, too.
    const file = facts[at];
    if (file) content.files.push({ path, sizeBytes: file.size, modifiedAt: Math.floor(file.mtimeMs) });
  });
  return folders.map(({ path }) => path);
}

/** `dataDir`: the folder with Hangar's data. */
export function createFileGrants({ dataDir }: { dataDir: string }): FileGrants {
  const grants = new Map<string, string>();
  const files = createFolderFiles({ words: WORDS });

  /** The real path of what was granted. */
  async function pathOf(grantId: string): Promise<string> {
    const path = grants.get(grantId);
    if (path === undefined) throw new AppError('NOT_FOUND', 'The choice of this file is too old. Choose it again.');
    try {
      return await realpath(path);
    } catch (error) {
      throw systemCode(error) === 'ENOENT' ? changed(error) : fileFailure(error, basename(path), WORDS);
    }
  }

  /** `path` is a real path. */
  async function refuseOwnData(path: string): Promise<void> {
    const data = await realPath(dataDir);
    if (!isBelow(path, data) || OF_PERSON.some((name) => isBelow(path, join(data, name)))) return;
    throw new AppError(
      'FORBIDDEN',
      `${basename(path)} is in the folder of Hangar's own data and is not uploaded. Settings › Storage exports the data.`,
    );
  }

  async function open({ grantId, path }: GrantedFile): Promise<OpenedFile> {
    const granted = await pathOf(grantId);
    const [root, below] = path === '' ? [dirname(granted), basename(granted)] : [granted, path];
    await refuseOwnData(await realPath(join(root, below)));
    try {
      return await files.open(root, below);
    } catch (error) {
      throw error instanceof AppError && error.code === 'NOT_FOUND' ? changed(error) : error;
    }
  }

  async function isUnchanged(granted: GrantedFile): Promise<boolean> {
    const file = await open(granted);
    await file.close();
    return isSame(file, granted);
  }

  async function* read(granted: GrantedFile): AsyncGenerator<Uint8Array, void, void> {
    const file = await open(granted);
    try {
      if (!isSame(file, granted)) throw changed();
      let last: Uint8Array | null = null;
      for await (const piece of file.read(0, granted.sizeBytes)) {
        if (last !== null) yield last;
        last = piece;
      }
      if (!(await isUnchanged(granted))) throw changed();
      if (last !== null) yield last;
    } catch (error) {
      if (error instanceof AppError) throw error;
      // Without a code of the system, the file became shorter.
      throw systemCode(error) === undefined ? changed(error) : fileFailure(error, granted.path, WORDS);
    } finally {
      await file.close();
      if (granted.path === '') grants.delete(granted.grantId);
    }
  }

  return {
    grant(path) {
      if (!isAbsolute(path)) throw new AppError('BAD_REQUEST', 'A file is granted by its whole path.');
      const grantId = randomUUID();
      grants.set(grantId, path);
      const [oldest] = grants.keys();
      if (grants.size > limits.page.grants.most && oldest !== undefined) grants.delete(oldest);
      return grantId;
    },

    async list(grantId) {
      const root = await pathOf(grantId);
      await refuseOwnData(root);
      const data = await realPath(dataDir);
      const content: GrantedFolder = { files: [], emptyFolders: [], unread: [], leftOut: 0 };
      const { files: most } = limits.page.grants;
      for (const ahead = ['']; ;) {
        const below = ahead.pop();
        if (below === undefined) break;
        const folder = join(root, below);
        if (folder === data) {
          content.leftOut += 1;
          continue;
        }
        try {
          ahead.push(...(await readFolder(folder, below, content)).toReversed());
        } catch (error) {
          if (below === '') throw fileFailure(error, basename(root), WORDS);
          content.unread.push(below);
        }
        if (content.files.length > most) {
          throw new AppError(
            'TOO_LARGE',
            `The folder has more than ${most} files. Drop its folders one after another.`,
          );
        }
      }
      return content;
    },

    read: (file) => readAhead(read(file)),
  };
}
