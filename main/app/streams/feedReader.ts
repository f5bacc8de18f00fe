/**
 * Reads the feed of an engine into the ledger: every job that the engine has, whoever sent it. It reads at its own
 * pace, so that thousands of jobs a second slow neither the engine nor the app down; the engine keeps what was not read
 * yet.
 */
import { randomUUID } from 'node:crypto';
import { isTerminal, type JobView } from '#contract/api/job.ts';
import { toAppError } from '#contract/core/errors.ts';
import type { Account } from '#contract/app/account.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobFeed, JobNote } from '#contract/local/jobFeed.ts';
import type { Logger } from 'pino';
import type { JobFacts, LedgerEntry } from '#contract/app/ledger.ts';
import { pause, type Clock } from '../platform/clock.ts';

/** What a feed reader asks of an engine. */
export interface FeedSource {
  local: {
    feed(reader: string, after: number, waitMs: number, signal: AbortSignal): Promise<JobFeed>;
    /** The request of a job as it was sent. */
    request(jobId: string, signal: AbortSignal): Promise<string>;
    timeline(jobId: string, signal?: AbortSignal): Promise<{ waiting: { message: string } | null }>;
  } | null;
  jobs: {
    status(endpointId: string, jobId: string, signal?: AbortSignal): Promise<{ view: JobView; output: string | null }>;
  };
}

interface Lacking {
  entryId: string;
  note: JobNote;
  lacksBody: boolean;
  lacksOutput: boolean;
}

/** The part of the ledger that feed readers write to. */
export interface FeedJournal {
  record(
    account: Pick<LedgerEntry, 'accountId' | 'accountName'>,
    notes: readonly JobNote[],
    now: number,
  ): { bytes: number; large: Lacking[]; awaitWebhooks: LedgerEntry[] };
  addTexts(entryId: string, body: string | null, output: string | null): void;
  unfinishedByFeed(accountId: string): LedgerEntry[];
  queuedByFeed(accountId: string, limit: number): LedgerEntry[];
  find(entryId: string): LedgerEntry | undefined;
  update(entryId: string, facts: JobFacts): LedgerEntry;
  finish(entryId: string, facts: JobFacts, output: string | null): Promise<void>;
}

export interface FeedReaderOptions {
  account: Pick<Account, 'id' | 'name'>;
  source: () => FeedSource;
  journal: FeedJournal;
  /** Whether this app sends or retries a job right now: the answer will tell which one it is. */
  isSending: () => boolean;
  /** Resolves once the last chunks of these ended jobs are read, where somebody watches them. */
  chunksRead: (jobIds: readonly string[]) => Promise<void>;
  /** Whether the feed is wanted now. Another machine is asked only while a window shows jobs. */
  isWanted: () => boolean;
  /** Whether the disk has room for more. Without room, the reader waits, and the engine keeps the jobs meanwhile. */
  hasRoom: () => boolean;
  /** Begins to read the webhooks of an ended job. */
  followWebhooks: (entry: LedgerEntry) => void;
  /** Called with the number of bytes that were written, about. */
  onWritten: (bytes: number) => void;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}

/** Time between two reads while jobs change. With the paces of bridge and page, a change is shown within 150 ms. */
const PACE_MS = 50;
/** Jobs of one transaction. Other work runs between two of them. */
const AT_ONCE = 50;
/** The reader rests this many times as long as it worked, so that a flood of jobs takes a quarter of its process. */
const REST_FACTOR = 3;
const FIRST_RETRY_MS = 500;
const MOST_RETRY_MS = 30_000;
/** Time between two checks whether the feed is wanted, and whether there is room for it. */
const UNWANTED_MS = 500;
/** Longest wait for the answer of a job that this app sends. */
const SENDING_MS = 10_000;

const FORGOTTEN =
  'The engine no longer knows this job: its time to live or its retention had ended, or its data was removed, before its end was read.';

const REASON_EVERY_MS = 2000;
/** Jobs of which the reason is asked, the newest: about as many as a person sees. */
const REASONS = 20;

/**
 * Keeps the reasons why jobs wait current while a person may look: a reason changes without a change of its job. Runs
 * until the signal is aborted. Never rejects.
 */
export async function readReasons(options: FeedReaderOptions, isAttended: () => boolean): Promise<void> {
  const { account, source, journal, clock, logger, signal } = options;
  while (!signal.aborted) {
    await pause(clock, REASON_EVERY_MS, signal);
    if (!isAttended()) continue;
    try {
      for (const { entryId, jobId } of journal.queuedByFeed(account.id, REASONS)) {
        if (signal.aborted || jobId === null) break;
        const message = (await source().local?.timeline(jobId, signal))?.waiting?.message ?? null;
        const now = journal.find(entryId);
        if (now?.status === 'IN_QUEUE' && message !== null && now.waiting !== message) {
          journal.update(entryId, { waiting: message });
        }
      }
    } catch (error) {
      logger.debug({ err: error, accountId: account.id }, 'the reasons of waiting jobs could not be read');
    }
  }
}

