/**
 * Makes one folder the same as another, entry by entry, as often as it is called: what is the same already is left
 * alone, so that a later call goes on where an earlier one was cut off.
 */
import type { Stats } from 'node:fs';
import { chmod, link, lstat, mkdir, open, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { errorCode } from '../../platform/systemError.ts';
import { copyFileFurther } from './copyFile.ts';

export interface SyncOptions {
  from: string;
  to: string;
  /** Top-level entries that are neither copied nor removed. */
  skips: (name: string) => boolean;
  /** Whether files become hard links, which take no room; a file that cannot be linked is copied. */
  links: boolean;
  /** Milliseconds since the epoch: files that changed after it are compared byte by byte. */
  changedAfter: number;
  /**
   * Whether the source is at rest: then a file that disappears is a fault, and the target loses what the source has
   * not.
   */
  isFinal: boolean;
  onFile: (bytes: number, files: number) => void;
  signal: AbortSignal;
}

export interface SyncResult {
  /** Sockets, pipes and devices: they are not files and are not copied. */
  skipped: string[];
}

/** Errors of a file that cannot be linked, but maybe copied. */
const NO_LINK: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP']);
/** File systems store times more coarsely than each other. */
const TOLERATED_MS = 2;

const factsOf = (path: string): Promise<Stats | null> =>
  lstat(path).catch((thrown: unknown) => {
    if (errorCode(thrown) === 'ENOENT') return null;
    throw thrown;
  });

/** Whether the target is an up-to-date copy, by size and times. */
function isSame(source: Stats, target: Stats | null, changedAfter: number): boolean {
  if (target === null || !target.isFile()) return false;
  if (source.ino === target.ino && source.dev === target.dev && source.ino !== 0) return true;
  return (
    source.size === target.size &&
    Math.abs(source.mtimeMs - target.mtimeMs) <= TOLERATED_MS &&
    source.ctimeMs < changedAfter
  );
}

/** A link with an absolute path into the folder leads into the new folder. */
function relocated(target: string, from: string, to: string): string {
  if (!isAbsolute(target)) return target;
  const inside = relative(from, target);
  return inside.startsWith('..') || isAbsolute(inside) ? target : join(to, inside);
}

async function syncFolderNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncLink(source: string, target: string, facts: Stats | null, options: SyncOptions): Promise<void> {
  const text = relocated(await readlink(source), options.from, options.to);
  if (facts?.isSymbolicLink() && (await readlink(target)) === text) return;
  if (facts !== null) await rm(target, { recursive: true, force: true });
  await symlink(text, target);
}

async function syncFile(
  source: string,
  target: string,
  facts: { source: Stats; target: Stats | null },
  options: SyncOptions,
): Promise<void> {
  if (isSame(facts.source, facts.target, options.changedAfter)) {
    options.onFile(facts.source.size, 1);
    return;
  }
  if (facts.target?.isDirectory()) await rm(target, { recursive: true, force: true });
  if (options.links) {
    try {
      await rm(target, { force: true });
      await link(source, target);
      options.onFile(facts.source.size, 1);
      return;
    } catch (thrown) {
      if (!NO_LINK.has(errorCode(thrown) ?? '')) throw thrown;
    }
  }
  await copyFileFurther(source, target, facts.source, (bytes) => options.onFile(bytes, 0), options.signal);
  options.onFile(0, 1);
}

async function makeSameFolder(target: string, facts: Stats | null): Promise<void> {
  if (facts?.isDirectory()) {
    // A folder that nobody may change was completed before its content.
    if ((facts.mode & 0o700) !== 0o700) await chmod(target, facts.mode | 0o700);
    return;
  }
  if (facts !== null) await rm(target, { force: true });
  // Private until it is complete.
  await mkdir(target, { mode: 0o700 });
}

/** Removes entries of the target that the source has not. */
async function removeOthers(
  folder: string,
  names: ReadonlySet<string>,
  skips: SyncOptions['skips'] | null,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!names.has(name) && skips?.(name) !== true) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Rejects with errors of the system, and with the reason of `signal`. A later call goes on. */
export async function syncTree(options: SyncOptions): Promise<SyncResult> {
  const { skips, isFinal, signal } = options;
  const skipped: string[] = [];

  async function syncEntry(source: string, target: string): Promise<void> {
    signal.throwIfAborted();
    const [sourceFacts, targetFacts] = await Promise.all([lstat(source), factsOf(target)]);
    if (sourceFacts.isSymbolicLink()) await syncLink(source, target, targetFacts, options);
    else if (sourceFacts.isDirectory()) {
      await makeSameFolder(target, targetFacts);
      await syncFolder(source, target, null);
      await chmod(target, sourceFacts.mode & 0o7777);
    } else if (sourceFacts.isFile()) {
      await syncFile(source, target, { source: sourceFacts, target: targetFacts }, options);
    } else skipped.push(source);
  }

  async function syncFolder(source: string, target: string, leftOut: SyncOptions['skips'] | null): Promise<void> {
    const names = (await readdir(source)).filter((name) => leftOut?.(name) !== true);
    for (const name of names) {
      try {
        await syncEntry(join(source, name), join(target, name));
      } catch (thrown) {
        // A running Hangar removes files meanwhile.
        if (isFinal || errorCode(thrown) !== 'ENOENT') throw thrown;
      }
    }
    if (isFinal) {
      await removeOthers(target, new Set(names), leftOut);
      await syncFolderNames(target);
    }
  }

  await syncFolder(options.from, options.to, skips);
  return { skipped };
}
