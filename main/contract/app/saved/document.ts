/**
 * Documents that a person made in the window and that the app keeps for every page: saved inputs, filters, schemas,
 * conversations. The app stores their texts as they are; only the page knows what is in them.
 */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';

/** `input`, `schema`, `chat` and `chat-options` belong to an endpoint, `filter` to none. */
export const savedKinds = ['input', 'filter', 'schema', 'chat', 'chat-options'] as const;
export const savedKindSchema = z.enum(savedKinds);
export type SavedKind = (typeof savedKinds)[number];

/**
 * `documentBytes`: the largest document, in UTF-8: each body that `POST /run` takes can be saved. `perPlace`: most documents of one kind at one endpoint, or of one kind
 * that belongs to no endpoint. `totalBytes`: all documents together.
 */
export const savedLimits = {
  documentBytes: limits.runBodyBytes,
  perPlace: 300,
  totalBytes: 64 * 1024 * 1024,
  nameLength: 200,
} as const;

/** Where documents of one kind are. Both ids are empty for a kind that belongs to no endpoint. */
export const savedPlaceSchema = z.object({
  kind: savedKindSchema,
  accountId: z.string().max(200),
  endpointId: z.string().max(200),
});
export type SavedPlace = z.infer<typeof savedPlaceSchema>;

/** The name is unique at its place. It is empty where a place has one document only, and the id of a conversation. */
export const savedRefSchema = savedPlaceSchema.extend({ name: z.string().max(savedLimits.nameLength) });
export type SavedRef = z.infer<typeof savedRefSchema>;

export const savedDocumentSchema = savedRefSchema.extend({
  text: z.string(),
  /** Milliseconds since the epoch. Each later version of a document has a later one. */
  savedAt: z.number(),
});
export type SavedDocument = z.infer<typeof savedDocumentSchema>;

/** A document without its text. */
export const savedSummarySchema = savedRefSchema.extend({
  /** Of its text in UTF-8. */
  bytes: z.int(),
  savedAt: z.number(),
});
export type SavedSummary = z.infer<typeof savedSummarySchema>;

/** What a page reads about one place. */
export const savedEventSchema = z.object({
  /** New and changed documents. */
  documents: z.array(savedDocumentSchema),
  /** Names of documents that were removed. */
  removed: z.array(z.string()),
  /** Whether the page has all documents after this event; false: more events of the first read follow. */
  isComplete: z.boolean(),
});
export type SavedEvent = z.infer<typeof savedEventSchema>;
