/** What a stream reader needs from its surroundings: where it notes what came back, and how it reaches the account. */
import type { LedgerEntry } from '#contract/ledger.ts';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { ComputeApi } from '../directory.ts';

export type JobFacts = Partial<
  Pick<
    LedgerEntry,
    | 'status'
    | 'workerStartedAt'
    | 'startedAt'
    | 'finishedAt'
    | 'delayTime'
    | 'executionTime'
    | 'workerId'
    | 'error'
    | 'waiting'
  >
>;

/** The part of the ledger that readers write to. What it was given is kept once its promise settles. */
export interface Journal {
  update(entryId: string, facts: JobFacts): LedgerEntry;
  appendChunks(entryId: string, at: number, texts: readonly string[]): Promise<void>;
  /** Its worker was lost and it starts anew: what it had streamed is dropped. */
  restart(entryId: string, retries: number): LedgerEntry;
  finish(entryId: string, facts: JobFacts, output: string | null): Promise<void>;
}

/** What is asked of an account about a job. */
export interface JobSource {
  jobs: Pick<ComputeApi['jobs'], 'status' | 'stream'>;
  local: Pick<NonNullable<ComputeApi['local']>, 'timeline'> | null;
}

export interface StreamsOptions {
  /** Throws NOT_FOUND for an account that is gone. */
  compute: (accountId: string) => JobSource;
  journal: Journal;
  clock: Clock;
  logger: Logger;
}
