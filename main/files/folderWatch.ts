/** Reports changes of the entries of one folder as the system notices them. */
import { watch } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { AppError } from '#contract/core/errors.ts';
import type { FolderWatcher } from './ports.ts';
import { fileError, fileFailure, isPart, namesOf, VOLUME_WORDS, type FileWords } from './pathRules.ts';
import { beneath, holdFolder } from './resolveWithin.ts';

/** Changes within this time are one report, in milliseconds. */
const TOGETHER_MS = 200;
/**
 * The interval of the check that the path still leads to the watched folder, in milliseconds. The system reports
 * nothing when a folder above it is moved.
 */
const CHECK_MS = 5000;

/** File systems of Linux whose files other computers change too, which the system does not report: `f_type` of statfs. */
const SHARED_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xfe534d42, // SMB 2
  0xff534d42, // CIFS
  0x65735546, // FUSE: sshfs, cloud storage
  0x01021997, // 9p
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
  0x47504653, // GPFS
  0x5346414f, // AFS
]);

const unwatchable = (cause?: unknown): AppError =>
  new AppError('UNSUPPORTED', 'The system cannot report changes of this folder.', { cause });

async function refuseShared(folder: string): Promise<void> {
  if (process.platform === 'linux' && SHARED_SYSTEMS.has((await statfs(folder)).type)) throw unwatchable();
}

/** Identifies a folder, wherever it is moved. */
async function identityOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/** Rejects where the system has no watch left, or this folder cannot have one. */
function open(folder: string): ReturnType<typeof watch> {
  try {
    return watch(folder);
  } catch (error) {
    throw unwatchable(error);
  }
}

export interface FolderWatcherOptions {
  readonly clock: { after(ms: number, run: () => void): () => void };
  readonly words?: FileWords;
}

export function createFolderWatcher({ clock, words = VOLUME_WORDS }: FolderWatcherOptions): FolderWatcher {
  /** Calls `use` with a path that means the folder even after it is moved, where the system has such paths. */
  async function inFolder<T>(root: string, path: string, use: (folder: string) => Promise<T>): Promise<T> {
    try {
      return await beneath(root, namesOf(path), true, async ({ name, facts, path: there }) => {
        if (facts === null) throw fileError('ENOENT', 'There is nothing there');
        if (name === null) return use(there);
        const folder = await holdFolder(there);
        try {
          return await use(folder.path);
        } finally {
          await folder.close();
        }
      });
    } catch (error) {
      throw fileFailure(error, path, words);
    }
  }

  return {
    async watch(root, path, { onChange, onEnd }) {
      const { watcher, identity } = await inFolder(root, path, async (folder) => {
        await refuseShared(folder);
        const identity = await identityOf(folder);
        return { identity, watcher: open(folder) };
      });
      let isOver = false;
      /** Null while nothing has changed since the last report. */
      let cancelReport: (() => void) | null = null;

      function stop(): void {
        isOver = true;
        cancelReport?.();
        cancelCheck();
        watcher.close();
      }
      function end(): void {
        if (isOver) return;
        stop();
        onEnd();
      }
      /** Whether the path still leads to this folder. Ends the watch where it does not. */
      async function check(): Promise<boolean> {
        const now = await inFolder(root, path, identityOf).catch(() => null);
        if (now !== identity) end();
        return !isOver;
      }
      async function report(): Promise<void> {
        cancelReport = null;
        if (await check()) onChange();
      }
      async function checkAgain(): Promise<void> {
        if (await check()) cancelCheck = clock.after(CHECK_MS, () => void checkAgain());
      }
      let cancelCheck = clock.after(CHECK_MS, () => void checkAgain());

      watcher.on('change', (_, name) => {
        // A file that Hangar is writing is not in the list yet.
        if (isOver || (name !== null && isPart(name.toString()))) return;
        cancelReport ??= clock.after(TOGETHER_MS, () => void report());
      });
      watcher.on('error', end);
      return stop;
    },
  };
}
