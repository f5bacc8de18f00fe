/** The files of Pods over SFTP: list, read in pieces, and write. A written file is visible only when it is complete. */
import { posix } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { UnfinishedUpload, VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { FileEntryWithStats, Stats } from 'ssh2';
import type { FolderFiles } from '../../platform/folders/folderFiles.ts';
import { SshFailure } from '../failure.ts';
import { createPodConnections, type PodConnectionsOptions } from './podConnections.ts';
import { isName, isPart, placeOf } from './podPaths.ts';
import { createPodUploads, refuseTaken, type NewFile, type PodConnection } from './podUpload.ts';
import { isAnswer, meaningOf, type Sftp } from './sftp.ts';
import type { UnfinishedUploads } from './resumableUploads.ts';

/**
 * The files of one Pod, from the root of its file system. All calls reject with AppError; `details.question` is set if
 * the person must answer a question.
 */
export interface PodFolder extends FolderFiles {
  /** As `PodUploads` has it. */
  write(path: string, file: NewFile): Promise<void>;
  unfinished(): Promise<UnfinishedUpload[]>;
  discard(path: string): Promise<void>;
}

export interface PodFiles {
  of(accountId: string, podId: string): PodFolder;
  /** Aborts the operations in the Pods of a removed account, and forgets its resumable uploads. */
  leave(accountId: string): Promise<void>;
  /** This computer woke up: ends connections that broke meanwhile, so that transfers continue over new ones. */
  resumed(): void;
  stop(): Promise<void>;
}

export interface PodFilesOptions extends PodConnectionsOptions {
  /** Notes with which uploads resume after a restart. */
  unfinished: UnfinishedUploads;
}

function entryOf(name: string, stats: Stats): VolumeFile {
  const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  const sizeBytes = kind === 'file' ? stats.size : 0;
  return { name, kind, sizeBytes, modifiedAt: new Date(stats.mtime * 1000).toISOString() };
}

const inOrder = (one: VolumeFile, other: VolumeFile): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') || (one.name < other.name ? -1 : 1);

/** Any error, for a person. */
function toFileError(error: unknown, path: string): Error {
  if (error instanceof SshFailure) {
    const details = error.question === null ? {} : { question: error.question };
    return new AppError(error.kind === 'lost' ? 'UNAVAILABLE' : 'FORBIDDEN', error.message, { details });
  }
  if (error instanceof AppError) return error;
  if (isAnswer(error)) return meaningOf(error, path);
  return new AppError('UNAVAILABLE', 'The connection to the Pod broke. Try again.', { cause: error });
}

export function createPodFiles({ unfinished, ...options }: PodFilesOptions): PodFiles {
  const connections = createPodConnections(options);
  const uploads = createPodUploads(unfinished, () => options.clock.now());

  function of(accountId: string, podId: string): PodFolder {
    /** Lists a link as its target. */
    async function toFile(sftp: Sftp, place: string, { filename, attrs }: FileEntryWithStats): Promise<VolumeFile> {
      if (!attrs.isSymbolicLink()) return entryOf(filename, attrs);
      const target = await sftp.stat(posix.join(place, filename)).catch((error: unknown) => {
        if (isAnswer(error)) return attrs;
        throw error;
      });
      return { ...entryOf(filename, target), isLink: true };
    }

    async function removeAll(sftp: Sftp, place: string): Promise<void> {
      for await (const some of sftp.entries(place)) {
        for (const { filename, attrs } of some) {
          if (filename === '.' || filename === '..') continue;
          // Not a valid name of a file in this folder.
          if (!isName(filename)) throw new AppError('UPSTREAM', `The Pod reported a file with an invalid name.`);
          const inside = posix.join(place, filename);
          if (attrs.isDirectory()) await removeAll(sftp, inside);
          else await sftp.unlink(inside);
        }
      }
      await sftp.rmdir(place);
    }

    const reach: PodConnection = {
      accountId,
      podId,
      once: (work) => connections.once(accountId, podId, work),
      steadily: (signal, work) => connections.steadily(accountId, podId, signal, work),
    };
    const translateErrors = async <T>(place: string, work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        throw toFileError(error, place);
      }
    };
    const doing = async <T>(path: string, work: (sftp: Sftp, place: string) => Promise<T>): Promise<T> => {
      const place = placeOf(path);
      return translateErrors(place, () => connections.once(accountId, podId, (sftp) => work(sftp, place)));
    };

    return {
      list: (path) =>
        doing(path, async (sftp, place) => {
          const entries: VolumeFile[] = [];
          const most = limits.volumeFiles.entries;
          let truncated = false;
          for await (const some of sftp.entries(place)) {
            const names = some.filter(({ filename }) => isName(filename) && !isPart(filename));
            const fitting = names.slice(0, most - entries.length);
            truncated ||= fitting.length < names.length;
            entries.push(...(await Promise.all(fitting.map((entry) => toFile(sftp, place, entry)))));
            if (truncated) break;
          }
          return { path, entries: entries.sort(inOrder), truncated };
        }),
      makeFolder: (path) =>
        doing(path, async (sftp, place) => {
          await refuseTaken(sftp, place);
          await sftp.mkdir(place);
        }),
      move: (from, to) =>
        doing(from, async (sftp, place) => {
          const target = placeOf(to);
          await refuseTaken(sftp, target);
          await sftp.rename(place, target);
        }),
      remove: (path, onlyEmpty) =>
        doing(path, async (sftp, place) => {
          if (place === '/') throw new AppError('BAD_REQUEST', 'The root of the Pod is not deleted. Delete the Pod.');
          if ((await sftp.lstat(place)).isDirectory()) await (onlyEmpty ? sftp.rmdir(place) : removeAll(sftp, place));
          else await sftp.unlink(place);
        }),
      read: (path, from, most) =>
        doing(path, async (sftp, place) => {
          const handle = await sftp.open(place, 'r');
          try {
            if (!(await sftp.fstat(handle)).isFile()) throw new AppError('BAD_REQUEST', `${place} is no file.`);
            return await sftp.read(handle, from, most);
          } finally {
            await sftp.close(handle).catch(() => undefined);
          }
        }),
      write: (path, file) => translateErrors(placeOf(path), () => uploads.write(reach, path, file)),
      unfinished: () => translateErrors('/', () => uploads.unfinished(reach)),
      discard: (path) => translateErrors(placeOf(path), () => uploads.discard(reach, path)),
    };
  }

  return {
    of,
    async leave(accountId) {
      await unfinished.leave(accountId);
      await connections.leave(accountId);
    },
    resumed: () => connections.resumed(),
    stop: () => connections.stop(),
  };
}
