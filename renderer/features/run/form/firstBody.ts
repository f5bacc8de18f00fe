/** The body that a person begins with where the schema of the input is known and nothing was written yet. */
import { readFields, type FieldKind, type InputField } from './inputFields.ts';

/** What stands for a value that the person must write; a list or an object has no such value. */
const blanks: Readonly<Partial<Record<FieldKind, string>>> = {
  text: '""',
  number: '0',
  integer: '0',
  boolean: 'false',
};

function valueOf({ kind, example, initial, choices, min, required }: InputField): string | null {
  const known = example ?? initial;
  if (known !== null || !required) return known;
  if (kind === 'choice') return choices[0] ?? null;
  return min !== null && min > 0 ? String(min) : (blanks[kind] ?? null);
}

/**
 * A body with the examples and defaults of the schema, and with a blank for each other field that is required. Null
 * where the schema cannot be read, or says nothing of this.
 */
export function firstBody(schema: string): string | null {
  const read = readFields(schema);
  if (!read.ok) return null;
  const members = read.fields.flatMap((field) => {
    const value = valueOf(field);
    return value === null ? [] : [`${JSON.stringify(field.name)}:${value}`];
  });
  return members.length === 0 ? null : JSON.stringify(JSON.parse(`{"input":{${members.join(',')}}}`), null, 2);
}
