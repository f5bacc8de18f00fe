/**
 * The requests of one reader about its job. A failed request is noted in the journal if it says something about the
 * job.
 */
import { isTerminal } from '#contract/api/job.ts';
import { AppError, mayHaveExecuted } from '#contract/core/errors.ts';
import { rawField } from '#contract/core/jsonScanner.ts';
import type { JobFacts, LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobTimeline } from '#contract/local/engine.ts';
import type { JobChunks } from '#contract/local/jobFeed.ts';
import { createAsking, UnreachableError } from './asking.ts';
import type { JobSource, StreamsOptions } from './port.ts';

type Jobs = JobSource['jobs'];

export interface JobQuestions {
  status(): ReturnType<Jobs['status']>;
  /** Null if the account has only the job API. */
  timeline(): Promise<JobTimeline | null>;
  /** The next chunks; null if the account does not stream. */
  stream(): Promise<Awaited<ReturnType<Jobs['stream']>> | null>;
  /** Every chunk of the last attempt of an ended job; null if the account cannot answer them again. */
  allChunks(): Promise<string[] | null>;
}

export interface JobQuestionsOptions extends StreamsOptions {
  entry: LedgerEntry;
  jobId: string;
  signal: AbortSignal;
  /** Notes facts of the job. */
  note: (facts: JobFacts) => void;
}

const WITHOUT_CHUNKS: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN', 'UNSUPPORTED']);

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
    async allChunks() {
      const texts: string[] = [];
      let after: string | null = null;
      try {
        for (;;) {
          const from: string | null = after;
          const answer: JobChunks | null = await ask(
            null,
            async ({ local }) => local && (await local.chunks(jobId, from, 0, signal)),
          );
          if (!answer) return null;
          texts.push(...answer.chunks.map((chunk) => rawField(chunk, 'output') ?? chunk));
          if (isTerminal(answer.status)) return texts;
          if (answer.chunks.length === 0) return null;
          after = answer.next;
        }
      } catch (thrown) {
        // An older engine has no such route, and the key may not be allowed to use it.
        if (thrown instanceof AppError && WITHOUT_CHUNKS.has(thrown.code)) return null;
        throw thrown;
      }
    },
  };
}
