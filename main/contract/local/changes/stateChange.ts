/** Changes of the state of an engine as they are pushed, in /local/v1. */
import * as z from 'zod';

/**
 * - all       everything may have changed: the first event of a stream, because its reader does not know what was before
 * - endpoint  an endpoint, its jobs, its queue or its workers
 * - folder    the folder of an endpoint: its tests and their results, or the Python environment that is made in it
 * - pod       a Pod: its record, its container, its current step or its events
 * - pause     whether work is paused
 */
export const changeKinds = ['all', 'endpoint', 'folder', 'pod', 'pause'] as const;

/**
 * An event of GET /local/v1/changes. `id`: which endpoint or Pod has changed or is gone; null: any of them may have, or there
 * is only one.
 */
export const stateChangeSchema = z.looseObject({ about: z.enum(changeKinds), id: z.string().nullable() });
export type StateChange = z.infer<typeof stateChangeSchema>;

/**
 * Interval of the heartbeat of GET /local/v1/changes, in milliseconds: shorter than that of other streams, so that whoever
 * follows notices soon that the engine is out of reach.
 */
export const CHANGES_PULSE_MS = 5000;
