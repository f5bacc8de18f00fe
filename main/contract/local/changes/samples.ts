/** Measured values as an engine sends them again and again, in /local/v1. */
import * as z from 'zod';
import { podFactsSchema } from '../../api/pod.ts';
import { workerSchema } from '../engine.ts';

/** The time from one sample to the next, in milliseconds: each one is measured for its reader. */
export const sampleEvery = { min: 1000, max: 60_000, default: 2000 } as const;

export const sampleIntervalSchema = z.int().min(sampleEvery.min).max(sampleEvery.max);

export const sampleQuerySchema = z.strictObject({
  everyMs: z.coerce.number().int().min(sampleEvery.min).max(sampleEvery.max).default(sampleEvery.default),
});

/** An event of GET /local/v1/workers/events. */
export const workersSampleSchema = z.looseObject({ workers: z.array(workerSchema) });

/** An event of GET /local/v1/pods/events: all Pods that are not deleted. */
export const podsSampleSchema = z.looseObject({ pods: z.array(podFactsSchema) });
