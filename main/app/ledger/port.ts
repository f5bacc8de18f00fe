/** The ledger's interface: writes about a job, and queries. */
import { isTerminal } from '#contract/api/job.ts';
import type { JobNote } from '#contract/local/jobFeed.ts';
import type { ShownSums } from '#contract/app/endpointReadModels.ts';
import type {
  ExpiringJobs,
  JobAttempt,
  JobCounts,
  OpenJobs,
  JobFacts,
  JobsToAttend,
  LedgerChunk,
  LedgerDetail,
  LedgerEntry,
  LedgerFilter,
  LedgerPage,
  LedgerWebhook,
  LedgerWebhooks,
  RequestLine,
  ChunkGapCheck,
} from '#contract/app/ledger.ts';
import type * as z from 'zod';
import type { SentRequest } from '../platform/requestObserver.ts';
import type { BatchRows } from './rows/batches.ts';
import type { AutoStopRows } from './rows/autoStops.ts';
import type { ResourceNameRows } from './rows/resourceNames.ts';
import type { PriceAlertRows } from './rows/priceAlerts.ts';
import type { PriceRows } from './rows/prices.ts';
import type { SavedRows } from './rows/saved.ts';
import type { Walked } from './search.ts';

/** The fields of a job before it is sent. */
export type NewEntry = Pick<
  LedgerEntry,
  'entryId' | 'accountId' | 'accountName' | 'endpointId' | 'endpointName' | 'mode' | 'sentAt'
> &
  Partial<Pick<LedgerEntry, 'client' | 'keyName' | 'preview'>> & {
    source?: LedgerEntry['source'] | undefined;
    tags?: string[] | undefined;
    retryOf?: string | undefined;
  };
/** The fields of an entry that an answer changes. Chunk counts and sizes follow from the payloads. */
export type EntryPatch = JobFacts & Partial<Pick<LedgerEntry, 'jobId' | 'retries' | 'preview' | 'tags'>>;

/** What one call of `record` wrote. */
export interface Recorded {
  /** About, in bytes. */
  bytes: number;
  /** Entries of which the note left out a large text. */
  large: { entryId: string; note: JobNote; lacksBody: boolean; lacksOutput: boolean }[];
  /** Entries that have ended and whose webhooks are not known yet. */
  awaitWebhooks: LedgerEntry[];
}

/** Chunks that were read beside their sender, who still gets them. */
export interface ReadChunks {
  /** The attempt of the job that they belong to. */
  retries: number;
  /** The number of the first of them. */
  index: number;
  at: number;
  /** Raw JSON of their outputs, and of the metrics beside them. */
  texts: readonly string[];
  metrics: readonly (string | null)[];
}

/** The part of the ledger that the feed of an engine writes to. */
export interface Recording {
  /**
   * Adds the jobs that are not known, and updates those that no reader of this app follows. A job that was retried gets
   * one more attempt in the same entry.
   */
  record(account: Pick<LedgerEntry, 'accountId' | 'accountName'>, notes: readonly JobNote[], now: number): Recorded;
  /** Adds texts that a note left out; null leaves one as it is. */
  addTexts(entryId: string, body: string | null, output: string | null): void;
  /** The entries of an account that have not ended and that only its feed reports, oldest first. */
  unfinishedByFeed(accountId: string): LedgerEntry[];
  /** This entry, if it is one of them. */
  findByFeed(entryId: string): LedgerEntry | undefined;
  /** Adds chunks that the entry does not have yet. False: only another attempt of it has such chunks, or nobody reports it. */
  addReadChunks(entryId: string, chunks: ReadChunks): boolean;
  /** Those of them that wait in a queue, newest first; at most `limit`. */
  queuedByFeed(accountId: string, limit: number): LedgerEntry[];
}

export interface EndpointPlace {
  readonly accountId: string;
  readonly endpointId: string;
}

/** Equal parts of a time. `from`: the start of the first one, milliseconds since the epoch. `stepMs`: the length of each. */
export interface MetricParts {
  readonly from: number;
  readonly stepMs: number;
  readonly points: number;
}

export interface SeenMetrics {
  total: ShownSums;
  /** Oldest first. */
  points: ShownSums[];
  /** The jobs that were submitted in this time, or ended in it. */
  jobs: number;
  /** Jobs that were sent in this time, and that the service refused or did not answer. They are not counted. */
  unaccepted: number;
}

/** Whether the entry is final. */
export const hasEnded = ({ status }: LedgerEntry): boolean =>
  isTerminal(status) || status === 'REFUSED' || status === 'UNANSWERED' || status === 'GONE';

