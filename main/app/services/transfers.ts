/** The running transfers of files between pages and volumes or Pods, with their progress. */
import type { Clock } from '../platform/clock.ts';
import type { TransferProgress, Uploads } from './uploads.ts';

export interface Transfers {
  list(): readonly TransferProgress[];
  /**
   * Notes that a page has read the file up to the byte `doneBytes`. A download is a series of such reads. `file`
   * identifies the file.
   */
  noteRead(file: string, progress: TransferProgress): void;
}

/** A download counts as running until its last byte, or until no read followed for this time. */
const READ_MS = 10_000;

export function createTransfers({ uploads, clock }: { uploads: Pick<Uploads, 'list'>; clock: Clock }): Transfers {
  const downloads = new Map<string, TransferProgress & { readonly at: number }>();
  return {
    list() {
      for (const [file, { at }] of downloads) if (clock.now() - at >= READ_MS) downloads.delete(file);
      return [...uploads.list(), ...downloads.values()];
    },
    noteRead(file, { doneBytes, totalBytes }) {
      if (doneBytes >= totalBytes) downloads.delete(file);
      else downloads.set(file, { doneBytes, totalBytes, at: clock.now() });
    },
  };
}
