/** What happened to a Pod, in /local/v1. */
import * as z from 'zod';

export const podHistoryLimits = {
  /** After so many ends of its container without a calm run, a Pod counts as a crash loop. */
  crashLoopEnds: 3,
  /** The events that are kept of each Pod: the newest. */
  events: 200,
  /** The last lines of a container that the event of its end keeps, and the characters of each. */
  lastLines: { count: 8, length: 500 },
  /** The most `runs` of an event: the newest ones. */
  runs: 100,
} as const;

/**
 * - made       the Pod was made
 * - pulled     its image was pulled
 * - started    its container started
 * - ended      its container ended by itself
 * - failed     its container could not be started
 * - stopped    it was stopped
 * - resumed    it was started after a stop
 * - restarted  its container was restarted
 * - reset      its container was made anew
 * - changed    its settings were changed: its container was made anew, or has other limits
 * - warned     most of its spend cap is used
 * - deleted    it was deleted
 */
export const podEventKinds = [
  'made',
  'pulled',
  'started',
  'ended',
  'failed',
  'stopped',
  'resumed',
  'restarted',
  'reset',
  'changed',
  'warned',
  'deleted',
] as const;
export type PodEventKind = (typeof podEventKinds)[number];

export const podEventSchema = z.looseObject({
  /** The number of the event in its Pod; it grows. */
  n: z.int(),
  at: z.string(),
  kind: z.enum(podEventKinds),
  /** `person`: a request. `schedule`: a time that was set. `engine`: Hangar itself, or the container. */
  by: z.enum(['person', 'schedule', 'engine']),
  /** The name of the API key of the request; null if it is not known, and for the key of the program's own page. */
  keyName: z.string().nullable(),
  /** A sentence for a person, without the time. */
  text: z.string(),
  /** How often it happened: ends since a person last started the Pod, or equal failures in a row. */
  times: z.int(),
  /** Of `ended`; null if it is not known. */
  exitCode: z.int().nullable(),
  /** Of `ended`: the last lines that the container wrote. */
  lastLines: z.array(z.string()),
  /**
   * Of an `ended` that stands for a long row of ends: the starts whose events it replaces, oldest first. `n`: the number of the
   * run since a person last started the Pod; `endedAt`, `exitCode`: of the end before it.
   */
  runs: z
    .array(z.looseObject({ n: z.int(), startedAt: z.string(), endedAt: z.string(), exitCode: z.int().nullable() }))
    .optional(),
});
export type PodEvent = z.infer<typeof podEventSchema>;
