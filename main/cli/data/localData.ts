/** The work on a data folder for the command line, for the case that no Hangar runs on it. */
import type { Places } from '#contract/bridge/data/places.ts';

export interface WorkProgress {
  doneBytes: number;
  totalBytes: number;
  doneFiles: number;
  totalFiles: number;
}

/** A data folder, and the folders that name it as the place that the data was moved to. */
export interface LocalFolder {
  dataDir: string;
  movedFrom: readonly string[];
  isDefault: boolean;
}

export interface Watched {
  onProgress: (progress: WorkProgress) => void;
  signal: AbortSignal;
}

export interface MoveResult {
  to: string;
  left: string[];
  skipped: string[];
}

export interface ExportResult {
  file: string;
  fileBytes: number;
  files: number;
  bytes: number;
  sha256: string;
  leftOut: readonly string[];
  unreadable: string[];
}

export interface ImportResult {
  files: number;
  bytes: number;
  /** The folder of the data from before; null if there was none. */
  aside: string | null;
}

export interface RemoveResult {
  removed: string[];
  left: string[];
}

/** Each method rejects with a sentence for a person, and while a Hangar uses the folder. */
export interface LocalData {
  /** All places, again and again while their sizes are counted. */
  places(folder: LocalFolder, signal: AbortSignal): AsyncIterable<Places>;
  /** The target of a move that was begun and is not complete; null if there is none. */
  unfinishedMove(dataDir: string): Promise<string | null>;
  /** Rejects while Pods run, which write into the folder. A Hangar may use the folder. */
  requireNoPods(dataDir: string): Promise<void>;
  /** Moves the folder, or goes on with the move. */
  move(dataDir: string, to: string, watched: Watched): Promise<MoveResult>;
  discardMove(dataDir: string): Promise<void>;
  export(dataDir: string, file: string, version: string, watched: Watched): Promise<ExportResult>;
  /** `replaces`: sets present data aside. */
  import(dataDir: string, file: string, version: string, replaces: boolean, watched: Watched): Promise<ImportResult>;
  /** Removes the keys in the keychain, containers, and all files. */
  remove(folder: LocalFolder, places: Places): Promise<RemoveResult>;
}
