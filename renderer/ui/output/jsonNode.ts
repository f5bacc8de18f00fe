/**
 * JSON values as their own text, read one level at a time: a large answer opens without being parsed as a whole, and
 * numbers, digits and the order of names stay as they came.
 */
import { arrayItems, topLevelSpans } from '#contract/core/jsonScanner.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

/** One member of an object, or one item of a list. `text` is its raw JSON without white space around it. */
export interface JsonMember {
  /** The name in the object, or the index in the list. */
  name: string | number;
  text: string;
}

/** The kind of the value whose raw JSON is `text`, by its first character. */
export function kindOf(text: string): JsonKind {
  const first = text.charCodeAt(0);
  if (first === 123) return 'object';
  if (first === 91) return 'array';
  if (first === 34) return 'string';
  return first === 45 || (first >= 48 && first <= 57) ? 'number' : 'word';
}

export const isContainer = (text: string): boolean => kindOf(text) === 'object' || kindOf(text) === 'array';

/** The members of an object or a list; none for other values. @throws {SyntaxError} for a text that is cut off. */
export function membersOf(text: string): JsonMember[] {
  const kind = kindOf(text);
  if (kind === 'array') return arrayItems(text).map((item, name) => ({ name, text: item }));
  if (kind !== 'object') return [];
  return Array.from(topLevelSpans(text), ([name, { start, end }]) => ({ name, text: text.slice(start, end) }));
}

/** The member of an object with this name; undefined for other values, too. */
export const memberOf = (text: string, name: string): string | undefined =>
  kindOf(text) === 'object' ? membersOf(text).find((member) => member.name === name)?.text : undefined;

/** The string whose raw JSON is `text`; null for other values. Costs nothing for a string without escapes. */
export function stringOf(text: string): string | null {
  if (kindOf(text) !== 'string' || text.length < 2) return null;
  const inner = text.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? value : null;
}

const BARE_NAME = /^[A-Za-z_$][\w$]*$/;

/** The path of a member below `parent`, as JavaScript and Python's `jq` write it: `images[0].url`, `["my name"]`. */
export function pathOf(parent: string, name: string | number): string {
  if (typeof name === 'number') return `${parent}[${name}]`;
  if (!BARE_NAME.test(name)) return `${parent}[${JSON.stringify(name)}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

/** Whether the text is one whole JSON value. Parses it, so it is for texts of moderate length. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // JSON.parse throws only for a text that is not JSON.
    return false;
  }
}
