/** What a stream reader needs from its surroundings: where it notes what came back, and how it reaches the account. */
import type { LedgerEntry, LedgerWebhook } from '#contract/app/ledger.ts';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { ComputeApi } from '../compute/computeApi.ts';
import type { SentRequest } from '../platform/requestObserver.ts';
import type { Budget } from './rateBudget.ts';
import type { CircuitBreaker } from './circuitBreaker.ts';
import type { Wakeup } from './wakeup.ts';

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
    | 'chunkGap'
  >
>;

/** The part of the ledger that readers write to. What it was given is kept once its promise settles. */
export interface Journal {
  find(entryId: string): LedgerEntry | undefined;
  update(entryId: string, facts: JobFacts): LedgerEntry;
  appendChunks(entryId: string, at: number, texts: readonly string[]): Promise<void>;
  /** Its worker was lost and it starts anew: what it had streamed is dropped. */
  restart(entryId: string, retries: number): LedgerEntry;
  /** `mayHaveGap`: chunks may be lost, and are looked for in the output. */
  finish(entryId: string, facts: JobFacts, output: string | null, mayHaveGap?: boolean): Promise<void>;
  /** Ends an entry that cannot be followed although its job may still be there. */
  giveUp(entryId: string, facts: JobFacts): Promise<void>;
  noteRequest(entryId: string, request: SentRequest): void;
  /** Whether its job has named a webhook of which not all is known. */
  awaitsWebhooks(entryId: string): boolean;
  /** Null where nobody tells of them; `isLast` where nothing more will come. */
  noteWebhooks(entryId: string, webhooks: readonly LedgerWebhook[] | null, isLast: boolean): void;
}

/** The requests to an account about a job. */
export interface JobSource {
  jobs: Pick<ComputeApi['jobs'], 'status' | 'stream'>;
  local: Pick<NonNullable<ComputeApi['local']>, 'timeline' | 'webhooks'> | null;
}

export interface StreamsOptions {
  /** Throws NOT_FOUND for an account that is gone. */
  compute: (accountId: string) => JobSource;
  journal: Journal;
  budget: Budget;
  /** Shared with whoever else asks accounts that are away. */
  reach: CircuitBreaker;
  wakeup: Wakeup;
  clock: Clock;
  /** From 0 to below 1. */
  random: () => number;
  logger: Logger;
}
