/**
 * What the handler of a running job reports about it. The service has the last report alone, as the output of a job that
 * has not ended.
 */
import { isTerminal } from '#contract/api/job.ts';
import type { JobProgress } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { hasEnded, type Ledger } from '../../ledger/ledger.ts';
import type { Budget } from '../../streams/rateBudget.ts';
import type { Directory } from '../directory.ts';

export interface JobProgressOptions {
  directory: Pick<Directory, 'compute'>;
  ledger: Pick<Ledger, 'entry'>;
  budget: Pick<Budget, 'take'>;
}

/**
 * Reads the last report of a job from its account. Throws NOT_FOUND for an unknown entry or account, and the errors of
 * the account. The request is not noted beside the job: it would stand between every two of those that follow it.
 */
export type ReadJobProgress = (entryId: string, signal: AbortSignal) => Promise<JobProgress>;

const NONE: JobProgress = { text: null, leftOutBytes: null };

export const createJobProgress =
  ({ directory, ledger, budget }: JobProgressOptions): ReadJobProgress =>
  async (entryId, signal) => {
    const entry = ledger.entry(entryId);
    if (entry.jobId === null || hasEnded(entry)) return NONE;
    const { jobs } = directory.compute(entry.accountId);
    const release = await budget.take(entry, 'status', signal);
    try {
      const { view, output } = await jobs.status(entry.endpointId, entry.jobId, signal);
      // A job that has just ended answers its result.
      if (isTerminal(view.status) || output === null) return NONE;
      const bytes = Buffer.byteLength(output);
      return bytes > limits.progressBytes ? { text: null, leftOutBytes: bytes } : { text: output, leftOutBytes: null };
    } finally {
      release();
    }
  };
