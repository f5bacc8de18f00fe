/** What of an input does not fit its schema. The handler decides: a person reads it before the input is sent. */
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { formatCount } from '../../../ui/text/format.ts';
import type { Node } from '../editor/requestText.ts';
import { typedOf } from './fieldText.ts';
import { readInput, type InputField } from './inputFields.ts';
import { t } from '../../../language/text.ts';

export interface Misfit {
  /** The field. */
  name: string;
  /** "delay: at most 2." */
  words: string;
}

interface Value {
  raw: string;
  node: Node;
}

/** Larger bodies hold files. Reading one at each key would slow the typing, so they are not checked. */
const CHECKED_CHARS = 1024 * 1024;
/** Of a long list of choices, the first are named. */
const NAMED = 8;

const isWhole = ({ raw, node }: Value): boolean => node.kind === 'number' && Number.isInteger(Number(raw));

interface Type {
  words: string;
  holds: (value: Value) => boolean;
}

const text: Type = { words: t`a text`, holds: ({ node }) => node.kind === 'string' };
const number: Type = { words: t`a number`, holds: ({ node }) => node.kind === 'number' };
const whole: Type = { words: t`a whole number`, holds: isWhole };
const flag: Type = { words: t`true or false`, holds: ({ raw }) => raw === 'true' || raw === 'false' };
const list: Type = { words: t`a list`, holds: ({ node }) => node.kind === 'array' };
const object: Type = { words: t`an object`, holds: ({ node }) => node.kind === 'object' };
const nothing: Type = { words: t`null`, holds: ({ raw }) => raw === 'null' };

/** By their names in JSON Schema and in Python. */
const types: ReadonlyMap<string, Type> = new Map([
  ['string', text],
  ['str', text],
  ['number', number],
  ['float', number],
  ['integer', whole],
  ['int', whole],
  ['boolean', flag],
  ['bool', flag],
  ['array', list],
  ['list', list],
  ['object', object],
  ['dict', object],
  ['null', nothing],
]);

const anyOf = (words: readonly string[]): string => words.reduce((before, next) => t`${before} or ${next}`);

/** The value as it is known by: two texts of one value are the same. */
const canonical = (raw: string): string => JSON.stringify(parseJsonOrNull(raw));

function misfitOf(field: InputField, value: Value | undefined): string | null {
  const { name, choices, min, max } = field;
  if (value === undefined) return field.required ? t`${name} is required.` : null;
  const named = field.types.map((type) => types.get(type));
  const known = named.filter((type) => type !== undefined);
  // A type of another name may be anything.
  if (known.length > 0 && known.length === named.length && !known.some(({ holds }) => holds(value))) {
    return t`${name}: must be ${anyOf(known.map(({ words }) => words))}.`;
  }
  if (choices.length > 0 && !choices.includes(canonical(value.raw))) {
    const first = choices.slice(0, NAMED).map((raw) => typedOf('text', raw));
    const words = anyOf(first);
    return choices.length > NAMED
      ? t`${name}: must be ${words}, or one of ${formatCount(choices.length - NAMED)} others.`
      : t`${name}: must be ${words}.`;
  }
  if (value.node.kind !== 'number') return null;
  if (min !== null && Number(value.raw) < min) return t`${name}: at least ${min}.`;
  if (max !== null && Number(value.raw) > max) return t`${name}: at most ${max}.`;
  return null;
}

/** What of the input in `body` does not fit, in the order of the fields; nothing for a body that cannot be read. */
export function misfitsOf(fields: readonly InputField[], body: string): Misfit[] {
  if (fields.length === 0 || body.length > CHECKED_CHARS) return [];
  const input = readInput(body);
  if (input === null) return [];
  return fields.flatMap((field) => {
    const words = misfitOf(field, input.get(field.name));
    return words === null ? [] : [{ name: field.name, words }];
  });
}
