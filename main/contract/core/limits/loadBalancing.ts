/** Limits of load-balancing endpoints. */
import { SECOND_MS, MINUTE_MS, MIB } from './units.ts';

export const loadBalancingLimits = {
  /** Load-balancing endpoints. */
  balancing: {
    /** The port of a worker whose template does not name PORT, and the path of its health check. */
    defaultPort: 80,
    defaultHealthPath: '/ping',
    /** Largest body of a request, and of an answer. */
    bodyBytes: 30 * MIB,
    /** How long a request waits for a worker. A request that is bound to one worker waits longer. */
    workerWaitMs: 2 * MINUTE_MS,
    strictWaitMs: 5 * MINUTE_MS,
    /** How long a request waits for one more worker while all ready workers are too busy. */
    shareWaitMs: 5 * SECOND_MS,
    /** Time from the moment that a worker gets a request to the end of its answer. */
    processingMs: 5.5 * MINUTE_MS,
    /**
     * The end of a worker and of its connection arrive one after the other: the wait for the second, or for an answer.
     */
    lastWordsMs: 2 * SECOND_MS,
    /**
     * How long the second side of a WebSocket may take to close after the first side closed. It is also how long the
     * body of a request that was already answered may continue.
     */
    closingMs: 5 * SECOND_MS,
    /**
     * An idle connection to a worker is closed before the worker closes it, which many servers do after 2 s or more.
     */
    idleConnectionMs: 1500,
    health: {
      /** Interval of the health checks of a starting worker: at first, and after `quickForMs`. */
      quickMs: 100,
      quickForMs: 10 * SECOND_MS,
      startingMs: 1 * SECOND_MS,
      /** Interval of the health checks of a ready worker. */
      readyMs: 5 * SECOND_MS,
      /** An answer that takes longer counts as a failed check. */
      answerMs: 3 * SECOND_MS,
      /** A ready worker is replaced after this many failed checks in a row. */
      failures: 3,
      /** A starting worker is replaced if it answers neither 200 nor 204 within this time. */
      startWithinMs: 8 * MINUTE_MS,
    },
  },
} as const;
