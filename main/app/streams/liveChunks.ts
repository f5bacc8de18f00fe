/**
 * The chunks of jobs that others sent, while somebody watches: read beside the sender, who still gets each chunk. Only
 * an engine of Hangar can tell them so.
 */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { isTerminal } from '#contract/api/job.ts';
import { toAppError } from '#contract/core/errors.ts';
import { metricsBeside, rawField } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobChunks } from '#contract/local/jobFeed.ts';
import type { Logger } from 'pino';
import { pause, type Clock } from '../platform/clock.ts';
import { retryDelayMs } from './circuitBreaker.ts';

export interface LiveChunksOptions {
  /** Throws NOT_FOUND for a removed account. */
  compute: (accountId: string) => {
    local: {
      chunks(jobId: string, after: string | null, waitMs: number, signal: AbortSignal): Promise<JobChunks>;
    } | null;
  };
  journal: {
    /** The entry, if its job has not ended and only the feed of its account reports it. */
    findByFeed(entryId: string): LedgerEntry | undefined;
    /** Leaves out the chunks that the entry has. False: the entry is not at this attempt. */
    addReadChunks(
      entryId: string,
      chunks: {
        retries: number;
        index: number;
        at: number;
        texts: readonly string[];
        metrics: readonly (string | null)[];
      },
    ): boolean;
  };
  clock: Clock;
  random: () => number;
  logger: Logger;
}

export interface LiveChunks {
  /** Reads the chunks of this job, if its feed reports it, until it ends or the returned function is called. */
  attend(entryId: string): () => void;
  /** Resolves once all chunks of these ended jobs are read, where somebody watches them; soon in any case. */
  caughtUp(accountId: string, jobIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Time between two answers with chunks: a window draws no faster. */
const PACE_MS = 50;
/** Time until the feed has told of an attempt whose chunks are here. */
const ATTEMPT_MS = 100;
/** Longest wait for the last chunks of a job before its end is written. */
const LAST_CHUNKS_MS = 3000;
/** An older engine has no such route, a key may not be allowed to read it, and a job may be gone. */
const FINAL_CODES = new Set(['NOT_FOUND', 'FORBIDDEN', 'UNAUTHORIZED', 'UNSUPPORTED']);

/** Runs until the job has ended and all is read, or until the signal is aborted. Never rejects. */
async function readLive(options: LiveChunksOptions, entry: LedgerEntry, signal: AbortSignal): Promise<void> {
  const { compute, journal, clock, random, logger } = options;
  const { entryId, accountId, jobId } = entry;
  let after: string | null = null;
  let failures = 0;

  /** Returns whether there is more to read. */
  async function readOnce(id: string): Promise<boolean> {
    const { local } = compute(accountId);
    if (!local) return false;
    const answer = await local.chunks(id, after, limits.jobFeedHoldMs, signal);
    failures = 0;
    const { retries, index, chunks } = answer;
    const texts = chunks.map((chunk) => rawField(chunk, 'output') ?? chunk);
    const read = { retries, index, at: clock.now(), texts, metrics: chunks.map(metricsBeside) };
    if (!journal.addReadChunks(entryId, read)) {
      await pause(clock, ATTEMPT_MS, signal);
      return journal.findByFeed(entryId) !== undefined;
    }
    after = answer.next;
    if (isTerminal(answer.status)) return false;
    if (chunks.length > 0) await pause(clock, PACE_MS, signal);
    return true;
  }

  while (!signal.aborted && jobId !== null) {
    try {
      if (!(await readOnce(jobId))) return;
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toAppError(thrown);
      if (FINAL_CODES.has(error.code)) return;
      logger.debug({ entryId, reason: error.message }, 'the chunks of a job could not be read; trying again');
      await pause(clock, retryDelayMs(failures, error, random), signal);
      failures += 1;
    }
  }
}

interface Reading {
  accountId: string;
  jobId: string | null;
  watchers: number;
  life: AbortController;
  done: Promise<void>;
}

export function createLiveChunks(options: LiveChunksOptions): LiveChunks {
  const { journal, clock, logger } = options;
  const readings = new Map<string, Reading>();
  const ending = new Set<Promise<void>>();

  function start(entry: LedgerEntry): Reading {
    const { entryId, accountId, jobId } = entry;
    const life = new AbortController();
    const done = readLive(options, entry, life.signal)
      .catch((error: unknown) => logger.error({ err: error, entryId }, 'a reader of chunks failed'))
      .finally(() => ending.delete(done));
    ending.add(done);
    const reading = { accountId, jobId, watchers: 0, life, done };
    readings.set(entryId, reading);
    return reading;
  }

  return {
    attend(entryId) {
      const entry = journal.findByFeed(entryId);
      if (!entry) return () => undefined;
      const reading = readings.get(entryId) ?? start(entry);
      reading.watchers += 1;
      let attending = true;
      return () => {
        if (!attending) return;
        attending = false;
        reading.watchers -= 1;
        if (reading.watchers > 0) return;
        reading.life.abort(new Error('Nobody watches the job.'));
        readings.delete(entryId);
      };
    },
    async caughtUp(accountId, jobIds) {
      const awaited = [...readings.values()].filter(
        (reading) => reading.accountId === accountId && reading.jobId !== null && jobIds.includes(reading.jobId),
      );
      if (awaited.length === 0) return;
      const timeUp = new AbortController();
      await Promise.race([Promise.all(awaited.map(({ done }) => done)), pause(clock, LAST_CHUNKS_MS, timeUp.signal)]);
      timeUp.abort();
    },
    async stop() {
      for (const { life } of readings.values()) life.abort(new Error('Hangar is stopping.'));
      await Promise.all(ending);
    },
  };
}
