/** What a job has yielded or returned, as the answer of an OpenAI client: piece by piece, or whole. */
import { arrayItems, rawField } from '#contract/jsonText.ts';
import type { EventStream } from './eventStream.ts';
import { errorInAnswer, type OpenaiError } from './openaiErrors.ts';

/** Raw JSON of what a chunk holds. */
export const outputOf = (chunkText: string): string => rawField(chunkText, 'output') ?? 'null';

const textOf = (raw: string): string => JSON.parse(raw) as string;

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

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A text that only begins like JSON.
    return false;
  }
}

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
    if (!isJson(text)) return { type: 'text/plain; charset=utf-8', text };
    return errorInAnswer(text.trim()) ?? asJson(text);
  }
  return errorInAnswer(last) ?? asJson(values.length === 1 ? last : `[${values.join(',')}]`);
}
