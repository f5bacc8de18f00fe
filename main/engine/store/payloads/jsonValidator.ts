/**
 * Checks JSON in the bytes of its text, and finds the fields of an object there. Nothing is made of the values: parsing 20 MB of
 * small objects takes three times as long, and then as long again to collect the garbage, on all cores at once.
 */
import type { Span } from '#contract/core/jsonScanner.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const MINUS = 45;
const PLUS = 43;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const LOWER = 32;
const EXPONENT = 101;
const ESCAPED_UNIT = 117;
const UNIT_DIGITS = 4;

/** An object with more fields than that is no request and no result; its names alone would take much memory. */
const MOST_FIELDS = 256;
const FIRST_DEPTH = 256;
const INVALID = -1;

const tableOf = (isIn: (code: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (isIn(code) ? 1 : 0));
/** What stands for itself in a string. What lies above ASCII is checked as UTF-8, by whoever hands the bytes over. */
const plain = tableOf((code) => code >= 32 && code !== QUOTE && code !== BACKSLASH);
const space = tableOf((code) => code === 32 || code === 10 || code === 13 || code === 9);
const escaped = tableOf((code) => '"\\/bfnrt'.includes(String.fromCharCode(code)));
const hex = tableOf((code) => /[\da-f]/i.test(String.fromCharCode(code)));
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word));

function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && space[bytes[i]!] === 1) i += 1;
  return i;
}

/** `at` is the opening quote; answers the position after the closing one. */
function stringEnd(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; i < bytes.length; i += 1) {
    const code = bytes[i]!;
    if (plain[code] === 1) continue;
    if (code === QUOTE) return i + 1;
    if (code !== BACKSLASH) return INVALID;
    i += 1;
    if (bytes[i] === ESCAPED_UNIT) {
      for (let digit = 1; digit <= UNIT_DIGITS; digit += 1) if (hex[bytes[i + digit] ?? 0] !== 1) return INVALID;
      i += UNIT_DIGITS;
    } else if (escaped[bytes[i] ?? 0] !== 1) return INVALID;
  }
  return INVALID;
}

/** Answers the position after the digits, of which there must be one. */
function digitsEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && bytes[i]! >= ZERO && bytes[i]! <= NINE) i += 1;
  return i === at ? INVALID : i;
}

function numberEnd(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let i = bytes[first] === ZERO ? first + 1 : digitsEnd(bytes, first);
  if (i !== INVALID && bytes[i] === DOT) i = digitsEnd(bytes, i + 1);
  if (i === INVALID || ((bytes[i] ?? 0) | LOWER) !== EXPONENT) return i;
  const signed = bytes[i + 1] === PLUS || bytes[i + 1] === MINUS;
  return digitsEnd(bytes, signed ? i + 2 : i + 1);
}

function scalarEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === QUOTE) return stringEnd(bytes, at);
  for (const word of literals) {
    if (bytes[at] !== word[0]) continue;
    for (let i = 1; i < word.length; i += 1) if (bytes[at + i] !== word[i]) return INVALID;
    return at + word.length;
  }
  return numberEnd(bytes, at);
}

/** `at` is where a field should begin; answers where its value does. */
function valueOfField(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return INVALID;
  const nameEnd = stringEnd(bytes, at);
  if (nameEnd === INVALID) return INVALID;
  const colon = skipSpace(bytes, nameEnd);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : INVALID;
}

/** Answers the position after the value that begins at `start`. */
function valueEnd(bytes: Uint8Array, start: number): number {
  /** What is open, outermost first, by how it closes. */
  let closing = new Uint8Array(FIRST_DEPTH);
  let depth = 0;
  let at = start;
  for (;;) {
    const code = bytes[at];
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      const close = code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      at = skipSpace(bytes, at + 1);
      if (bytes[at] === close) at += 1;
      else {
        if (depth === closing.length) {
          const deeper = new Uint8Array(depth * 2);
          deeper.set(closing);
          closing = deeper;
        }
        closing[depth] = close;
        depth += 1;
        if (close === CLOSE_OBJECT) at = valueOfField(bytes, at);
        if (at === INVALID) return INVALID;
        continue;
      }
    } else {
      at = scalarEnd(bytes, at);
      if (at === INVALID) return INVALID;
    }
    // After a value: its container ends, and those around it, until one goes on.
    for (;;) {
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
      const close = closing[depth - 1]!;
      if (bytes[at] === COMMA) {
        at = skipSpace(bytes, at + 1);
        if (close === CLOSE_OBJECT) at = valueOfField(bytes, at);
        if (at === INVALID) return INVALID;
        break;
      }
      if (bytes[at] !== close) return INVALID;
      depth -= 1;
      at += 1;
    }
  }
}

/**
 * Where each field of an object has its value, in bytes of UTF-8; of a repeated field the last one counts, as in JSON.parse.
 * Null where that is not JSON, not an object, or one of very many fields: JSON.parse tells which.
 */
export function objectFields(bytes: Buffer): Map<string, Span> | null {
  const fields = new Map<string, Span>();
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return null;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] !== CLOSE_OBJECT || fields.size > 0) {
    const start = valueOfField(bytes, at);
    if (start === INVALID) return null;
    const name = JSON.parse(bytes.toString('utf8', at, stringEnd(bytes, at))) as string;
    const end = valueEnd(bytes, start);
    if (end === INVALID) return null;
    fields.set(name, { start, end });
    if (fields.size > MOST_FIELDS) return null;
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) break;
    if (bytes[at] !== COMMA) return null;
    at = skipSpace(bytes, at + 1);
  }
  return skipSpace(bytes, at + 1) === bytes.length ? fields : null;
}
