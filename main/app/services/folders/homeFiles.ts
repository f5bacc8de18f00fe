/** The files of this computer: those in the home folder of the person, apart from Hangar's own data except its samples. */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { createFolderFiles } from '../../../files/files.ts';
import { createFolderWatcher } from '../../../files/folderWatch.ts';
import type { FolderListener } from '../../../files/ports.ts';
import { piecesUntil } from '../../../files/piecesUntil.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FolderFiles } from '../../platform/folders/folderFiles.ts';
import { isBelow, realPath } from './realPath.ts';

/** A file to write. `lengthBytes`: what `body` must have. `signal`: breaks it off, and nothing of it stays. */
interface NewFile {
  readonly body: AsyncIterable<Uint8Array>;
  readonly lengthBytes: number;
  readonly replaces: boolean;
  readonly signal: AbortSignal;
}

/**
 * Paths begin in the home folder. All calls reject with AppError: NOT_FOUND, CONFLICT where a file or folder exists
 * already or holds Hangar's data, FORBIDDEN, STORAGE_FULL, UNSUPPORTED where the files are not accessible.
 */
export interface HomeFiles extends FolderFiles {
  /** The home folder, and why its files are not accessible, as a sentence for a person; null if they are. */
  readonly place: { readonly folder: string; readonly problem: string | null };
  /** Writes the whole file or nothing. */
  write(path: string, file: NewFile): Promise<void>;
  /** As `FolderWatcher` has it, from the home folder on. */
  watch(path: string, listener: FolderListener): Promise<() => void>;
}

/** A program of Hangar that still writes a part changes it at least this often. */
const FOREIGN_PART_MS = 60 * 60 * 1000;

/**
 * The pieces of `body`, until `signal` aborts. Rejects with the reason of that, and if they are not `lengthBytes`
 * bytes.
 */
async function* whole({ body, lengthBytes, signal }: NewFile): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const piece of piecesUntil(signal, body)) {
    bytes += piece.length;
    yield piece;
  }
  if (bytes !== lengthBytes) throw new AppError('BAD_REQUEST', 'The file was not sent to its end.');
}

/** In Hangar's data, the folder of the sample handlers: code of the person, to be read and changed. */
const SAMPLES = 'examples';

const NOT_ALLOWED =
  'Files of this computer are turned off by the flag --no-shell, because a changed file could make programs run.';

export interface HomeFilesOptions {
  /** The folder with Hangar's data, which is neither shown nor changed, except the code of its sample endpoints. */
  readonly dataDir: string;
  readonly home?: string;
  readonly clock: Pick<Clock, 'after'>;
  /** Whether shells of this computer are allowed: who writes its files can start programs, too. */
  readonly allowsHostShell: boolean;
}

export function createHomeFiles({ dataDir, home = homedir(), clock, allowsHostShell }: HomeFilesOptions): HomeFiles {
  const words = { holder: 'your home folder', user: "Hangar's user" };
  const files = createFolderFiles({ words, foreignPartMs: FOREIGN_PART_MS });
  const watcher = createFolderWatcher({ clock, words });

  const problem = allowsHostShell ? null : NOT_ALLOWED;

  /** Refuses what is in Hangar's data, and everything if nothing is allowed. */
  async function check(path: string): Promise<void> {
    if (problem !== null) throw new AppError('UNSUPPORTED', problem);
    const [real, data] = [await realPath(join(home, path)), await realPath(dataDir)];
    const samples = join(data, SAMPLES);
    if (!isBelow(real, data) || (real !== samples && isBelow(real, samples))) return;
    throw new AppError('CONFLICT', `${path} is in the folder of Hangar's own data. Manage it in Settings › Storage.`);
  }
  /** Also refuses a folder that the data is in. */
  async function checkWhole(path: string): Promise<void> {
    await check(path);
    if (path === '') return;
    if (
      !isBelow(await realPath(dataDir), join(await realPath(join(home, dirname(path))), path.split('/').at(-1) ?? ''))
    )
      return;
    throw new AppError('CONFLICT', `${path} has Hangar's own data in it. Settings › Storage moves the data.`);
  }

  return {
    place: { folder: home, problem },
    async list(path) {
      await check(path);
      return files.list(home, path);
    },
    async makeFolder(path) {
      await check(path);
      await files.makeFolder(home, path);
    },
    async move(from, to) {
      await checkWhole(from);
      await check(to);
      await files.move(home, from, to);
    },
    async remove(path, onlyEmpty) {
      await checkWhole(path);
      await files.remove(home, path, onlyEmpty);
    },
    async read(path, from, most) {
      await check(path);
      const file = await files.open(home, path);
      try {
        const parts: Uint8Array[] = [];
        const end = Math.min(file.sizeBytes, from + most);
        for await (const part of file.read(from, end)) parts.push(part);
        return Buffer.concat(parts);
      } finally {
        await file.close();
      }
    },
    async write(path, file) {
      await check(path);
      await files.write(home, path, whole(file), { mayReplace: file.replaces, lengthBytes: file.lengthBytes });
    },
    async watch(path, listener) {
      await check(path);
      return watcher.watch(home, path, listener);
    },
  };
}
