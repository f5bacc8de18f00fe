/** Files as texts of a request body: base64, which every handler can decode. */
import { t } from '../../../language/text.ts';

/** Whether the files, as base64, fit beside `usedBytes` of other text into a body of `limitBytes`. */
export function fitsAsBase64(files: readonly Pick<File, 'size'>[], usedBytes: number, limitBytes: number): boolean {
  // Base64 needs four characters for three bytes, and a file its quotes.
  const bytes = files.reduce((sum, { size }) => sum + 4 * Math.ceil(size / 3) + 4, usedBytes);
  return bytes <= limitBytes;
}

/**
 * Where a place of a text is after the text was changed; null if the place itself was changed. Both texts agree before
 * and after one changed part.
 */
export function movedPlace(before: string, now: string, at: number): number | null {
  const most = Math.min(before.length, now.length);
  let head = 0;
  while (head < most && before[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  if (at <= head) return at;
  return at >= before.length - tail ? at + now.length - before.length : null;
}

/** The bytes of a file as base64. */
export function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error(t`The file could not be read.`));
    reader.readAsDataURL(file);
  });
}

/**
 * Where the base64 of files goes in a JSON text: in place of the string around `at`, with its quotes, or else at `at`.
 * Several files become a list, except among the items of a list that the person has begun. Where that would break a text
 * that was JSON before, they take the place of the string whose name is around `at`, or of the first empty string; null
 * if there is neither.
 */
export function placeOfFiles(
  text: string,
  at: number,
  values: readonly string[],
): { from: number; to: number; insert: string } | null {
  const around = stringAround(text, at);
  const breaks = around === null && isJson(text) && !isJson(text.slice(0, at) + '""' + text.slice(at));
  const span = around ?? (breaks ? (stringNamedAt(text, at) ?? emptyIn(text)) : { from: at, to: at });
  if (span === null) return null;
  const items = values.map((value) => JSON.stringify(value)).join(', ');
  const isInList = /[[]\s*$/.test(text.slice(0, span.from)) || /^\s*\]/.test(text.slice(span.to));
  return { ...span, insert: values.length > 1 && !isInList ? `[${items}]` : items };
}

/** The first empty string that is no name of a member; null if there is none. */
function emptyIn(text: string): { from: number; to: number } | null {
  for (const { 0: quoted, index } of text.matchAll(STRINGS)) {
    const to = index + quoted.length;
    if (quoted === '""' && !isName(text, to)) return { from: index, to };
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // It is being written.
    return false;
  }
}

const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;
/** Whether the string that ends at `to` is the name of a member. */
const isName = (text: string, to: number): boolean => /^\s*:/.test(text.slice(to, to + 100));

/** The string that is the value of the member whose name holds `at`; null elsewhere, and for another value. */
function stringNamedAt(text: string, at: number): { from: number; to: number } | null {
  const strings = text.matchAll(STRINGS);
  for (const { 0: quoted, index } of strings) {
    const to = index + quoted.length;
    if (to < at) continue;
    const value = strings.next().value;
    const isValue =
      index <= at && isName(text, to) && value !== undefined && /^\s*:\s*$/.test(text.slice(to, value.index));
    return isValue ? { from: value.index, to: value.index + value[0].length } : null;
  }
  return null;
}

/** The string with its quotes whose inside holds `at`; null elsewhere, and for the name of a member. */
function stringAround(text: string, at: number): { from: number; to: number } | null {
  for (const { 0: quoted, index: from } of text.matchAll(STRINGS)) {
    if (from >= at) return null;
    const to = from + quoted.length;
    if (at < to) return isName(text, to) ? null : { from, to };
  }
  return null;
}
