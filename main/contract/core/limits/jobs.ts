/** Limits of jobs: their bodies, times, request rates, and what is listed of them. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS, MIB } from './units.ts';

export const jobLimits = {
  /** Largest body of POST /run: 10 MB in the 1024-based sense that clients expect for payloads. */
  runBodyBytes: 10 * MIB,
  /** Largest body of POST /runsync and of a worker's result. */
  runsyncBodyBytes: 20 * MIB,
  /** Largest stream chunk; 1000-based, as clients expect for chunks. Larger ones are split. */
  chunkBytes: 1_000_000,
  waitMs: { min: 1 * SECOND_MS, max: 300 * SECOND_MS, default: 90 * SECOND_MS },
  executionTimeoutMs: { min: 5 * SECOND_MS, max: 7 * DAY_MS, default: 10 * MINUTE_MS },
  ttlMs: { min: 10 * SECOND_MS, max: 7 * DAY_MS, default: 24 * HOUR_MS },

  /** How long a finished job can still be read, counted from its end. */
  retentionMs: {
    run: 30 * MINUTE_MS,
    runsync: 1 * MINUTE_MS,
    /** A /runsync whose caller used `wait`. */
    runsyncWithWait: 5 * MINUTE_MS,
  },

  /**
   * Request rates of each operation of an endpoint, per `windowMs` and at the same time. `concurrent: null`: no limit.
   */
  rates: {
    windowMs: 10 * SECOND_MS,
    /** Each running worker allows this many requests per window, if that is more than the number in the table. */
    requestsPerWorker: 50,
    operations: {
      run: { requests: 1000, concurrent: 200 },
      runsync: { requests: 2000, concurrent: 400 },
      status: { requests: 2000, concurrent: 400 },
      stream: { requests: 2000, concurrent: 400 },
      cancel: { requests: 100, concurrent: 20 },
      'purge-queue': { requests: 2, concurrent: null },
      openai: { requests: 2000, concurrent: 400 },
      requests: { requests: 10, concurrent: 2 },
    },
    /** Ranges of the rates in the settings. */
    ranges: {
      requestsPerWorker: { min: 0, max: 1_000_000 },
      requests: { min: 1, max: 10_000_000 },
      concurrent: { min: 1, max: 1_000_000 },
    },
  },

  /** How many jobs GET /requests lists. */
  requestsListed: { min: 1, max: 1000, default: 100 },
  /** Longest wait of a reader of the feed of jobs. */
  jobFeedHoldMs: 25_000,
  /** Longest wait of an empty /stream poll. Public SDKs stop reading after 10 s. */
  streamHoldMs: 5 * SECOND_MS,
  /** How many jobs ahead of a waiting one are counted. A count of this many means "at least as many". */
  jobsAheadCounted: 10_000,
  /** How many jobs of a queue are listed. */
  queueListed: { min: 1, max: 1000, default: 100 },
  /** A job that ran during this many crashes of the engine is set aside: one crash may be chance. */
  crashesToSetAside: 2,
} as const;
