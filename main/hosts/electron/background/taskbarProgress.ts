/** The progress that the taskbar and the Dock show. */
import type { TransferProgress } from '../../../app/services/uploads.ts';

/** Electron's values for no bar, and for a bar without a known progress. */
export const NO_BAR = -1;
const INDETERMINATE = 2;

/**
 * The value of `setProgressBar`: the share of all bytes while files are transferred, from 0 to 1. The progress of jobs
 * is not known. `running`: the number of running jobs.
 */
export function progressOf(running: number, transfers: readonly TransferProgress[]): number {
  const totalBytes = transfers.reduce((sum, transfer) => sum + transfer.totalBytes, 0);
  const doneBytes = transfers.reduce((sum, transfer) => sum + transfer.doneBytes, 0);
  if (totalBytes > 0) return doneBytes / totalBytes;
  return running > 0 || transfers.length > 0 ? INDETERMINATE : NO_BAR;
}
