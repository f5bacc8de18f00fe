/** The fields that a column of a comparison has of its own, as a request body whose input has these alone. */
import { formatCount } from '../../../ui/text/format.ts';
import { writeMember } from '../editor/memberText.ts';
import type { ProposedField } from '../form/AddField.tsx';
import { inferFields, readInput } from '../form/inputFields.ts';
import { memberAt, readText } from '../editor/requestText.ts';
import { t } from '../../../language/text.ts';

export const NO_FIELDS = '{"input": {}}';

const fieldsOf = (own: string) => [...(readInput(own) ?? [])];

export const hasFields = (own: string): boolean => fieldsOf(own).length > 0;

/** The shared body with the fields of a column in place of its own; the rest of its text stays as it is. */
export const withFields = (body: string, own: string): string =>
  fieldsOf(own).reduce((text, [name, { raw }]) => writeMember(text, 'input', name, raw), body);

/** The fields of a body that a column may have other values for. */
export function proposedFields(body: string): ProposedField[] {
  const input = readInput(body);
  return inferFields([body]).map(({ name, kind }) => ({ name, kind, raw: input?.get(name)?.raw ?? '' }));
}

/** Why fields of columns have no place in the shared body; null where they have one. */
export function cannotTakeFields(body: string, columns: readonly { own: string }[]): string | null {
  if (!columns.some(({ own }) => hasFields(own))) return null;
  const read = readText(body);
  const input = read.ok ? memberAt(read.root, ['input'])?.value : undefined;
  return input === undefined || input.kind === 'object'
    ? null
    : t`Columns have fields of their own, which need an object as "input".`;
}

const MOST_CHARS = 24;
const MOST_SHOWN = 3;

/** "temperature 0.9, seed 7", "prompt “a harbour…”, and 4 more". */
export function fieldWords(own: string): string {
  const fields = fieldsOf(own);
  const shown = fields.slice(0, MOST_SHOWN).map(([name, { raw }]) => {
    return `${name} ${raw.length > MOST_CHARS ? `${raw.slice(0, MOST_CHARS)}…` : raw}`;
  });
  const more = fields.length - shown.length;
  return more === 0 ? shown.join(', ') : t`${shown.join(', ')} and ${formatCount(more)} more`;
}

/**
 * The shared body and the own fields of each body of a comparison: a field is shared if all of them have it with the same
 * value. Bodies of a comparison differ in nothing but the fields of their inputs.
 */
export function splitBodies(bodies: readonly string[]): { shared: string; own: string[] } {
  const [first = NO_FIELDS] = bodies;
  const inputs = bodies.map((body) => readInput(body));
  const isShared = (name: string, raw: string) => inputs.every((input) => input?.get(name)?.raw === raw);
  const own = inputs.map((input) =>
    [...(input ?? [])]
      .filter(([name, { raw }]) => !isShared(name, raw))
      .reduce((text, [name, { raw }]) => writeMember(text, 'input', name, raw), NO_FIELDS),
  );
  const shared = fieldsOf(own[0] ?? NO_FIELDS).reduce((text, [name]) => writeMember(text, 'input', name, null), first);
  return { shared, own };
}
