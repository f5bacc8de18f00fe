/** The body that a person begins with where the schema of the input is known and nothing was written yet. */
import { readFields, readInput, type FieldKind, type InputField } from './inputFields.ts';

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

/** With the examples and defaults of the fields, and with a blank for each other one that is required. */
function bodyOf(fields: readonly InputField[]): string | null {
  const members = fields.flatMap((field) => {
    const value = valueOf(field);
    return value === null ? [] : [`${JSON.stringify(field.name)}:${value}`];
  });
  return members.length === 0 ? null : JSON.stringify(JSON.parse(`{"input":{${members.join(',')}}}`), null, 2);
}

/**
 * The sample of the endpoint, or a body from its schema: where there is no sample, and where the sample lacks a field
 * that the schema requires, as that of a template does once its handler was changed. Null where neither says anything.
 */
export function firstBody(schema: string | null, sample: string | null): string | null {
  const read = schema === null ? null : readFields(schema);
  if (!read?.ok) return sample;
  const input = sample === null ? null : readInput(sample);
  const fits = input !== null && read.fields.every(({ name, required }) => !required || input.has(name));
  return fits ? sample : (bodyOf(read.fields) ?? sample);
}
