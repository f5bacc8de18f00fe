/** Access to the files of one folder, or of a container, whatever reads and writes them. */
import type { VolumeFile, VolumeListing } from '#contract/local/files.ts';

/** An open file. Its content stays the same when another file replaces it. */
export interface OpenedFile {
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Reads this range of bytes. Rejects where the file has become shorter. */
  read(startByte: number, endByte: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Files in a folder of this machine, or in the container of a Pod, with paths in the format of the API contract. `root`: the folder,
 * which links cannot lead out of, or the id of the Pod. All methods reject with AppError: NOT_FOUND, CONFLICT where a file or folder
 * exists already, STORAGE_FULL.
 */
export interface FileSystem {
  list(root: string, path: string): Promise<VolumeListing>;
  /** The caller closes the file. */
  open(root: string, path: string): Promise<OpenedFile>;
  /**
   * Writes the whole file or nothing. `lengthBytes`: the length that the client announced. The bytes of `body` belong to the
   * file system, which may free their memory: see `releaseBytes`.
   */
  write(
    root: string,
    path: string,
    body: AsyncIterable<Uint8Array>,
    options: { mayReplace: boolean; lengthBytes: number | null },
  ): Promise<VolumeFile>;
  /** Deletes a file, or a folder with all its content. */
  remove(root: string, path: string, onlyEmpty?: boolean): Promise<void>;
  makeFolder(root: string, path: string): Promise<VolumeFile>;
  move(root: string, from: string, to: string): Promise<VolumeFile>;
}

/** Who is told about changes of a folder. */
export interface FolderListener {
  /** An entry was added, removed, renamed or written to. Called at most every 200 ms. */
  onChange(): void;
  /** Nothing more is reported: the folder was removed or replaced, or the system ended the watch. Called once at most. */
  onEnd(): void;
}

/** Reports changes of folders of this machine. */
export interface FolderWatcher {
  /**
   * Watches the entries of a folder, but not the content of the folders in it, nor the targets of links. `root` and `path` as
   * for `FileSystem`. Resolves with what ends the watch, once changes are noticed. Rejects with AppError: NOT_FOUND, and
   * UNSUPPORTED where the system reports no changes, such as on a network drive, or has no watch left.
   */
  watch(root: string, path: string, listener: FolderListener): Promise<() => void>;
}
