/** The problems of a schema of the person, each at its place in the text. */
import { lineAt, type Problem } from '../editor/lintRequest.ts';
import { memberAt, readText } from '../editor/requestText.ts';
import { readFields } from './inputFields.ts';

/** What may be wrong stands at most this deep: properties.input.properties.NAME.type. */
const DEPTH = 6;

/** At most one problem; none for an empty text. */
export function lintSchema(text: string): Problem[] {
  if (text.trim() === '') return [];
  const place = (from: number, to: number, message: string): Problem[] => [
    { from, to, line: lineAt(text, from), message },
  ];
  const read = readText(text, DEPTH);
  if (!read.ok) return place(read.at, Math.min(read.at + 1, text.length), read.message);
  const fields = readFields(text);
  if (fields.ok) return [];
  const value = memberAt(read.root, fields.path)?.value;
  // The whole schema is wrong from its first letter on.
  return value
    ? place(value.from, value.to, fields.message)
    : place(read.root.from, read.root.from + 1, fields.message);
}
