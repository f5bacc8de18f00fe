/**
 * JSON text as it travels between socket, store and worker: a string while it is small, a place in a file when it is
 * not.
 */
import type { Span } from '#contract/core/jsonScanner.ts';

/** Longer texts are kept in files, and are checked, written and read off the event loop. */
export const INLINE_BYTES = 256 * 1024;

/** A part of a text that the store keeps in a file of its own. */
export interface StoredText {
  /** Name below the store's folder. */
  readonly file: string;
  /** Length of the whole text, as it was before it was sealed. */
  readonly bytes: number;
  /** Whether it lies encrypted on disk. */
  readonly sealed: boolean;
  /** The part that is meant, in bytes of the text. */
  readonly part: Span;
  /** Where a request body has its `input`. */
  readonly input: Span | null;
}

export type JsonText = string | StoredText;

/** Texts that make one JSON text, one after the other. */
export type JsonParts = readonly JsonText[];

export const isStored = (text: JsonText | null): text is StoredText => typeof text === 'object' && text !== null;

/** How much of it has to be held in memory, about. */
export const lengthInMemory = (text: JsonText | null): number => (typeof text === 'string' ? text.length : 0);

/** The bytes from `start` to `end` of the whole text. */
export const cut = (text: StoredText, start: number, end: number): StoredText => ({ ...text, part: { start, end } });
