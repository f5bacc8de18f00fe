/** Reports the files of a folder: first all existing ones, then each that is added, changed or removed. */
import path from 'node:path';
import { watch } from 'chokidar';
import * as z from 'zod';

/** The maximum depth of watched folders. */
const DEPTH = 12;
/** A folder with more entries contains data, not only code: watching it costs more than it helps. */
const MOST_ENTRIES = 20_000;
const MOST_FILES = 2000;

/** What the watcher says of an event of the system: the watched folder that it is about. */
const rawDetailsSchema = z.object({ watchedPath: z.string() });

export interface FolderEvents {
  /** Called with the existing files at the beginning. */
  onReady(files: readonly string[]): void;
  /**
   * Called for each file that is added, changed or removed: at once with the event of the system, and again when the
   * watcher has read the folder.
   */
  onFile(file: string): void;
  onRootRemoved(): void;
  /** Called when the folder cannot be watched. `reason` is null where it has too many entries. No reports follow. */
  onFailure(reason: Error | null): void;
}

export interface FolderEventsOptions extends FolderEvents {
  /** The real path of the folder. */
  root: string;
  /** Whether to ignore this path and everything below it. */
  isIgnored(path: string): boolean;
  /** Whether to report changes of this file. */
  isRelevant(file: string): boolean;
}

/** Stops the reports. */
export type Unwatch = () => Promise<void>;

export function reportFolder(options: FolderEventsOptions): Unwatch {
  const { root, isIgnored, isRelevant, onReady, onFile, onRootRemoved, onFailure } = options;
  let state: 'reading' | 'watching' | 'closed' = 'reading';
  let entries = 0;
  const files = new Set<string>();
  const watcher = watch(root, {
    depth: DEPTH,
    followSymlinks: false,
    ignored(path, stats) {
      if (state === 'reading') entries += 1;
      if (entries > MOST_ENTRIES || isIgnored(path)) return true;
      return stats?.isFile() === true && !isRelevant(path);
    },
  });

  function close(): Promise<void> {
    state = 'closed';
    return watcher.close();
  }

  function fail(reason: Error | null): void {
    void close();
    onFailure(reason);
  }

  const isTooLarge = (): boolean => entries > MOST_ENTRIES || files.size > MOST_FILES;

  function note(file: string): void {
    if (state === 'closed') return;
    if (state === 'reading') {
      if (isRelevant(file)) files.add(file);
      if (isTooLarge()) fail(null);
    } else if (isRelevant(file)) onFile(file);
  }

  /** The watcher reads a folder before it reports a file, which takes up to a few hundred milliseconds. */
  watcher.on('raw', (_event, name, details) => {
    if (state !== 'watching' || !name) return;
    const read = rawDetailsSchema.safeParse(details);
    if (!read.success) return;
    const file = path.resolve(read.data.watchedPath, name);
    if (!isIgnored(file)) note(file);
  });
  watcher.on('add', note).on('change', note).on('unlink', note);
  watcher.on('unlinkDir', (removed) => {
    if (removed === root && state !== 'closed') onRootRemoved();
  });
  watcher.on('error', (error) => {
    if (state !== 'closed') fail(error instanceof Error ? error : new Error(String(error)));
  });
  watcher.on('ready', () => {
    if (state !== 'reading') return;
    if (isTooLarge()) {
      fail(null);
      return;
    }
    state = 'watching';
    onReady([...files]);
  });
  return close;
}
