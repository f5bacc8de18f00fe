/**
 * Validates JSON in the bytes of its text and locates the fields of an object. It creates no values: parsing 20 MB of
 * small objects takes three times as long, and the garbage collection takes as long again, on all cores.
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

// Reading beyond the end returns 0 below. 0 is no white space, no digit, no bracket, and no valid character of a
// string.

/** The maximum number of fields. No request or result has more, and their names alone would need much memory. */
const MOST_FIELDS = 256;
const FIRST_DEPTH = 256;
const INVALID = -1;

const tableOf = (isIn: (code: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, code) => (isIn(code) ? 1 : 0));
/** The characters that need no escape in a string. The caller validates UTF-8 beyond ASCII. */
const plain = tableOf((code) => code >= 32 && code !== QUOTE && code !== BACKSLASH);
const space = tableOf((code) => code === 32 || code === 10 || code === 13 || code === 9);
const escaped = tableOf((code) => '"\\/bfnrt'.includes(String.fromCharCode(code)));
const hex = tableOf((code) => /[\da-f]/i.test(String.fromCharCode(code)));
const literals = ['true', 'false', 'null'].map((word) => Buffer.from(word));

function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && space[bytes[i] ?? 0] === 1) i += 1;
  return i;
}

/** `at` is the opening quote. Returns the position after the closing quote. */
function stringEnd(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; i < bytes.length; i += 1) {
    const code = bytes[i] ?? 0;
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

/** Returns the position after the digits. At least one digit is required. */
function digitsEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  for (; i < bytes.length; i += 1) {
    const code = bytes[i] ?? 0;
    if (code < ZERO || code > NINE) break;
  }
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

/** `at` is the expected start of a field. Returns the start of its value. */
function valueOfField(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return INVALID;
  const nameEnd = stringEnd(bytes, at);
  if (nameEnd === INVALID) return INVALID;
  const colon = skipSpace(bytes, nameEnd);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : INVALID;
}

/** Returns the position after the value that begins at `start`. */
function valueEnd(bytes: Uint8Array, start: number): number {
  /** The closing characters of the open containers, outermost first. */
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
    // After a value: close its container and the outer ones, until one continues.
    for (;;) {
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
      const close = closing[depth - 1] ?? 0;
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
 * The position of the value of each field of an object, in bytes of UTF-8. For a repeated field the last value counts,
 * as in JSON.parse. Null where the bytes are no JSON object, or have more than the maximum number of fields; JSON.parse
 * tells the difference.
 */
export function objectFields(bytes: Buffer): Map<string, Span> | null {
  const fields = new Map<string, Span>();
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return null;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] !== CLOSE_OBJECT || fields.size > 0) {
    const start = valueOfField(bytes, at);
    if (start === INVALID) return null;
    const name = String(JSON.parse(bytes.toString('utf8', at, stringEnd(bytes, at))));
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
