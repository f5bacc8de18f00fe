/** Limits of webhooks: their calls, their receivers, and what stays listed. */
import { SECOND_MS, DAY_MS, KIB, MIB } from './units.ts';

export const webhookLimits = {
  webhook: {
    /** Longest address, in characters. */
    addressLength: 8192,
    /** How many times a call that was not answered 2xx is repeated, and how long after the attempt before. */
    retries: 2,
    gapMs: 10 * SECOND_MS,
    /** One attempt, from looking up the name to the end of the answer. */
    timeoutMs: 10 * SECOND_MS,
    /** How much of a receiver's answer is read, and discarded, before the connection is closed. */
    answerBytes: 64 * KIB,
    /** An attempt that takes this long marks its receiver as slow. */
    slowMs: 5 * SECOND_MS,
    /** Attempts at the same time for one receiver: not known yet, quick, or slow. */
    perReceiver: { new: 1, quick: 16, slow: 4 },
    /**
     * Receivers of each kind wait while this many slots are in use, so that slow receivers always leave room for quick
     * ones. An attempt takes one slot, and one more for each `slotLength` characters that it holds in memory.
     */
    slots: { new: 1536, quick: 2048, slow: 512 },
    slotLength: 64 * KIB,
    /** Attempts that begin in one turn of the event loop. At most one of them goes to a receiver that may hang. */
    startsPerTurn: 4,
    /** How many receivers are remembered with their kind. */
    receiversKnown: 4096,
    /** How long ended deliveries stay listed, and how many. */
    retentionMs: 7 * DAY_MS,
    kept: 10_000,
    /** Payloads of ended deliveries are stored for another send up to this total, in characters or bytes. */
    storedPayloadLength: 256 * MIB,
    /** How many attempts of one delivery are listed: the newest. */
    attemptsKept: 100,
    /** How many deliveries one list has. */
    listed: { min: 1, max: 1000, default: 100 },
  },
} as const;
