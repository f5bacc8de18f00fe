/** The ports of a stream reader: the journal for its results, and the access to the account. */
import type { ChunkGapCheck, JobFacts, LedgerEntry, LedgerWebhook } from '#contract/app/ledger.ts';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { ComputeApi } from '../compute/computeApi.ts';
import type { SentRequest } from '../platform/requestObserver.ts';
import type { Budget } from './rateBudget.ts';
import type { CircuitBreaker } from './circuitBreaker.ts';
import type { Wakeup } from './wakeup.ts';

/** The part of the ledger that readers write to. A write is stored once its promise resolves. */
export interface Journal {
  find(entryId: string): LedgerEntry | undefined;
  update(entryId: string, facts: JobFacts): LedgerEntry;
  appendChunks(
    entryId: string,
    at: number,
    texts: readonly string[],
    metrics?: readonly (string | null)[],
  ): Promise<void>;
  /** Its worker was lost and it starts anew: its streamed chunks are dropped. */
  restart(entryId: string, retries: number): LedgerEntry;
  /** `gap`: chunks may be lost. What the account still has of them is restored. */
  finish(entryId: string, facts: JobFacts, output: string | null, gap?: ChunkGapCheck): Promise<void>;
  /** Ends an entry that cannot be followed although its job may still exist. */
  giveUp(entryId: string, facts: JobFacts): Promise<void>;
  noteRequest(entryId: string, request: SentRequest): void;
  /** Whether its job named a webhook with results that are not known yet. */
  awaitsWebhooks(entryId: string): boolean;
  /** Null if the account does not report webhooks; `isLast` if no more results follow. */
  noteWebhooks(entryId: string, webhooks: readonly LedgerWebhook[] | null, isLast: boolean): void;
}

/** The requests to an account about a job. */
export interface JobSource {
  jobs: Pick<ComputeApi['jobs'], 'status' | 'stream'>;
  local: Pick<NonNullable<ComputeApi['local']>, 'timeline' | 'webhooks' | 'chunks'> | null;
}

export interface StreamsOptions {
  /** Throws NOT_FOUND for a removed account. */
  compute: (accountId: string) => JobSource;
  journal: Journal;
  budget: Budget;
  /** Shared with all other callers of unreachable accounts. */
  reach: CircuitBreaker;
  wakeup: Wakeup;
  clock: Clock;
  /** A number from 0 up to, but not including, 1. */
  random: () => number;
  logger: Logger;
}
