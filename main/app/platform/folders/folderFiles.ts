/** The operations on files that every folder has, whoever reads and writes it. */
import type { VolumeListing } from '#contract/local/files.ts';

/** The files below one folder. Paths begin in it. All calls reject with AppError. */
export interface FolderFiles {
  list(path: string): Promise<VolumeListing>;
  makeFolder(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Removes a folder with its content, unless only an empty one may go. Links are removed, their targets stay. */
  remove(path: string, onlyEmpty?: boolean): Promise<void>;
  /** Up to `most` bytes from the byte `from` on; none behind the end. */
  read(path: string, from: number, most: number): Promise<Uint8Array>;
}
