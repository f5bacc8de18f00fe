/** Limits of workers: the worker protocol, their start and end, their output and their timeline. */
import { SECOND_MS, HOUR_MS, KIB, MIB } from './units.ts';

export const workerLimits = {
  /** How many jobs a worker may request at once. */
  jobsPerTake: { min: 1, max: 1000 },
  /** Longest wait of a worker's empty job-take. The public worker abandons it after 90 s. */
  takeHoldMs: 30 * SECOND_MS,

  /**
   * Longest wait of an empty job-take or job-stop of a worker that is about to be stopped. The public worker notices
   * its end only between two requests, and has `workerGraceMs` for that.
   */
  retiredHoldMs: SECOND_MS,

  /** A worker is lost if it sends nothing for this long. Its jobs are queued again. */
  workerSilenceMs: 45 * SECOND_MS,
  workerPingMs: 10 * SECOND_MS,
  /** How many times a job is queued again after its worker was lost, before it fails. */
  lostWorkerRetries: 1,
  /**
   * How many times a job is queued again after its worker was ended from outside, as by a crash of the container
   * engine, before it fails: its own work may crash the engine each time.
   */
  outsideEndRetries: 5,
  /** How many such ends in a row start the next worker of an endpoint at once. */
  outsideEndsIgnored: 2,
  /** Time between the request to a worker to stop and its kill. */
  workerGraceMs: 5 * SECOND_MS,
  /** The second grace of a worker that did not end within `workerGraceMs`: enough to clean up, not to finish a job. */
  lastGraceMs: 1 * SECOND_MS,
  /**
   * A worker that neither requests a job nor ends in this time is replaced; RUNPOD_INIT_TIMEOUT (seconds) changes it.
   */
  workerInitMs: 7 * 60 * SECOND_MS,
  /** Interval of the checks whether a worker can start after all. */
  startAgainMs: 5 * SECOND_MS,
  /**
   * Wait of an endpoint without a worker for the GPU of one that always has work: loading a model costs many seconds.
   */
  gpuTurnMs: 60 * SECOND_MS,
  /** Shortest interval between two measurements of a worker's usage. A shorter interval measures nothing useful. */
  usageMs: 1 * SECOND_MS,

  log: {
    /** Output of workers is stored in files of this size. The oldest are removed when all become too large. */
    segmentBytes: 4 * MIB,
    storedBytes: 64 * MIB,
    /** Longer lines, in characters, are cut and say so. A line of JSON is assembled up to `assembledLength` first. */
    lineLength: 8000,
    assembledLength: 256 * KIB,
    /** Last lines of a worker that are shown when it dies. */
    lastLines: 50,
    /** Lines of one page. */
    listed: { min: 1, max: 1000, default: 200 },
    /** A search for one page examines at most this many lines one by one; the next page continues there. */
    lookedAt: 250_000,
    /** Longest search text, in characters. */
    searchLength: 500,
  },

  /**
   * The timeline of the workers of an endpoint: how many spans, how long they are stored, and how many jobs one span
   * lists. A gap below `gapMs` between two jobs counts as running.
   */
  lanes: { spans: 2000, retentionMs: 6 * HOUR_MS, jobs: 100, gapMs: 100 },
} as const;
