/** Saves what the ledger holds as a file: it comes in pieces, so that no more than one is waited for at a time. */
import type { LedgerExport } from '#contract/app/ledger.ts';
import { api } from '../../client/transport/orpc.ts';

/** So many pieces are put together into one, which the browser keeps on disk when it is large. */
const TOGETHER = 64;
/** A browser has taken the file by then. */
const SAVED_MS = 60_000;

const kinds = {
  jsonl: { type: 'application/jsonl', extension: 'jsonl' },
  csv: { type: 'text/csv', extension: 'csv' },
} as const;

/** `onProgress` is told how many jobs are in it so far; answers how many there are. */
export async function exportJobs(wanted: LedgerExport, onProgress: (jobs: number) => void): Promise<number> {
  const { type, extension } = kinds[wanted.format];
  let parts: Blob[] = [];
  let jobs = 0;
  for await (const piece of await api.jobs.export(wanted)) {
    parts.push(new Blob([piece.text]));
    if (parts.length === TOGETHER) parts = [new Blob(parts)];
    ({ jobs } = piece);
    onProgress(jobs);
  }
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `hangar-jobs-${new Date().toISOString().slice(0, 10)}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
  return jobs;
}