export interface Ledger extends Recording {
  /** Lists of inputs that run against one endpoint. */
  readonly batches: BatchRows;
  /** Prices of GPU types that were seen. */
  readonly prices: PriceRows;
  /** Alerts about them. */
  readonly priceAlerts: PriceAlertRows;
  readonly autoStops: AutoStopRows;
  readonly resourceNames: ResourceNameRows;
  /** What a person saved in the window. */
  readonly saved: SavedRows;
  /** A message for a person about the state of the file at the start; null if there was no fault. */
  readonly notice: string | null;
  /**
   * Copies all that is written to a new file, while the ledger is used. Resolves to false if the ledger is not stored in
   * a file. Rejects with the error of SQLite.
   */
  snapshot(file: string): Promise<boolean>;
  /** Durable on return; called before the job is sent. Masks storage secrets in `body`. */
  add(entry: NewEntry, body: string): LedgerEntry;
  update(entryId: string, patch: EntryPatch): LedgerEntry;
  /**
   * `texts` are raw JSON, in order; their numbers continue after the last chunk. `metrics`: the raw JSON beside each of
   * them, null for none. Resolves after the commit.
   */
  appendChunks(
    entryId: string,
    at: number,
    texts: readonly string[],
    metrics?: readonly (string | null)[],
  ): Promise<void>;
  /** Drops its chunks: its worker was lost, and the next attempt streams from the start. */
  restart(entryId: string, retries: number): LedgerEntry;
  /** Starts the next attempt of a job that a person retried here. Drops its output and chunks; the facts of the attempt stay. */
  retried(entryId: string, at: number): LedgerEntry;
  /** Adds tags to entries, or takes them; at most `limits.ledger.tags` stay on one. Returns how many entries there were. */
  tag(entryIds: readonly string[], tags: readonly string[], change: 'add' | 'remove'): number;
  /** All tags of entries, in the order of the alphabet. */
  tags(): string[];
  /** The names of all API keys that entries were sent with, in the order of the alphabet. */
  keyNames(): string[];
  /** The attempts before the one that the entry shows, oldest first. */
  attempts(entryId: string): JobAttempt[];
  /**
   * The last write of an entry: its final state and its raw output. `gap`: chunks may be lost. They are restored from
   * its list of all chunks, or else from the output; the entry says if they cannot be. Resolves after the commit.
   */
  finish(entryId: string, patch: EntryPatch, output: string | null, gap?: ChunkGapCheck): Promise<void>;

  find(entryId: string): LedgerEntry | undefined;
  /** The newest entry whose service gave the job this id. */
  findJob(jobId: string): LedgerEntry | undefined;
  /** Throws NOT_FOUND. */
  entry(entryId: string): LedgerEntry;
  detail(entryId: string): LedgerDetail;
  /** The request body as it was sent, with masked storage secrets. */
  body(entryId: string): string;
  output(entryId: string): string | null;
  /** Its first characters, at most `length` of them; null if there is none. */
  outputStart(entryId: string, length: number): string | null;
  /** How many bytes it has in UTF-8; null if there is none. */
  outputSize(entryId: string): number | null;
  chunks(entryId: string, from: number, limit: number): LedgerChunk[];
  list(filter: LedgerFilter, offset: number, limit: number): LedgerPage;
  /** Counts the jobs of a filter without text; `since`: those sent from then on, in milliseconds since the epoch. */
  counts(filter: Pick<LedgerFilter, 'accountId' | 'endpointId'>, since: number): JobCounts;
  /** How many jobs of all accounts run and wait. */
  openJobs(): OpenJobs;
  /**
   * Failed jobs that were sent at or after `since`, grouped, and jobs that cannot start. `dismissed`: until when the
   * failures of a group are left out, by `failureKey`, and with `OTHER_FAILURES` the groups without a later failure. Times
   * are milliseconds since the epoch. Other work runs in between. Once `signal` aborts, it resolves with what it has
   * counted so far.
   */
  toAttend(since: number, dismissed: Readonly<Record<string, number>>, signal?: AbortSignal): Promise<JobsToAttend>;
  /**
   * What happened at an endpoint since `from`, in total and in equal parts, from its jobs in the ledger. Other work runs in
   * between. Once `signal` aborts, it resolves with what it has counted so far.
   */
  endpointMetrics(place: EndpointPlace, parts: MetricParts, signal?: AbortSignal): Promise<SeenMetrics>;
  /** Results that services which keep to `limits.retentionMs` delete after `now` and within this time. */
  expiring(now: number, withinMs: number): ExpiringJobs[];
  /** The next few entries that match a filter, newest first, below the number that the previous result returned. */
  walk(filter: LedgerFilter, below: number | null): Walked;
  /** The last entries, at most so many, that ended at or after the time (milliseconds since the epoch), oldest end first. */
  endedSince(at: number, most: number): string[];
  /** Entries without a final state that a reader follows, oldest first. */
  unfinished(): LedgerEntry[];
  /** Ends an entry that cannot be followed although its job may still exist: `takeUp` reverts that. */
  giveUp(entryId: string, patch: EntryPatch): Promise<void>;
  /** Reverts `giveUp` for all entries of an account; returns them. */
  takeUp(accountId: string): LedgerEntry[];

  noteRequest(entryId: string, request: SentRequest): void;
  requests(entryId: string): RequestLine[];
  /** `isLast`: no more webhook results follow. Null if the account does not report webhooks. */
  noteWebhooks(entryId: string, webhooks: readonly LedgerWebhook[] | null, isLast: boolean): void;
  webhooks(entryId: string): LedgerWebhooks;
  awaitsWebhooks(entryId: string): boolean;
  /** Notes that more results follow: a webhook is sent again. */
  awaitWebhooks(entryId: string): void;
  /** Ended entries with webhook calls that may still follow, oldest first. */
  awaitingWebhooks(): LedgerEntry[];

  /**
   * Removes at most `most` entries that ended before the time, oldest end first; null: at any time. Returns how many.
   */
  prune(finishedBefore: number | null, most: number): number;
  size(): { jobs: number; usedBytes: number; oldestSentAt: number | null };
  /** Removes ended entries; returns how many. They can be put back until they are discarded, also after a restart. */
  forget(entryIds: readonly string[]): number;
  /** Puts removed entries back with everything that belongs to them; returns how many. */
  restore(entryIds: readonly string[]): number;
  /** Deletes removed entries for good. */
  discard(entryIds: readonly string[]): void;
  /** The removed entries that can be put back, the oldest first. */
  removed(): string[];

  /** Calls the listener with the id of each new or changed entry. Returns a function that unsubscribes. */
  onChange(listener: (entryId: string) => void): () => void;

  /** A small fact beside the entries; undefined if there is none, or if it does not match the schema. */
  meta<S extends z.ZodType>(key: string, schema: S): z.output<S> | undefined;
  setMeta(key: string, value: unknown): void;

  stop(): void;
}
