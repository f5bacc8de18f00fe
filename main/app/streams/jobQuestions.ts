/**
 * The requests of one reader about its job. A failed request is noted in the journal if it says something about the
 * job.
 */
import { AppError, mayHaveExecuted } from '#contract/core/errors.ts';
import type { JobFacts, LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobTimeline } from '#contract/local/engine.ts';
import { createAsking, UnreachableError } from './asking.ts';
import type { JobSource, StreamsOptions } from './port.ts';

type Jobs = JobSource['jobs'];

export interface JobQuestions {
  status(): ReturnType<Jobs['status']>;
  /** Null if the account has only the job API. */
  timeline(): Promise<JobTimeline | null>;
  /** The next chunks; null if the account does not stream. */
  stream(): Promise<Awaited<ReturnType<Jobs['stream']>> | null>;
}

export interface JobQuestionsOptions extends StreamsOptions {
  entry: LedgerEntry;
  jobId: string;
  signal: AbortSignal;
  /** Notes facts of the job. */
  note: (facts: JobFacts) => void;
}

/** Every request rejects with the errors of `Asking`, an AppError, or the reason of the signal. */
export function createJobQuestions(options: JobQuestionsOptions): JobQuestions {
  const { entry, jobId, signal, note } = options;
  const { endpointId } = entry;
  /** False after the account answered that it does not stream: only the status remains. */
  let hasStream = true;
  /** Also true where an earlier run of the app ended while the account was away. */
  let isTroubled = entry.trouble !== null;
  const asking = createAsking({
    ...options,
    onTrouble(error) {
      isTroubled = true;
      note({ trouble: error.message });
    },
  });
  const ask: typeof asking.ask = async (operation, call) => {
    const answer = await asking.ask(operation, call);
    if (isTroubled) note({ trouble: null });
    isTroubled = false;
    return answer;
  };

  return {
    status: () => ask('status', ({ jobs }) => jobs.status(endpointId, jobId, signal)),
    timeline: async () =>
      asking.source().local && ask(null, async ({ local }) => (local ? await local.timeline(jobId, signal) : null)),
    async stream() {
      if (!hasStream) return null;
      try {
        return await ask('stream', ({ jobs }) => jobs.stream(endpointId, jobId, limits.streamHoldMs, signal));
      } catch (thrown) {
        const error = thrown instanceof UnreachableError ? thrown.error : thrown;
        if (!(error instanceof AppError)) throw thrown;
        // The service sends each chunk once: the chunks of a lost answer do not come again.
        if (mayHaveExecuted(error)) note({ chunkGap: 'possible' });
        if (error.code !== 'UNSUPPORTED') throw thrown;
        hasStream = false;
        return null;
      }
    },
  };
}
