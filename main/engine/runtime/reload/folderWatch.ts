/** Watches one folder, and tells when what its workers run has become another. */
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import { fileKind, isLeftOut, type FileKind } from './watchedFiles.ts';

/** Files that are saved together are one change. */
const SETTLE_MS = 300;
/** How often a folder that is not there is looked for. */
const LOOK_EVERY_MS = 1000;
const DEPTH = 12;
/** Things in a folder: beyond, it is no folder of code, and watching it would cost more than it gives. */
const MOST_ENTRIES = 20_000;
const MOST_FILES = 2000;
/** Larger files are told apart by their time and size. */
const READ_BYTES = 512 * 1024;

export interface FolderWatch {
  /** Whether changes are noticed now; why not, for a person. */
  state(): { watching: boolean; problem: string | null };
  stop(): Promise<void>;
}

export interface FolderWatchOptions {
  clock: Clock;
  folder: string;
  /** Files that a command names; asked for anew at each look. */
  named(): ReadonlySet<string>;
  /** No worker of it is busy or starting: what changes now was not changed by them. */
  isQuiet(): boolean;
  /** Names in the folder, with `/`; none where all of it may be another. */
  onChange(files: readonly string[]): void;
}

/** What a file holds; null when there is none. */
async function fingerprint(file: string): Promise<string | null> {
  try {
    const { size, mtimeMs, mode } = await stat(file);
    if (size > READ_BYTES) return `${size} ${mtimeMs}`;
    return `${mode} ${createHash('sha1')
      .update(await readFile(file))
      .digest('base64')}`;
  } catch {
    // Gone, or not to be read: the handler cannot read it either.
    return null;
  }
}

export function watchFolder({ clock, folder, named, isQuiet, onChange }: FolderWatchOptions): FolderWatch {
  /** What the files held when workers last began with them. */
  let contents = new Map<string, string>();
  /** Changed files, and whether all was quiet when that was noticed. */
  const dirty = new Map<string, boolean>();
  let watcher: FSWatcher | null = null;
  let watching = false;
  let problem: string | null = null;
  let timer: Cancel | null = null;
  let comparing: Promise<void> | null = null;
  let stopped = false;
  let lost = false;

  function later(ms: number, run: () => void): void {
    timer?.();
    timer = stopped
      ? null
      : clock.after(ms, () => {
          timer = null;
          run();
        });
  }

  const kindOf = (file: string): FileKind => fileKind(path.join(folder, path.relative(root, file)), named());
  let root = folder;

  function open(): void {
    if (stopped) return;
    try {
      root = realpathSync(folder);
      if (!statSync(root).isDirectory()) throw new Error('it is not a folder');
    } catch {
      problem = `The folder ${folder} does not exist.`;
      lost = true;
      later(LOOK_EVERY_MS, open);
      return;
    }
    problem = null;
    let entries = 0;
    let ready = false;
    const files = new Set<string>();
    const opened = watch(root, {
      depth: DEPTH,
      followSymlinks: false,
      ignored(file, stats) {
        entries += ready ? 0 : 1;
        if (entries > MOST_ENTRIES || isLeftOut(root, file)) return true;
        return stats?.isFile() === true && kindOf(file) === null;
      },
    });
    watcher = opened;
    const tooLarge = (): boolean => entries > MOST_ENTRIES || files.size > MOST_FILES;
    const note = (file: string): void => {
      if (watcher !== opened) return;
      if (!ready) {
        if (kindOf(file) !== null) files.add(file);
        if (tooLarge()) refuse();
        return;
      }
      if (kindOf(file) === null) return;
      const quiet = isQuiet();
      dirty.set(file, (dirty.get(file) ?? true) && quiet);
      later(SETTLE_MS, compare);
    };
    const refuse = (): void => {
      leave(`The folder ${folder} holds too much to be watched. Keep data elsewhere, or start workers anew by hand.`);
    };
    opened.on('add', note).on('change', note).on('unlink', note);
    opened.on('unlinkDir', (removed) => {
      if (removed === root && watcher === opened) onRootRemoved();
    });
    opened.on('error', (error) => {
      if (watcher === opened) leave(`The folder ${folder} cannot be watched: ${(error as Error).message}.`);
    });
    opened.on('ready', () => {
      if (watcher !== opened) return;
      if (tooLarge()) {
        refuse();
        return;
      }
      ready = true;
      comparing = learn([...files]).then(() => {
        comparing = null;
      });
    });
  }

  /** Nothing more is noticed. */
  function leave(reason: string): void {
    const left = watcher;
    watcher = null;
    watching = false;
    problem = reason;
    void left?.close();
  }

  function onRootRemoved(): void {
    leave(`The folder ${folder} does not exist.`);
    dirty.clear();
    lost = true;
    later(LOOK_EVERY_MS, open);
  }

  /** Takes in what a folder holds when its watching begins. One that was away may have come back as another. */
  async function learn(files: string[]): Promise<void> {
    const now = new Map<string, string>();
    for (const file of files) {
      const print = await fingerprint(file);
      if (print !== null) now.set(file, print);
    }
    const cameBack = lost;
    lost = false;
    contents = now;
    watching = watcher !== null;
    if (cameBack && watching && !stopped) onChange([]);
  }

  function compare(): void {
    if (comparing) {
      later(SETTLE_MS, compare);
      return;
    }
    comparing = compareAll().then(() => {
      comparing = null;
    });
  }

  async function compareAll(): Promise<void> {
    const files = [...dirty];
    dirty.clear();
    const changed: string[] = [];
    for (const [file, quiet] of files) {
      const print = await fingerprint(file);
      if (print === (contents.get(file) ?? null)) continue;
      if (print === null) contents.delete(file);
      else contents.set(file, print);
      if (quiet || kindOf(file) === 'code') changed.push(path.relative(root, file).replaceAll(path.sep, '/'));
    }
    // A folder that is removed loses its files first; what is missing then is told as such.
    if (!stopped && watcher && files.length > 0 && !(await isThere(root))) onRootRemoved();
    else if (changed.length > 0 && !stopped && watcher) onChange(changed);
  }

  open();

  return {
    state: () => ({ watching, problem }),
    async stop() {
      stopped = true;
      timer?.();
      timer = null;
      const left = watcher;
      watcher = null;
      watching = false;
      await left?.close();
      await comparing;
    },
  };
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
