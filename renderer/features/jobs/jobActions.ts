/** What can be done to a job, and why something cannot. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { isOver } from '../../ui/job/timeline.ts';

/** How long the service keeps a result. A job that was sent to be waited for is sent with `wait`. */
const keptMs = ({ mode }: LedgerEntry): number =>
  mode === 'run' ? limits.retentionMs.run : limits.retentionMs.runsyncWithWait;

const isForgotten = (entry: LedgerEntry, now: number): boolean =>
  entry.finishedAt !== null && now - entry.finishedAt > keptMs(entry);

export const KEPT_HERE_WORDS =
  'The service keeps a result only for a while after its job has ended. What came back is kept on this computer.';

/** Whether what is shown of it is to be had from the ledger alone. */
export const isKeptHereOnly = (entry: LedgerEntry, now: number): boolean =>
  entry.jobId !== null && (entry.status === 'GONE' || (isOver(entry) && isForgotten(entry, now)));

/** Null where it can be retried. */
export function whyNoRetry(entry: LedgerEntry, now: number): string | null {
  if (!isOver(entry)) return 'It has not ended yet.';
  if (entry.status === 'UNANSWERED') return 'No answer came, so there is no id to ask for. Use "Send again".';
  if (entry.jobId === null) return 'The service did not accept it. Use "Run again".';
  if (entry.status === 'GONE') return 'The service no longer knows it. Use "Run again".';
  if (entry.status !== 'FAILED' && entry.status !== 'TIMED_OUT') {
    return 'Only a job that failed or timed out can be retried. Use "Run again".';
  }
  return isForgotten(entry, now) ? 'The service has forgotten it: its results have expired. Use "Run again".' : null;
}

/** Null where it can be cancelled. */
export function whyNoCancel(entry: LedgerEntry): string | null {
  if (isOver(entry)) return 'It has ended.';
  return entry.jobId === null ? 'The service has not answered yet.' : null;
}
