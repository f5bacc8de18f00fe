/** The page's procedures about documents that a person saved in the window; part of the bridge contract. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import {
  savedDocumentSchema,
  savedEventSchema,
  savedPlaceSchema,
  savedRefSchema,
  savedSummarySchema,
} from '../../app/saved/document.ts';

const named = { endpointName: z.string().nullable() };

export const savedContract = {
  /** All documents of a place in one or more events, then those that change. */
  watch: oc.input(savedPlaceSchema).output(eventIterator(savedEventSchema)),
  /** All documents without their texts, by kind, place and name: now, then after each change. */
  list: oc.output(eventIterator(z.array(savedSummarySchema.extend(named)))),
  /** NOT_FOUND if it was removed. */
  read: oc.input(savedRefSchema).output(savedDocumentSchema),
  /**
   * Saves a document in place of the one with its name; durable when it answers. TOO_LARGE or BAD_REQUEST beyond
   * `savedLimits`, STORAGE_FULL on a full disk: then the earlier document is unchanged. `base`: the `savedAt` of the
   * version that this text was made from; null if there was none. CONFLICT if another version with another text is
   * there; without `base` every version is replaced.
   */
  save: oc
    .input(savedRefSchema.extend({ text: z.string(), base: z.number().nullable().optional() }))
    .output(savedDocumentSchema),
  /**
   * Saves documents of one place that a browser kept until now, all or none. Nothing is replaced: a document with the
   * same name and another text gets a free name, such as "name (2)". `perPlace` does not hold.
   */
  adopt: oc
    .input(savedPlaceSchema.extend({ documents: z.array(savedDocumentSchema.pick({ name: true, text: true })).min(1) }))
    .output(z.void()),
  /**
   * Removes all documents or none, and answers how many there were. `base`: the `savedAt` of the version to remove,
   * null for none. CONFLICT if another version is there; without `base` every version is removed.
   */
  remove: oc
    .input(
      z.object({
        documents: z
          .array(savedRefSchema.extend({ base: z.number().nullable().optional() }))
          .min(1)
          .max(10_000),
      }),
    )
    .output(z.object({ removed: z.int() })),
};
