/** Changes of the state of an engine as they are pushed, in /local/v1. */
import * as z from 'zod';

/**
 * - all       everything may have changed: the first event of a stream, because its reader does not know what was before
 * - endpoint  an endpoint, its jobs, its queue or its workers
 * - folder    the folder of an endpoint: its tests and their results, or the Python environment that is made in it
 * - pod       a Pod: its record, its container, its current step or its events
 * - pause     whether work is paused
 * - resource  a template, a network volume or a registry credential: it, or what uses it
 * - key       an API key, or the time of its last use
 * - settings  the settings of the engine, and the SSH keys of its person
 * - input     the files of a folder that declare its input, once the input of its endpoint was read
 * - image     an image of the container engine, or which containers were made of it
 * - service   the notices of the engine, its backup, and the free space of its disk by about 1 %
 */
export const changeKinds = [
  'all',
  'endpoint',
  'folder',
  'pod',
  'pause',
  'resource',
  'key',
  'settings',
  'input',
  'image',
  'service',
] as const;
export type ChangeKind = Exclude<(typeof changeKinds)[number], 'all'>;

/** What every engine reports that reports changes. Later kinds are named in the first event of its stream. */
export const firstKinds = ['endpoint', 'folder', 'pod', 'pause'] as const satisfies readonly ChangeKind[];

/**
 * An event of GET /local/v1/changes. `id`: which endpoint or Pod has changed or is gone; null: any of them may have, or
 * there is only one.
 */
export const stateChangeSchema = z.looseObject({
  about: z.enum(changeKinds),
  id: z.string().nullable(),
  /** Of the first event: what this engine reports. Absent for Hangars that report `firstKinds` only. */
  kinds: z.array(z.string()).optional(),
});
export type StateChange = z.infer<typeof stateChangeSchema>;

/**
 * Interval of the heartbeat of GET /local/v1/changes, in milliseconds. It is shorter than that of other streams, so
 * that a reader notices soon that the engine is out of reach.
 */
export const CHANGES_PULSE_MS = 5000;
