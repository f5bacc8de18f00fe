/** The values of a job as the answer to an OpenAI client: piece by piece, or whole. */
import { arrayItems, rawField } from '#contract/core/jsonScanner.ts';
import type { EventStream } from '../http/sse.ts';
import { errorInAnswer, type OpenaiError } from './errors.ts';

/** Raw JSON of the output in a chunk. */
export const outputOf = (chunkText: string): string => rawField(chunkText, 'output') ?? 'null';

/** The text of a raw JSON string; other raw JSON as it is. */
export function textOf(raw: string): string {
  const value: unknown = JSON.parse(raw);
  return typeof value === 'string' ? value : raw;
}

/**
 * Sends one yielded value. A text is part of a stream that the worker writes itself, and goes out unchanged. An object,
 * and each item of a list, becomes an event. A value that is an error is returned, not sent.
 *
 * @param raw Raw JSON of the value.
 */
export function sendValue(stream: EventStream, raw: string): OpenaiError | null {
  if (raw.startsWith('"')) {
    stream.text(textOf(raw));
    return null;
  }
  if (raw.startsWith('[')) {
    for (const item of arrayItems(raw)) {
      const error = sendValue(stream, item);
      if (error) return error;
    }
    return null;
  }
  const error = errorInAnswer(raw);
  // A handler that yields nothing yields null.
  if (!error && raw !== 'null') stream.event(raw);
  return error;
}

export interface WholeAnswer {
  type: string;
  text: string;
}

/** Longer texts are not parsed: their first and last characters decide whether they are JSON. */
const PARSED_CHARACTERS = 256 * 1024;

const closing: Record<string, string> = { '{': '}', '[': ']' };

function isJson(text: string): boolean {
  if (closing[text.trimStart()[0] ?? ''] === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The text only begins like JSON.
    return false;
  }
}

/** The content type of a text with these first and last parts. */
export function typeByEnds(first: string, last: string): string {
  const end = closing[first.trimStart()[0] ?? ''];
  return end !== undefined && last.trimEnd().endsWith(end) ? 'application/json' : 'text/plain; charset=utf-8';
}

const typeOf = (text: string): string =>
  text.length > PARSED_CHARACTERS
    ? typeByEnds(text, text)
    : isJson(text)
      ? 'application/json'
      : 'text/plain; charset=utf-8';

const asJson = (text: string): WholeAnswer => ({ type: 'application/json', text });

/**
 * Joins all values into one answer: a single value unchanged, several texts as one text (which also joins the pieces of
 * a value above the chunk limit), any others as a list. A text that parses as JSON is JSON. An error as the last value
 * is the answer.
 *
 * @param values Raw JSON of each value, at least one.
 */
export function wholeAnswer(values: readonly string[]): WholeAnswer | OpenaiError {
  const last = values.at(-1) ?? 'null';
  if (values.every((raw) => raw.startsWith('"'))) {
    const text = values.map(textOf).join('');
    const type = typeOf(text);
    const error = type.startsWith('text') || text.length > PARSED_CHARACTERS ? null : errorInAnswer(text.trim());
    return error ?? { type, text };
  }
  return errorInAnswer(last) ?? asJson(values.length === 1 ? last : `[${values.join(',')}]`);
}
