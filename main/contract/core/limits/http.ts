/** Limits of the HTTP server of the engine: connections, bodies, event streams and GraphQL. */
import { SECOND_MS, KIB, MIB } from './units.ts';

export const httpLimits = {
  /** Largest body of a route without a limit of its own. */
  managementBodyBytes: MIB,

  connection: {
    /** Largest number of open connections, if the system allows as many open files. */
    most: 8192,
    /** The head of a request must arrive within this time. */
    headersMs: 10 * SECOND_MS,
    /** A body may arrive at any speed for `bodyGraceMs`, then at least at this rate in each `bodyWindowMs`. */
    bodyGraceMs: 10 * SECOND_MS,
    bodyWindowMs: 5 * SECOND_MS,
    bodyBytesPerSecond: 4096,
    /** An answer is cut off if its reader takes nothing for this long; twice this time at the latest. */
    unreadMs: 8 * SECOND_MS,
  },

  /** Interval of the heartbeat on an idle event stream. Without it, proxies and clients treat the stream as dead. */
  eventStreamPulseMs: 15 * SECOND_MS,

  /**
   * Limits of GraphQL. `depth` and `cost` limit one operation: `depth` its nested selections, `cost` its fields, where
   * the fields of a list count `listed` times. The other limits bound the time of validation, which grows with the
   * square of repeated parts: tokens, fields and fragments, and fields with selections under one response name.
   * `introspection`: the cost of a query for the schema, independent of its size.
   */
  graphql: {
    queryBytes: 256 * KIB,
    tokens: 20_000,
    fields: 1000,
    fragments: 40,
    sameName: 50,
    depth: 12,
    cost: 5000,
    listed: 10,
    introspection: 1000,
    /** How many validated documents are cached, and the longest document that is cached, in characters. */
    cachedDocuments: 200,
    cachedLength: 16 * KIB,
  },
} as const;
