/**
 * Moves a data folder. Until the end the old folder holds the data and can be used; a file in it then names the new
 * folder, which is the moment of the move. A move that was cut off goes on when it is called again.
 *
 * States: `prepareMove` notes the move in both folders. `copyAhead` may run while Hangar uses the old folder, and copies
 * all but the databases. `finishMove` needs a folder at rest: it copies what has changed, writes `moved-to.json`, and
 * empties the old folder.
 */
import { existsSync } from 'node:fs';
import { link, lstat, mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { dirname, join, relative, resolve, isAbsolute } from 'node:path';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { removeAtomicFile, writeAtomicFile } from '../../platform/atomicFile.ts';
import { defaultDataDir } from '../../platform/folders/defaultDataDir.ts';
import { ARRIVING, MOVED_TO, readArriving, readMovedTo } from '../../platform/folders/movedFolder.ts';
import { errorCode } from '../../platform/systemError.ts';
import { isDatabase, MOVING, staysBehind } from '../contents.ts';
import { holdFolder } from '../holdFolder.ts';
import { createProgress, type Progress } from '../progress.ts';
import { readMoving, readRelocated, writeArriving, writeMoving, writeRelocated } from './journal.ts';
import { syncTree, type SyncOptions } from './syncTree.ts';

export interface MovePlan {
  from: string;
  to: string;
  /** Both folders lie in one file system whose files can have two names: nothing is copied. */
  links: boolean;
  /** Milliseconds since the epoch. */
  startedAt: number;
  totalBytes: number;
  totalFiles: number;
}

export interface Moved {
  to: string;
  /** Entries of the old folder that could not be removed, with the reason. */
  left: string[];
  /** Sockets, pipes and devices, which are not copied. */
  skipped: string[];
}

/** Room that must stay free on the disk of the new folder. */
const MARGIN_BYTES = 64 * 1024 * 1024;
/** A change within the same tick of the clock as the start of a copy. */
const TICK_MS = 2000;
const PROBE = '.hangar-link-probe';

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
};

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 2 : 0)} GB`;

/** Throws BAD_REQUEST or CONFLICT if the target cannot be the new folder. */
async function requireTarget(from: string, to: string): Promise<void> {
  if (isInside(to, from)) throw new AppError('BAD_REQUEST', `${to} is inside the data folder. Name another folder.`);
  if (isInside(from, to)) {
    throw new AppError('BAD_REQUEST', `The data folder lies in ${to}. Name a new or an empty folder.`);
  }
  const facts = await lstat(to).catch(() => null);
  if (facts === null) return;
  if (!facts.isDirectory()) throw new AppError('CONFLICT', `${to} is not a folder. Name a new or an empty folder.`);
  const arriving = readArriving(to);
  if (arriving !== null && arriving.from !== from) {
    throw new AppError('CONFLICT', `${to} has a move of ${arriving.from} that is not complete. Name another folder.`);
  }
  if (arriving !== null) return;
  // Data that comes back: the folder has nothing but the note that it was moved away.
  const names = (await readdir(to)).filter((name) => name !== MOVED_TO && name !== 'lost+found');
  if (names.length > 0) throw new AppError('CONFLICT', `${to} is not empty. Name a new or an empty folder.`);
}

interface Amount {
  bytes: number;
  files: number;
  /** What is not in the target yet. */
  missingBytes: number;
}

/** Counts the files of the old folder, and what the target lacks. Follows no links. */
async function count(from: string, to: string, signal: AbortSignal): Promise<Amount> {
  const amount: Amount = { bytes: 0, files: 0, missingBytes: 0 };
  const folders = [''];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(join(from, at), { withFileTypes: true }).catch((thrown: unknown) => {
      if (errorCode(thrown) === 'ENOENT') return [];
      throw thrown;
    });
    for (const entry of entries) {
      if (at === '' && staysBehind(entry.name)) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) {
        const size = (await lstat(join(from, path)).catch(() => null))?.size ?? 0;
        const present = (await lstat(join(to, path)).catch(() => null))?.size ?? 0;
        amount.bytes += size;
        amount.files += 1;
        amount.missingBytes += Math.max(0, size - present);
      }
    }
  }
  return amount;
}

async function canLink(from: string, to: string): Promise<boolean> {
  const probe = join(to, PROBE);
  try {
    await rm(probe, { force: true });
    await link(join(from, MOVING), probe);
    return true;
  } catch {
    // Another file system, or one without hard links.
    return false;
  } finally {
    await rm(probe, { force: true });
  }
}

async function requireRoom(to: string, wantedBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(nearest(to));
  const freeBytes = bavail * bsize;
  if (freeBytes >= wantedBytes + MARGIN_BYTES) return;
  throw new AppError(
    'STORAGE_FULL',
    `There is not enough room at ${to}: ${gigabytes(wantedBytes + MARGIN_BYTES)} are needed, ${gigabytes(freeBytes)} ` +
      'are free. Nothing was copied.',
  );
}

/**
 * Checks both folders and the room, and notes the move in them. Nothing is copied. Rejects with BAD_REQUEST, CONFLICT,
 * NOT_FOUND or STORAGE_FULL, in words for a person.
 */
export async function prepareMove(dataDir: string, target: string, signal: AbortSignal): Promise<MovePlan> {
  const [from, to] = [resolve(dataDir), resolve(target)];
  if (!existsSync(from)) throw new AppError('NOT_FOUND', `There is no data folder at ${from}.`);
  const other = readMoving(from);
  if (other !== null && other.to !== to && readArriving(other.to)?.from === from) {
    throw new AppError(
      'CONFLICT',
      `A move to ${other.to} is not finished. Continue it, or cancel it first ("hangar data move --discard").`,
    );
  }
  await requireTarget(from, to);
  const wasThere = existsSync(to);
  const startedAt = readArriving(to)?.startedAt ?? Date.now() - TICK_MS;
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await writeMoving(from, { to, startedAt });
    const links = await canLink(from, to);
    const { bytes, files, missingBytes } = await count(from, to, signal);
    await requireRoom(to, links ? 0 : missingBytes);
    await writeArriving(to, from, startedAt);
    return { from, to, links, startedAt, totalBytes: bytes, totalFiles: files };
  } catch (thrown) {
    if (readArriving(to) === null) {
      await removeAtomicFile(join(from, MOVING));
      if (!wasThere) await rm(to, { recursive: true, force: true });
    }
    throw thrown instanceof AppError || signal.aborted ? thrown : failed(to, thrown);
  }
}

/** The sentence about an error of the system. */
function failed(to: string, thrown: unknown): AppError {
  const code = errorCode(thrown);
  const rest = 'Everything is still in the old folder. You can continue the move later.';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('STORAGE_FULL', `The disk of ${to} is full. ${rest}`, { cause: thrown });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const advice = 'A container may have made a file that only its user may read.';
    return new AppError('CONFLICT', `${messageOf(thrown)}. ${advice} ${rest}`, { cause: thrown });
  }
  return new AppError('INTERNAL', `The move failed: ${messageOf(thrown)}. ${rest}`, { cause: thrown });
}

async function sync(
  plan: MovePlan,
  own: Pick<SyncOptions, 'isFinal' | 'skips'>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const progress = createProgress(onProgress);
  progress.now.totalBytes = plan.totalBytes;
  progress.now.totalFiles = plan.totalFiles;
  try {
    const { skipped } = await syncTree({
      from: plan.from,
      to: plan.to,
      links: plan.links,
      changedAfter: plan.startedAt,
      onFile: progress.add,
      signal,
      ...own,
    });
    progress.flush();
    return skipped;
  } catch (thrown) {
    throw signal.aborted ? thrown : failed(plan.to, thrown);
  }
}

/** Copies all but the databases, while Hangar may use the old folder. */
export const copyAhead = async (
  plan: MovePlan,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> => {
  await sync(plan, { isFinal: false, skips: (name) => staysBehind(name) || isDatabase(name) }, onProgress, signal);
};

/** Removes the content of the old folder; the note about the new one stays. Returns what is left, with reasons. */
export async function emptyOldFolder(from: string): Promise<string[]> {
  const left: string[] = [];
  for (const name of await readdir(from)) {
    if (name === MOVED_TO) continue;
    try {
      await rm(join(from, name), { recursive: true, force: true, maxRetries: 3 });
    } catch (thrown) {
      left.push(`${join(from, name)}: ${messageOf(thrown)}`);
    }
  }
  return left;
}

/** Lets the default folder name the new one, also after several moves, so that no folder in between is needed. */
async function shortenWay(plan: MovePlan, at: string): Promise<void> {
  const usual = defaultDataDir(process.env);
  if (usual !== plan.to && readMovedTo(usual)?.to === plan.from) {
    await writeAtomicFile(join(usual, MOVED_TO), `${JSON.stringify({ to: plan.to, at })}\n`);
  }
}

/**
 * Completes the move while nothing uses the old folder; every step can be repeated after a crash. Rejects with CONFLICT
 * if a Hangar uses the folder; until `moved-to.json` is written, nothing has changed for it.
 */
export async function finishMove(
  plan: MovePlan,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Moved> {
  const { from, to } = plan;
  const release = await holdFolder(from, `it moves the data to ${to}`);
  let isMoved = false;
  try {
    const skipped = await sync(plan, { isFinal: true, skips: staysBehind }, onProgress, signal);
    await writeRelocated(to, [...readRelocated(from), from]);
    const at = new Date().toISOString();
    await writeAtomicFile(join(from, MOVED_TO), `${JSON.stringify({ to, at })}\n`);
    isMoved = true;
    // Data that came back: its own note is the older one.
    await removeAtomicFile(join(to, MOVED_TO));
    await shortenWay(plan, at);
    await removeAtomicFile(join(to, ARRIVING));
    return { to, left: await emptyOldFolder(from), skipped };
  } finally {
    if (!isMoved) await release();
  }
}
