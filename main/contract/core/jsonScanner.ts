/**
 * Finds fields and items inside valid JSON text without parsing their values, so that payloads stay byte for byte as
 * they are.
 */
import { AppError, messageOf } from './errors.ts';

/** The position of a value in its text: `text.slice(start, end)` is the raw JSON, without surrounding white space. */
export interface Span {
  start: number;
  end: number;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function skipSpace(text: string, at: number): number {
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** `at` is the opening quote; returns the position after the closing one. indexOf makes long strings cheap. */
function stringEnd(text: string, at: number): number {
  let quote = at;
  for (;;) {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) throw new SyntaxError('A JSON string does not end.');
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // An even number of backslashes escapes only itself.
    if ((quote - before) % 2 === 1) return quote + 1;
  }
}

function containerEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  throw new SyntaxError('A JSON object or array does not end.');
}

function valueEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return stringEnd(text, at);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return containerEnd(text, at);
  let i = at;
  for (; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === COMMA || code === CLOSE_OBJECT || code === CLOSE_ARRAY || isSpace(code)) break;
  }
  if (i === at) throw new SyntaxError('A JSON value is missing.');
  return i;
}

/** Position of the first field or item, or -1 when the container is empty. */
function open(text: string, at: number, opening: number, closing: number): number {
  const start = skipSpace(text, at);
  if (text.charCodeAt(start) !== opening) {
    throw new SyntaxError(`The JSON text is not an ${opening === OPEN_OBJECT ? 'object' : 'array'}.`);
  }
  const first = skipSpace(text, start + 1);
  return text.charCodeAt(first) === closing ? -1 : first;
}

/** Position of the next field or item, or -1 at the end of the container. */
function next(text: string, at: number): number {
  const end = skipSpace(text, at);
  return text.charCodeAt(end) === COMMA ? skipSpace(text, end + 1) : -1;
}

/**
 * The position of each field's value in a JSON object. If a field is repeated, the last one counts, as in JSON.parse.
 * The text must be valid JSON. One pass; only keys are decoded. @throws {SyntaxError} if the text is not an object or a
 * value does not end.
 */
export function topLevelSpans(text: string): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (let at = open(text, 0, OPEN_OBJECT, CLOSE_OBJECT); at !== -1;) {
    const keyEnd = stringEnd(text, at);
    const raw = text.slice(at + 1, keyEnd - 1);
    const key = raw.includes('\\') ? String(JSON.parse(text.slice(at, keyEnd))) : raw;
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    spans.set(key, { start, end });
    at = next(text, end);
  }
  return spans;
}

/** The raw JSON of one field of an object; undefined if the object has no such field. The text must be valid JSON. */
export function rawField(text: string, key: string): string | undefined {
  const span = topLevelSpans(text).get(key);
  return span && text.slice(span.start, span.end);
}

/** The raw `metrics` beside the `output` of a stream's chunk; null without one, and without an output. */
export function metricsBeside(chunk: string): string | null {
  // Most chunks have none, which is found faster than a field is.
  if (!chunk.includes('"metrics"') || rawField(chunk, 'output') === undefined) return null;
  return rawField(chunk, 'metrics') ?? null;
}

/**
 * The raw JSON of each item of an array, in order. The text must be valid JSON. @throws {SyntaxError} if it is not an
 * array.
 */
export function arrayItems(text: string): string[] {
  const items: string[] = [];
  for (let at = open(text, 0, OPEN_ARRAY, CLOSE_ARRAY); at !== -1;) {
    const end = valueEnd(text, at);
    items.push(text.slice(at, end));
    at = next(text, end);
  }
  return items;
}

/**
 * The text with each of its strings, names of fields included, replaced by what `change` returns for it: both with their
 * quotes. The text must be valid JSON.
 */
export function mapStrings(text: string, change: (string: string) => string): string {
  let mapped = '';
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', from)) {
    const end = stringEnd(text, at);
    mapped += text.slice(from, at) + change(text.slice(at, end));
    from = end;
  }
  return mapped + text.slice(from);
}

/** Parses JSON text. Returns null if the text is not JSON; `null` itself is null, too. */
export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is not JSON, which is what the caller asks.
    return null;
  }
}

/** The parser's message without the piece of the text that it quotes: the piece may hold a secret. */
const withoutQuote = (words: string): string => words.replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '');

/**
 * Parses JSON text. `subject` begins the message: "The request body". @throws {AppError} BAD_REQUEST with the parser's
 * message if the text is empty or not JSON.
 */
export function parseJson(text: string, subject: string): unknown {
  if (text.trim() === '') throw new AppError('BAD_REQUEST', `${subject} is empty; JSON is expected.`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', `${subject} is not valid JSON: ${withoutQuote(messageOf(cause))}.`);
  }
}
