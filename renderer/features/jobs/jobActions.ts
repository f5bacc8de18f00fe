/** Actions for a job, and the reasons why one is not possible. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { t } from '../../language/text.ts';

/** How long the service keeps a result, in milliseconds. A /runsync job is sent with `wait`. */
const retentionMs = ({ mode }: LedgerEntry): number =>
  mode === 'run' ? limits.retentionMs.run : limits.retentionMs.runsyncWithWait;

const isForgotten = (entry: LedgerEntry, now: number): boolean =>
  entry.finishedAt !== null && now - entry.finishedAt > retentionMs(entry);

export const ONLY_STORED_HERE = t`Kept here. The service has removed its copy, as it does some time after each job.`;

/** Whether only the ledger still has the shown values, and not the service of another computer that had the job. */
export const isOnlyStoredHere = (entry: LedgerEntry, now: number): boolean =>
  entry.accountId !== THIS_MACHINE &&
  entry.jobId !== null &&
  (entry.status === 'GONE' || (isOver(entry) && isForgotten(entry, now)));

/**
 * Null if it can be retried as the same job. The reason fits one job and many, which the bar of chosen jobs retries; a
 * job that is open offers to run its input as a new job instead.
 */
export function whyNoRetry(entry: LedgerEntry, now: number): string | null {
  if (!isOver(entry)) return t`Only jobs that have ended can be retried.`;
  if (entry.status === 'UNANSWERED') return t`Jobs without an answer have no id. Open a job to send it again.`;
  if (entry.jobId === null) return t`The service did not accept them. Open a job to run its input as a new job.`;
  if (entry.status === 'GONE') return t`The service no longer knows them. Open a job to run its input as a new job.`;
  if (entry.status !== 'FAILED' && entry.status !== 'TIMED_OUT') {
    return t`Only jobs that failed or timed out can be retried. Open a job to run its input as a new job.`;
  }
  return isForgotten(entry, now) ? t`The service has deleted them. Open a job to run its input as a new job.` : null;
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

/** The same for many, of which none can be retried: the bar of chosen jobs has no button for a single job. */
export const removedManyWords = ({ accountName }: LedgerEntry): string =>
  t`These jobs ran on ${accountName}, which you removed. Open a job to run its input on this computer.`;

/** Null if it can be cancelled. The reason fits one job and many. */
export function whyNoCancel(entry: LedgerEntry): string | null {
  if (isOver(entry)) return t`Only jobs that have not ended can be cancelled.`;
  return entry.jobId === null ? t`The service has not answered yet.` : null;
}

/** Of a job whose webhook was not delivered. `reason`: its `webhookProblem`. */
export const undeliveredWords = (reason: string): string =>
  reason === '' ? t`Its webhook was not delivered.` : t`Its webhook was not delivered: ${reason}`;
