/** One reader for each job that has not ended, shared by all windows. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { AccountGone } from './asking.ts';
import type { StreamsOptions } from './port.ts';
import { readJobToItsEnd } from './reader.ts';
import { readWebhooksToTheirEnd } from './webhookReader.ts';

export interface Streams {
  /** Starts the reader of a job unless it has one; does nothing for an entry without a job id. */
  follow(entry: LedgerEntry): void;
  /** Starts to read the webhooks of an ended job, if it named one. */
  followWebhooks(entry: LedgerEntry): void;
  /** Resolves when the reader of this entry ends; immediately if it has none. */
  ended(entryId: string): Promise<void>;
  /** Refreshes the state of a watched job more often, until the returned function is called. */
  attend(entryId: string): () => void;
  /** Ends the jobs of a removed account as GONE. Resolves after that is written. */
  leave(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

/** Intervals between two polls of a waiting job: while a person watches it, and otherwise. */
const WATCHED_MS = 250;
const UNWATCHED_MS = 500;
/** Each unstarted job adds this much, which keeps all of them together under 100 requests per second. */
const PER_READER_MS = 10;
/** Time between two polls of a stream, for each stream of the same endpoint: two thirds of its rate. */
const PER_STREAM_MS = (1.5 * limits.rates.windowMs) / limits.rates.operations.stream.requests;
/** The first polls are quick: a warm worker takes a job within milliseconds. */
const FIRST_LOOKS_MS = [15, 30, 60, 120];

/**
 * The webhooks of so many jobs are read at a time. A failing webhook is read until its last attempt, which takes long.
 */
const WEBHOOK_READERS = 50;
/** At most so many jobs wait until their webhooks are read: as many deliveries as an engine lists. */
const WEBHOOKS_LATER = 10_000;

interface Reading {
  accountId: string;
  life: AbortController;
  done: Promise<void>;
}

export function createStreams(options: StreamsOptions): Streams {
  const stopping = new AbortController();
  const readers = new Map<string, Reading>();
  const watchers = new Map<string, number>();
  /** The number of open streams of each endpoint. */
  const streaming = new Map<string, number>();
  const webhookReaders = new Map<string, Reading>();
  /** Ended jobs whose webhooks are read after those that are read now, by entry. */
  const webhooksLater = new Map<string, LedgerEntry>();
  const { reach } = options;
  const failed = (entryId: string) => (thrown: unknown) =>
    options.logger.error({ err: thrown, entryId }, 'a stream reader failed');

  function begin(): { life: AbortController; signal: AbortSignal } {
    const life = new AbortController();
    return { life, signal: AbortSignal.any([life.signal, stopping.signal]) };
  }

  function followWebhooks(entry: LedgerEntry): void {
    const { entryId, jobId, accountId } = entry;
    if (jobId === null || webhookReaders.has(entryId) || stopping.signal.aborted) return;
    if (!options.journal.awaitsWebhooks(entryId)) return;
    if (webhookReaders.size >= WEBHOOK_READERS) {
      // Others stay open in the ledger until the next start.
      if (webhooksLater.size < WEBHOOKS_LATER) webhooksLater.set(entryId, entry);
      return;
    }
    webhooksLater.delete(entryId);
    const { life, signal } = begin();
    const done = readWebhooksToTheirEnd({ ...options, entry, jobId, signal })
      .catch(failed(entryId))
      .finally(() => {
        webhookReaders.delete(entryId);
        const [next] = webhooksLater.values();
        if (next === undefined) return;
        webhooksLater.delete(next.entryId);
        followWebhooks(next);
      });
    webhookReaders.set(entryId, { accountId, life, done });
  }

  const pace = (entryId: string): (() => number) => {
    let polls = 0;
    return () => {
      const usual = watchers.has(entryId) ? WATCHED_MS : Math.max(UNWATCHED_MS, readers.size * PER_READER_MS);
      const first = readers.size < 20 ? FIRST_LOOKS_MS[polls] : undefined;
      polls += 1;
      return first ?? usual;
    };
  };

  return {
    follow(entry) {
      const { entryId, jobId, accountId } = entry;
      if (jobId === null || readers.has(entryId) || stopping.signal.aborted) return;
      // The job was just sent, or the key was replaced: earlier refusals no longer count.
      reach.forgive(accountId);
      const endpoint = `${accountId}/${entry.endpointId}`;
      const count = (by: number): void => {
        const left = (streaming.get(endpoint) ?? 0) + by;
        if (left === 0) streaming.delete(endpoint);
        else streaming.set(endpoint, left);
      };
      let counted = false;
      const onStreaming = (now: boolean): void => {
        if (now !== counted) count(now ? 1 : -1);
        counted = now;
      };
      const pollGapMs = (): number => PER_STREAM_MS * (streaming.get(endpoint) ?? 1);
      const { life, signal } = begin();
      const done = readJobToItsEnd({
        ...options,
        entry,
        jobId,
        signal,
        refreshMs: pace(entryId),
        pollGapMs,
        onStreaming,
      })
        .catch(failed(entryId))
        .finally(() => {
          onStreaming(false);
          readers.delete(entryId);
          const now = options.journal.find(entryId);
          if (now) followWebhooks(now);
        });
      readers.set(entryId, { accountId, life, done });
    },
    followWebhooks,
    ended: (entryId) => readers.get(entryId)?.done ?? Promise.resolve(),
    attend(entryId) {
      watchers.set(entryId, (watchers.get(entryId) ?? 0) + 1);
      let attending = true;
      return () => {
        if (!attending) return;
        attending = false;
        const left = (watchers.get(entryId) ?? 1) - 1;
        if (left === 0) watchers.delete(entryId);
        else watchers.set(entryId, left);
      };
    },
    async leave(accountId) {
      const left = [...readers.values(), ...webhookReaders.values()].filter((one) => one.accountId === accountId);
      for (const { life } of left) life.abort(new AccountGone(''));
      await Promise.all(left.map(({ done }) => done));
    },
    async stop() {
      stopping.abort(new Error('Hangar is stopping.'));
      await Promise.all([...readers.values(), ...webhookReaders.values()].map(({ done }) => done));
    },
  };
}
