/**
 * The files of this computer: those in the home folder of the person and in the folders of handlers, apart from Hangar's
 * own data except its samples.
 */
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import { createFolderFiles } from '../../../files/files.ts';
import { createFolderWatcher } from '../../../files/folderWatch.ts';
import type { FolderListener } from '../../../files/ports.ts';
import type { FileWords } from '../../../files/pathRules.ts';
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
 * Paths begin in the folder. All calls reject with AppError: NOT_FOUND, CONFLICT where a file or folder exists
 * already or holds Hangar's data, FORBIDDEN, STORAGE_FULL, UNSUPPORTED where the files are not accessible.
 */
export interface FilesHere extends FolderFiles {
  /** Writes the whole file or nothing. */
  write(path: string, file: NewFile): Promise<void>;
  /** As `FolderWatcher` has it, from the folder on. */
  watch(path: string, listener: FolderListener): Promise<() => void>;
}

export interface ComputerFiles {
  /** The home folder, and why its files are not accessible, as a sentence for a person; null if they are. */
  readonly place: { readonly folder: string; readonly problem: string | null };
  readonly home: FilesHere;
  /** The folder of an endpoint's handler, wherever it is: Hangar runs what is in it. */
  handler(endpointId: string): FilesHere;
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

/** How sentences name a folder. */
const homeWords = { holder: 'your home folder', user: "Hangar's user" };
const handlerWords = { holder: 'the folder of the handler', user: "Hangar's user" };

export interface ComputerFilesOptions {
  /** The folder with Hangar's data, which is neither shown nor changed, except the code of its sample endpoints. */
  readonly dataDir: string;
  readonly home?: string;
  readonly clock: Pick<Clock, 'after'>;
  /** Whether shells of this computer are allowed: who writes its files can start programs, too. */
  readonly allowsHostShell: boolean;
  /** The folder of an endpoint of this computer. Rejects with NOT_FOUND without an endpoint, or without a folder. */
  readonly handlerFolder: (endpointId: string) => Promise<string>;
}

/** Refuses paths of `root` that are in Hangar's data. */
function createDataGuard(dataDir: string) {
  /** Refuses what is in Hangar's data. */
  async function check(root: string, path: string): Promise<void> {
    const [real, data] = [await realPath(join(root, path)), await realPath(dataDir)];
    const samples = join(data, SAMPLES);
    if (!isBelow(real, data) || (real !== samples && isBelow(real, samples))) return;
    throw new AppError('CONFLICT', `${path} is in the folder of Hangar's own data. Manage it in Settings › Storage.`);
  }
  /** Also refuses a folder that the data is in. */
  async function checkWhole(root: string, path: string): Promise<void> {
    await check(root, path);
    if (path === '') return;
    if (
      !isBelow(await realPath(dataDir), join(await realPath(join(root, dirname(path))), path.split('/').at(-1) ?? ''))
    )
      return;
    throw new AppError('CONFLICT', `${path} has Hangar's own data in it. Settings › Storage moves the data.`);
  }
  return { check, checkWhole };
}

export function createComputerFiles(options: ComputerFilesOptions): ComputerFiles {
  const { dataDir, home = homedir(), clock, allowsHostShell, handlerFolder } = options;
  const problem = allowsHostShell ? null : NOT_ALLOWED;
  const { check, checkWhole } = createDataGuard(dataDir);

  /** The files of a folder that is looked up for each call. */
  function createFiles(words: FileWords) {
    const files = createFolderFiles({ words, foreignPartMs: FOREIGN_PART_MS });
    const watcher = createFolderWatcher({ clock, words });
    return (folder: () => Promise<string>): FilesHere => {
      const root = async (): Promise<string> => {
        if (problem !== null) throw new AppError('UNSUPPORTED', problem);
        return folder();
      };
      /** The folder, if `path` may be used. */
      const checked = async (path: string): Promise<string> => {
        const top = await root();
        await check(top, path);
        return top;
      };
      const checkedWhole = async (path: string): Promise<string> => {
        const top = await root();
        await checkWhole(top, path);
        return top;
      };
      return {
        list: async (path) => files.list(await checked(path), path),
        async makeFolder(path) {
          await files.makeFolder(await checked(path), path);
        },
        async move(from, to) {
          const top = await checkedWhole(from);
          await check(top, to);
          await files.move(top, from, to);
        },
        async remove(path, onlyEmpty) {
          await files.remove(await checkedWhole(path), path, onlyEmpty);
        },
        async read(path, from, most) {
          const file = await files.open(await checked(path), path);
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
          await files.write(await checked(path), path, whole(file), {
            mayReplace: file.replaces,
            lengthBytes: file.lengthBytes,
          });
        },
        watch: async (path, listener) => watcher.watch(await checked(path), path, listener),
      };
    };
  }
  const filesOfHandler = createFiles(handlerWords);
  return {
    place: { folder: home, problem },
    home: createFiles(homeWords)(() => Promise.resolve(home)),
    handler: (endpointId) => filesOfHandler(() => handlerFolder(endpointId)),
  };
}
