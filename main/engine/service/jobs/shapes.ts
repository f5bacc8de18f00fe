/** Schemas and texts that the descriptions of several job routes share. */
import * as z from 'zod';
import {
  jobAcceptedSchema,
  jobRequestSchemaWith,
  jobStatusSchema,
  jobViewSchema,
  policySchemaFor,
  s3ConfigSchema,
  wholeMs,
} from '#contract/api/job.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { WAITING_HEADER } from '../http/compat.ts';
import { named, type Named, type QueryParameter } from '../openapi/operation.ts';

const statusShape = named('JobStatus', jobStatusSchema);
export const acceptedShape = named('JobAccepted', jobAcceptedSchema, { parts: [statusShape] });
export const jobShape = named('Job', jobViewSchema, { parts: [statusShape] });

export const waitingHeaders = {
  [WAITING_HEADER]: 'Of a job that is queued: why it waits, as a code, a colon and a sentence.',
};
export const acceptedAnswer = { words: 'The job, and that it waits.', shape: acceptedShape };
export const jobAnswer = { words: 'The job as it is now.', shape: jobShape, headers: waitingHeaders };
/** Clients send `{}` or nothing. */
export const emptyBody = { shape: named('AnyObject', z.looseObject({})), required: false };

const requestShapes = new WeakMap<LimitSettings, Named>();

/** The request of a job with the ranges of these limits; the same for the same limits. */
export function requestShape(limits: LimitSettings): Named {
  let shape = requestShapes.get(limits);
  if (!shape) {
    const policy = policySchemaFor(limits);
    const parts = [named('Policy', policy), named('S3Config', s3ConfigSchema)];
    shape = named('JobRequest', jobRequestSchemaWith(policy), { parts });
    requestShapes.set(limits, shape);
  }
  return shape;
}

export const seconds = (ms: number): string => `${ms / 1000} s`;

/** How long an answer is held. */
export const waitParameter = ({ waitMs }: LimitSettings): QueryParameter => ({
  schema: wholeMs(waitMs),
  words: `How long the answer is held, milliseconds; ${seconds(waitMs.default)} without.`,
});
