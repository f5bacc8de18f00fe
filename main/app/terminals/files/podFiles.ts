/** The files of Pods over SFTP: listed, read in pieces, and written so that nothing is to be seen until all of it is there. */
import { posix } from 'node:path';
import { AppError } from '#contract/core/errors.ts';
import type { UnfinishedUpload, VolumeFile, VolumeListing } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { FileEntryWithStats, Stats } from 'ssh2';
import { pause, type Cancel, type Clock } from '../../platform/clock.ts';
import type { Connection, Connector } from '../connection.ts';
import { SshFailure } from '../failure.ts';
import { isName, isPart, placeOf } from './podPaths.ts';
import { createPodUploads, refuseTaken, type NewFile, type PodReach } from './podUpload.ts';
import type { PodWays } from '../routeFinder.ts';
import { isAnswer, meaningOf, openSftp, type Sftp } from './sftp.ts';
import type { UnfinishedUploads } from './resumableUploads.ts';

/** Of one Pod, from the root of its file system on. All of it rejects with AppError; `details.question` where one is to be answered. */
export interface PodFolder {
  list(path: string): Promise<VolumeListing>;
  makeFolder(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** A folder with everything in it. Links go, what they lead to stays. */
  remove(path: string): Promise<void>;
  read(path: string, from: number, most: number): Promise<Uint8Array>;
  /** As `PodUploads` has it. */
  write(path: string, file: NewFile): Promise<void>;
  unfinished(): Promise<UnfinishedUpload[]>;
  discard(path: string): Promise<void>;
}

export interface PodFiles {
  of(accountId: string, podId: string): PodFolder;
  /** An account was removed: aborts the operations in its Pods, and forgets its resumable uploads. */
  leave(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface PodFilesOptions {
  clock: Clock;
  ways: Pick<PodWays, 'direct'>;
  connector: Pick<Connector, 'connect'>;
  /** The notes that resume uploads after a restart. */
  unfinished: UnfinishedUploads;
}

interface Line {
  connection: Connection;
  sftp: Sftp;
  users: number;
  isOver: boolean;
  forget: Cancel;
}

const keyOf = (accountId: string, podId: string): string => JSON.stringify([accountId, podId]);

function entryOf(name: string, stats: Stats): VolumeFile {
  const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other';
  const sizeBytes = kind === 'file' ? stats.size : 0;
  return { name, kind, sizeBytes, modifiedAt: new Date(stats.mtime * 1000).toISOString() };
}

const inOrder = (one: VolumeFile, other: VolumeFile): number =>
  Number(other.kind === 'folder') - Number(one.kind === 'folder') || (one.name < other.name ? -1 : 1);

export function createPodFiles({ clock, ways, connector, unfinished }: PodFilesOptions): PodFiles {
  const life = new AbortController();
  const uploads = createPodUploads(unfinished, () => clock.now());
  const lines = new Map<string, Promise<Line>>();

  async function open(accountId: string, podId: string): Promise<Line> {
    const connection = await connector.connect(await ways.direct(accountId, podId), life.signal);
    let sftp: Sftp;
    try {
      sftp = await openSftp(connection);
    } catch (error) {
      await connection.end();
      throw new AppError('BAD_REQUEST', `The Pod's sshd has no SFTP: ${(error as Error).message}.`, { cause: error });
    }
    return { connection, sftp, users: 0, isOver: false, forget: () => undefined };
  }

  /** The one that there is, or a new one. */
  function lineOf(accountId: string, podId: string): Promise<Line> {
    const key = keyOf(accountId, podId);
    const there = lines.get(key);
    if (there) return there;
    const opening = open(accountId, podId);
    lines.set(key, opening);
    const drop = (): void => {
      if (lines.get(key) === opening) lines.delete(key);
    };
    opening.then((line) => {
      void line.connection.closed.then(() => {
        line.isOver = true;
        line.forget();
        drop();
      });
    }, drop);
    return opening;
  }

  /** The connection stays for a while: the next piece of a file comes soon. */
  async function over<T>(accountId: string, podId: string, work: (sftp: Sftp) => Promise<T>): Promise<T> {
    const line = await lineOf(accountId, podId);
    line.forget();
    line.users++;
    try {
      return await work(line.sftp);
    } finally {
      line.users--;
      if (line.users === 0 && !line.isOver) {
        line.forget = clock.after(limits.ssh.filesIdleMs, () => void line.connection.end());
      }
    }
  }

  /** A connection that was lost meanwhile is made anew: `work` may be begun more than once. */
  async function steadily<T>(accountId: string, podId: string, signal: AbortSignal, work: (sftp: Sftp) => Promise<T>) {
    for (let lost = 0; ; lost++) {
      try {
        return await over(accountId, podId, work);
      } catch (error) {
        const isLost =
          error instanceof SshFailure ? error.kind === 'lost' : !(error instanceof AppError) && !isAnswer(error);
        const waitMs = limits.ssh.againMs[lost];
        if (!isLost || waitMs === undefined || signal.aborted) throw error;
        await pause(clock, waitMs, AbortSignal.any([signal, life.signal]));
      }
    }
  }

  /** Whatever went wrong, for a person. */
  function toFileError(error: unknown, path: string): Error {
    if (error instanceof SshFailure) {
      const details = error.question === null ? {} : { question: error.question };
      return new AppError(error.kind === 'lost' ? 'UNAVAILABLE' : 'FORBIDDEN', error.message, { details });
    }
    if (error instanceof AppError) return error;
    if (isAnswer(error)) return meaningOf(error, path);
    return new AppError('UNAVAILABLE', 'The connection to the Pod broke. Try again.', { cause: error });
  }

  function of(accountId: string, podId: string): PodFolder {
    /** Lists a link as its target. */
    async function toFile(sftp: Sftp, place: string, { filename, attrs }: FileEntryWithStats): Promise<VolumeFile> {
      if (!attrs.isSymbolicLink()) return entryOf(filename, attrs);
      const target = await sftp.stat(posix.join(place, filename)).catch((error: unknown) => {
        if (isAnswer(error)) return attrs;
        throw error;
      });
      return entryOf(filename, target);
    }

    async function removeAll(sftp: Sftp, place: string): Promise<void> {
      for await (const some of sftp.entries(place)) {
        for (const { filename, attrs } of some) {
          if (filename === '.' || filename === '..') continue;
          // A name that leads elsewhere is no name of this folder.
          if (!isName(filename)) throw new AppError('UPSTREAM', `The Pod tells of a file whose name cannot be one.`);
          const inside = posix.join(place, filename);
          if (attrs.isDirectory()) await removeAll(sftp, inside);
          else await sftp.unlink(inside);
        }
      }
      await sftp.rmdir(place);
    }

    const reach: PodReach = {
      accountId,
      podId,
      once: (work) => over(accountId, podId, work),
      steadily: (signal, work) => steadily(accountId, podId, signal, work),
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
      return translateErrors(place, () => over(accountId, podId, (sftp) => work(sftp, place)));
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
      remove: (path) =>
        doing(path, async (sftp, place) => {
          if (place === '/') throw new AppError('BAD_REQUEST', 'The root of the Pod is not deleted. Delete the Pod.');
          if ((await sftp.lstat(place)).isDirectory()) await removeAll(sftp, place);
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

  async function end(some: readonly Promise<Line>[]): Promise<void> {
    const open = await Promise.allSettled(some);
    await Promise.all(
      open.map(async (line) => {
        if (line.status !== 'fulfilled') return;
        line.value.forget();
        await line.value.connection.end();
      }),
    );
  }

  return {
    of,
    async leave(accountId) {
      const isOf = (key: string): boolean => (JSON.parse(key) as string[])[0] === accountId;
      await unfinished.leave(accountId);
      await end([...lines].flatMap(([key, line]) => (isOf(key) ? [line] : [])));
    },
    async stop() {
      life.abort();
      await end([...lines.values()]);
    },
  };
}
