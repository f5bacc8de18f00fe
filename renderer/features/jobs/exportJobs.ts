/** Saves jobs of the ledger as a file. The content arrives in pieces, one at a time. */
import type { LedgerExport } from '#contract/app/ledger.ts';
import { api } from '../../client/transport/orpc.ts';
import { savePieces } from '../../ui/files/savePieces.ts';

/** Calls `onProgress` with the number of jobs so far. Returns the number of all jobs. */
export async function exportJobs(wanted: LedgerExport, onProgress: (jobs: number) => void): Promise<number> {
  const name = `hangar-jobs-${new Date().toISOString().slice(0, 10)}`;
  return savePieces(await api.jobs.export(wanted), wanted.format, name, onProgress);
}
