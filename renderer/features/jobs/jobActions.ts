/** Actions for a job, and the reasons why one is not possible. */
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { isOver } from '../../ui/job/timeline.ts';
import { t } from '../../language/text.ts';

/** How long the service keeps a result, in milliseconds. A /runsync job is sent with `wait`. */
const retentionMs = ({ mode }: LedgerEntry): number =>
  mode === 'run' ? limits.retentionMs.run : limits.retentionMs.runsyncWithWait;

const isForgotten = (entry: LedgerEntry, now: number): boolean =>
  entry.finishedAt !== null && now - entry.finishedAt > retentionMs(entry);

export const ONLY_STORED_HERE = t`The service deletes results some time after the job. Hangar keeps them on this computer.`;

/** Whether only the ledger still has the shown values. */
export const isOnlyStoredHere = (entry: LedgerEntry, now: number): boolean =>
  entry.jobId !== null && (entry.status === 'GONE' || (isOver(entry) && isForgotten(entry, now)));

/** Null if it can be retried. */
export function whyNoRetry(entry: LedgerEntry, now: number): string | null {
  if (!isOver(entry)) return t`It has not ended yet.`;
  if (entry.status === 'UNANSWERED') return t`No answer came, so the job has no id. Use "Send again".`;
  if (entry.jobId === null) return t`The service did not accept it. "Retry" runs its input as a new job.`;
  if (entry.status === 'GONE') return t`The service no longer knows it. "Retry" runs its input as a new job.`;
  if (entry.status !== 'FAILED' && entry.status !== 'TIMED_OUT') {
    return t`Only a job that failed or timed out can be retried. "Retry" runs its input as a new job.`;
  }
  return isForgotten(entry, now) ? t`The service has deleted it. "Retry" runs its input as a new job.` : null;
}

/** Why a job of an account that the person removed cannot be sent there again. */
export const removedWords = ({ accountName }: LedgerEntry): string =>
  t`This job ran on ${accountName}, which you removed. "Edit and run here" runs its input on this computer.`;

/** Null if a new job can be sent with this request body. */
export function whyNoNewRun(body: string): string | null {
  if (body === '') return t`Its input was not recorded.`;
  // Storage secrets are not stored, so such a job cannot be sent unchanged.
  return topLevelSpans(body).has('s3Config')
    ? t`Its storage keys (s3Config) were not saved. Use "Edit and run…".`
    : null;
}

/** Null if it can be cancelled. */
export function whyNoCancel(entry: LedgerEntry): string | null {
  if (isOver(entry)) return t`It has ended.`;
  return entry.jobId === null ? t`The service has not answered yet.` : null;
}
