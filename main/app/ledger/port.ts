/** The ledger's interface: writes about a job, and queries. */
import { isTerminal } from '#contract/api/job.ts';
import type {
  LedgerChunk,
  LedgerDetail,
  LedgerEntry,
  LedgerFilter,
  LedgerPage,
  LedgerWebhook,
  LedgerWebhooks,
  RequestLine,
} from '#contract/app/ledger.ts';
import type * as z from 'zod';
import type { SentRequest } from '../platform/requestObserver.ts';
import type { Walked } from './search.ts';

/** The fields of a job that is about to be sent. */
export type NewEntry = Pick<
  LedgerEntry,
  'entryId' | 'accountId' | 'accountName' | 'endpointId' | 'endpointName' | 'mode' | 'sentAt'
>;
/** What an answer may change; chunk counts and sizes follow from the payloads. */
export type EntryPatch = Partial<
  Pick<
    LedgerEntry,
    | 'jobId'
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

/** Whether nothing more comes back for an entry. */
export const hasEnded = ({ status }: LedgerEntry): boolean =>
  isTerminal(status) || status === 'REFUSED' || status === 'UNANSWERED' || status === 'GONE';

export interface Ledger {
  /** What a person must be told about how its file was found; null when all was well. */
  readonly notice: string | null;
  /** Durable when it returns: called before the job is sent. Storage secrets in `body` are masked. */
  add(entry: NewEntry, body: string): LedgerEntry;
  update(entryId: string, patch: EntryPatch): LedgerEntry;
  /** `texts` are raw JSON, in order; they are numbered on from the last one. Settles once they are committed. */
  appendChunks(entryId: string, at: number, texts: readonly string[]): Promise<void>;
  /** Drops its chunks: its worker was lost, and the next attempt streams from the start. */
  restart(entryId: string, retries: number): LedgerEntry;
  /**
   * The last write of an entry: its final state together with its raw output. `mayHaveGap`: chunks may be lost, and are looked for in
   * the output. Settles once it is committed.
   */
  finish(entryId: string, patch: EntryPatch, output: string | null, mayHaveGap?: boolean): Promise<void>;

  find(entryId: string): LedgerEntry | undefined;
  /** Throws NOT_FOUND. */
  entry(entryId: string): LedgerEntry;
  detail(entryId: string): LedgerDetail;
  output(entryId: string): string | null;
  chunks(entryId: string, from: number, limit: number): LedgerChunk[];
  list(filter: LedgerFilter, offset: number, limit: number): LedgerPage;
  /** The next few that fit a filter, newest first, of those below a number that the answer before this one gave. */
  walk(filter: LedgerFilter, below: number | null): Walked;
  /** Entries whose end is not known yet, oldest first. */
  unfinished(): LedgerEntry[];
  /** Ends an entry whose job may still be there, but cannot be followed: `takeUp` brings it back. */
  giveUp(entryId: string, patch: EntryPatch): Promise<void>;
  /** Those of an account that were given up are as they were before; answers them. */
  takeUp(accountId: string): LedgerEntry[];

  noteRequest(entryId: string, request: SentRequest): void;
  requests(entryId: string): RequestLine[];
  /** `isLast`: nothing more will come of them, or nobody tells of them: then null is noted. */
  noteWebhooks(entryId: string, webhooks: readonly LedgerWebhook[] | null, isLast: boolean): void;
  webhooks(entryId: string): LedgerWebhooks;
  awaitsWebhooks(entryId: string): boolean;
  /** Ended entries whose webhooks may still be called, oldest first. */
  awaitingWebhooks(): LedgerEntry[];

  /** Removes the ended entries that ended first, and before a moment where one is given; answers how many went. */
  prune(finishedBefore: number | null, most: number): number;
  size(): { jobs: number; usedBytes: number; oldestSentAt: number | null };
  /** Removes ended entries; answers how many went. */
  forget(entryIds: readonly string[]): number;

  /** Called with the id of each entry that is new or has changed. Answers how to stop that. */
  onChange(listener: (entryId: string) => void): () => void;

  /** A small fact kept beside the entries; undefined when there is none, or none that fits the schema. */
  meta<S extends z.ZodType>(key: string, schema: S): z.output<S> | undefined;
  setMeta(key: string, value: unknown): void;

  stop(): void;
}
