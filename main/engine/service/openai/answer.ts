/** What a job has yielded or returned, as the answer of an OpenAI client: piece by piece, or whole. */
import { arrayItems, rawField } from '#contract/core/jsonScanner.ts';
import type { EventStream } from '../http/sse.ts';
import { errorInAnswer, type OpenaiError } from './errors.ts';

/** Raw JSON of what a chunk holds. */
export const outputOf = (chunkText: string): string => rawField(chunkText, 'output') ?? 'null';

/** What a raw JSON string says. */
export const textOf = (raw: string): string => JSON.parse(raw) as string;

/**
 * Sends one yielded value. Workers that write server-sent events themselves yield text, cut anywhere: it is sent as it is, and
 * brings its own end. Workers that yield the parts as objects, or several of them as a list, have each made an event.
 * Answers the error that the value is, where it is one; it is not sent then.
 *
 * @param raw raw JSON of the value
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
  // Null is how a handler yields nothing.
  if (!error && raw !== 'null') stream.event(raw);
  return error;
}

export interface WholeAnswer {
  type: string;
  text: string;
}

/** Longer texts are not parsed to find out what they are: how they begin and end tells it. */
const PARSED_CHARACTERS = 256 * 1024;

const closing: Record<string, string> = { '{': '}', '[': ']' };

function isJson(text: string): boolean {
  if (closing[text.trimStart()[0] ?? ''] === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A text that only begins like JSON.
    return false;
  }
}

/** The content type of a text that begins and ends like this. */
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
 * The whole answer made of all values: a single one as it is; several texts joined, which is also what puts a value above the
 * chunk limit together again; anything else as a list. Text is JSON where it can be read as such, else plain text. Where the
 * last of it is an error, that is the answer.
 *
 * @param values raw JSON of each value, at least one
 */
export function wholeAnswer(values: readonly string[]): WholeAnswer | OpenaiError {
  const last = values.at(-1)!;
  if (values.every((raw) => raw.startsWith('"'))) {
    const text = values.map(textOf).join('');
    const type = typeOf(text);
    const error = type.startsWith('text') || text.length > PARSED_CHARACTERS ? null : errorInAnswer(text.trim());
    return error ?? { type, text };
  }
  return errorInAnswer(last) ?? asJson(values.length === 1 ? last : `[${values.join(',')}]`);
}
