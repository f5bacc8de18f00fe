/** The differences between two versions of a request: as it is sent, and in words. */
import { keysOf } from '#contract/core/keysOf.ts';
import type { ChangeText } from './Changes.tsx';
import { joinCommand } from './commandText.ts';
import { t } from '../../language/text.ts';

type OldAndNew = readonly [before: string, after: string];

/** Labels for each field of a request: its name, and the texts of two different values. */
export type FieldWords<Fields> = {
  readonly [Field in keyof Fields]-?: readonly [
    label: string,
    textsOf: (before: Fields[Field], after: Fields[Field]) => OldAndNew,
  ];
};

/** A changed field with its texts. */
export interface FieldChange<Field extends string = string> extends ChangeText {
  field: Field;
}

export interface RequestChanges<Fields> {
  /** Only the changed fields, with their new values. */
  change: Partial<Fields>;
  list: FieldChange<keyof Fields & string>[];
}

/** Compares the fields in `words`, in its order. */
export function fieldChanges<Fields extends object>(
  words: FieldWords<Fields>,
  before: Fields,
  after: Fields,
): RequestChanges<Fields> {
  const change: Partial<Fields> = {};
  const list: FieldChange<keyof Fields & string>[] = [];
  const compare = <Field extends keyof Fields & string>(field: Field): void => {
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) return;
    const [setting, textsOf] = words[field];
    const [oldText, newText] = textsOf(before[field], after[field]);
    change[field] = after[field];
    list.push({ field, setting, before: oldText, after: newText });
  };
  for (const field of keysOf(words)) compare(field);
  return { change, list };
}

/** Formats the old and the new value with the same function. */
export const written =
  <Value>(write: (value: Value) => string) =>
  (before: Value, after: Value): OldAndNew => [write(before), write(after)];

export const asText = written((text: string) => (text === '' ? t`none` : text));
export const asNumber = written((count: number) => String(count));
export const asList = written((items: readonly string[]) => items.join(', ') || t`none`);
export const asCommand = written((words: readonly string[]) => joinCommand(words) || t`as built in`);
export const asGigabytes = written((size: number) => t`${size} GB`);
export const asLength = written((text: string) => (text === '' ? t`none` : t`${text.length} characters`));