/** Runs until the signal is aborted. Never rejects. */
export async function readFeed(options: FeedReaderOptions): Promise<void> {
  const { account, source, journal, isSending, chunksRead, followWebhooks } = options;
  const { isWanted, hasRoom, onWritten, clock, logger, signal } = options;
  const place = { accountId: account.id, accountName: account.name };
  const reader = randomUUID();
  let after = 0;
  /**
   * Jobs that had not ended when the reader started, and that the engine has not mentioned yet; null once it has told
   * all.
   */
  let unseen: Map<string, LedgerEntry> | null = new Map(
    journal.unfinishedByFeed(account.id).flatMap((entry) => (entry.jobId === null ? [] : [[entry.jobId, entry]])),
  );
  let failures = 0;

  async function untilRoom(): Promise<void> {
    while (!hasRoom() && !signal.aborted) await pause(clock, UNWANTED_MS, signal);
  }

  async function readLarge({ entryId, note, lacksBody, lacksOutput }: Lacking): Promise<void> {
    const { local, jobs } = source();
    const body = lacksBody && local ? await local.request(note.id, signal) : null;
    const output = lacksOutput ? (await jobs.status(note.endpointId, note.id, signal)).output : null;
    journal.addTexts(entryId, body, output);
    onWritten((body?.length ?? 0) + (output?.length ?? 0));
  }

  async function write(notes: readonly JobNote[]): Promise<void> {
    for (let from = 0; from < notes.length && !signal.aborted; from += AT_ONCE) {
      await untilRoom();
      if (signal.aborted) return;
      const startedAt = performance.now();
      const { bytes, large, awaitWebhooks } = journal.record(place, notes.slice(from, from + AT_ONCE), clock.now());
      onWritten(bytes);
      for (const entry of awaitWebhooks) followWebhooks(entry);
      const tookMs = performance.now() - startedAt;
      for (const lacking of large) {
        await untilRoom();
        // A text that was deleted in the meantime keeps its size alone.
        await readLarge(lacking).catch((error: unknown) =>
          logger.debug({ err: error }, 'a text of a job was not read'),
        );
      }
      await pause(clock, tookMs * REST_FACTOR, signal);
    }
  }

  /** A job of this app is in the feed before its answer is here: the answer names its entry. */
  async function untilSent(notes: readonly JobNote[]): Promise<void> {
    const giveUpAt = clock.now() + SENDING_MS;
    const isOwn = notes.some(({ sender, retries }) => sender.own || retries > 0);
    while (isOwn && isSending() && clock.now() < giveUpAt && !signal.aborted) await pause(clock, 10, signal);
  }

  async function endUnseen(): Promise<void> {
    for (const { entryId } of unseen?.values() ?? []) {
      await journal.finish(entryId, { status: 'GONE', error: FORGOTTEN, waiting: null, finishedAt: clock.now() }, null);
    }
    unseen = null;
  }

  async function readOnce(): Promise<void> {
    const { local } = source();
    if (!local) return;
    const feed = await local.feed(reader, after, unseen ? 0 : limits.jobFeedHoldMs, signal);
    if (feed.missed > 0)
      logger.warn({ missed: feed.missed, ...place }, 'jobs came and went faster than they were recorded');
    await untilSent(feed.jobs);
    await chunksRead(feed.jobs.flatMap(({ id, status }) => (isTerminal(status) ? [id] : [])));
    for (const { id } of feed.jobs) unseen?.delete(id);
    await write(feed.jobs);
    after = feed.number;
    if (!feed.more && unseen) await endUnseen();
    failures = 0;
    if (!feed.more) await pause(clock, PACE_MS, signal);
  }

  while (!signal.aborted) {
    try {
      if (isWanted() && hasRoom()) await readOnce();
      else await pause(clock, UNWANTED_MS, signal);
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toAppError(thrown);
      logger.debug({ reason: error.message, ...place }, 'the feed of jobs could not be read; trying again');
      const delayMs = Math.min(MOST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
      failures = Math.min(failures + 1, 10);
      // An engine of an earlier version has no feed, and a key may not be allowed to read it.
      await pause(
        clock,
        ['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED'].includes(error.code) ? MOST_RETRY_MS : delayMs,
        signal,
      );
    }
  }
}
