/** Watches one folder, and reports changes of the code that its workers run. */
import { realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '#contract/core/errors.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import { createFileContents } from './fileContents.ts';
import { reportFolder, type Unwatch } from './folderEvents.ts';
import { fileKind, isLeftOut, type FileKind } from './watchedFiles.ts';

/** Changes within this time count as one, milliseconds. */
const SETTLE_MS = 300;
/** The interval of the search for a missing folder, milliseconds. */
const SEARCH_AGAIN_MS = 1000;

export interface FolderWatch {
  /** Whether changes are noticed now; otherwise the reason, for a person. */
  state(): { watching: boolean; problem: string | null };
  /** Whether every change that the system has reported is compared, and reported by `onChange` where it counts. */
  isSettled(): boolean;
  /** Compares changes now instead of after a pause without further ones. */
  settleNow(): void;
  stop(): Promise<void>;
}

export interface FolderWatchOptions {
  clock: Clock;
  folder: string;
  /** The files that a command names. Read at each change. */
  named(): ReadonlySet<string>;
  /** Whether no worker of the folder is busy or starting: then workers did not cause a change. */
  isQuiet(): boolean;
  /** Called with paths in the folder, with `/`. An empty list means that any file may have changed. */
  onChange(files: readonly string[]): void;
  /** Called when `isSettled` becomes true, after `onChange`. */
  onSettled?(): void;
}

/** The real path of a folder. Throws an error with a message for a person. */
function resolveFolder(folder: string): string {
  try {
    const root = realpathSync(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(missing(folder), { cause: error });
    throw new Error(`The folder ${folder} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  throw new Error(`${folder} is not a folder.`);
}

const missing = (folder: string): string => `The folder ${folder} does not exist.`;

/** The message for a folder that cannot be watched. `reason`: null where it has too many entries. */
const unwatchable = (folder: string, reason: Error | null): string =>
  reason === null
    ? `The folder ${folder} holds too much to be watched. Keep data elsewhere, or start workers anew by hand.`
    : `The folder ${folder} cannot be watched: ${reason.message}.`;

/** One timer: setting it replaces the last one. It cannot be set after `stop`. */
function createTimer(clock: Clock) {
  let cancel: Cancel | null = null;
  let stopped = false;
  return {
    set(ms: number, run: () => void): void {
      cancel?.();
      cancel = stopped ? null : clock.after(ms, run);
    },
    stop(): void {
      stopped = true;
      cancel?.();
    },
  };
}

/**
 * States: settled → open, with a change that may count → settled, once all changes are compared. An open one is hurried while
 * somebody waits for it.
 */
function createSettling(onSettled: () => void) {
  let settled = true;
  let hurried = false;
  return {
    isSettled: () => settled,
    isHurried: () => hurried,
    open: () => void (settled = false),
    /** Returns whether it was open and not hurried. */
    hurry: () => !settled && !hurried && (hurried = true),
    settle() {
      hurried = false;
      if (settled) return;
      settled = true;
      onSettled();
    },
  };
}

/**
 * States: missing → reading → watching. A folder that cannot be watched stays in `failed` until `stop`. A removed folder becomes
 * missing; when it returns, all files count as changed.
 */
export function watchFolder(options: FolderWatchOptions): FolderWatch {
  const { clock, folder, named, isQuiet, onChange } = options;
  const contents = createFileContents();
  /** Changed files, and whether all workers were quiet at the time of each change. */
  const dirty = new Map<string, boolean>();
  let root = folder;
  let unwatch: Unwatch | null = null;
  let watching = false;
  let problem: string | null = null;
  const timer = createTimer(clock);
  /** The running comparison of files. */
  let reading: Promise<void> | null = null;
  let stopped = false;
  let wasMissing = false;
  const settleState = createSettling(() => {
    if (!stopped) options.onSettled?.();
  });

  const kindOf = (file: string): FileKind => fileKind(path.join(folder, path.relative(root, file)), named());

  function open(): void {
    if (stopped) return;
    try {
      root = resolveFolder(folder);
    } catch (error) {
      problem = messageOf(error);
      wasMissing = true;
      timer.set(SEARCH_AGAIN_MS, open);
      return;
    }
    problem = null;
    unwatch = reportFolder({
      root,
      isIgnored: (file) => isLeftOut(root, file),
      isRelevant: (file) => kindOf(file) !== null,
      onReady: (files) => read(() => begin(files)),
      onFile(file) {
        const quiet = isQuiet();
        dirty.set(file, (dirty.get(file) ?? true) && quiet);
        if (quiet || kindOf(file) === 'code') settleState.open();
        timer.set(settleState.isHurried() ? 0 : SETTLE_MS, compare);
      },
      onRootRemoved,
      onFailure: (reason) => leave(unwatchable(folder, reason)),
    });
  }

  /** Stops watching. */
  function leave(reason: string): void {
    void unwatch?.();
    unwatch = null;
    watching = false;
    problem = reason;
    dirty.clear();
    settleState.settle();
  }

  function onRootRemoved(): void {
    leave(missing(folder));
    wasMissing = true;
    timer.set(SEARCH_AGAIN_MS, open);
  }

  function read(work: () => Promise<void>): void {
    reading = work()
      .catch((error: unknown) => leave(`Files of ${folder} cannot be compared: ${messageOf(error)}.`))
      .finally(() => {
        reading = null;
        if (dirty.size === 0) settleState.settle();
        else if (settleState.isHurried()) timer.set(0, compare);
      });
  }

  async function begin(files: readonly string[]): Promise<void> {
    await contents.readAll(files);
    const cameBack = wasMissing;
    wasMissing = false;
    watching = unwatch !== null;
    if (cameBack && watching && !stopped) onChange([]);
  }

  function compare(): void {
    if (reading) timer.set(SETTLE_MS, compare);
    else read(compareDirty);
  }

  async function compareDirty(): Promise<void> {
    const files = [...dirty];
    dirty.clear();
    const changed: string[] = [];
    for (const [file, quiet] of files) {
      if (!(await contents.hasChanged(file))) continue;
      if (quiet || kindOf(file) === 'code') changed.push(path.relative(root, file).replaceAll(path.sep, '/'));
    }
    // A folder that is being removed loses its files first.
    const isMissing = files.length > 0 && !(await isThere(root));
    if (stopped || !unwatch) return;
    if (isMissing) onRootRemoved();
    else if (changed.length > 0) onChange(changed);
  }

  open();

  return {
    state: () => ({ watching, problem }),
    isSettled: settleState.isSettled,
    settleNow() {
      // Other events of the same moment come before the comparison.
      if (settleState.hurry() && !reading) timer.set(0, compare);
    },
    async stop() {
      stopped = true;
      timer.stop();
      watching = false;
      const closed = unwatch?.();
      unwatch = null;
      await Promise.all([closed, reading]);
    },
  };
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    (error: unknown) => systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR',
  );
