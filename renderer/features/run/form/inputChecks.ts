/**
 * What of an input does not fit its schema, in words. The handler decides: a person reads it before the input is sent.
 */
import { formatCount } from '../../../ui/text/format.ts';
import { checkedSchema } from './checkedSchema.ts';
import type { CheckOutcome } from './checkThread.ts';
import type { CheckRequest, InputFailure } from './inputFailures.ts';
import { hasProperties } from './inputFields.ts';
import { t } from '../../../language/text.ts';

export interface Misfit {
  /** The field of the input; empty for the input itself. */
  name: string;
  /** "delay: at most 2." */
  words: string;
}

export interface InputCheck {
  misfits: readonly Misfit[];
  /** How many more there are than `misfits`. */
  more: number;
  /** Why the input cannot be checked, for a person; null if it was. */
  problem: string | null;
}

/** Nothing is known of the input. */
export const UNCHECKED: InputCheck = { misfits: [], more: 0, problem: null };

/** Larger bodies hold files. Checking one at each key would cost too much, so they are not checked. */
const CHECKED_CHARS = 1024 * 1024;
/** Of a long list of choices, the first are named. */
const NAMED = 8;

const typeWords: Readonly<Record<string, string>> = {
  string: t`a string`,
  number: t`a number`,
  integer: t`a whole number`,
  boolean: t`true or false`,
  array: t`a list`,
  object: t`an object`,
  null: t`null`,
};

const anyOf = (words: readonly string[]): string => words.reduce((before, next) => t`${before} or ${next}`);
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** "a.b[0]": how a person knows a place. */
const placeWords = (steps: readonly string[]): string =>
  steps.reduce(
    (before, step) => (before === '' ? step : /^\d+$/.test(step) ? `${before}[${step}]` : `${before}.${step}`),
    '',
  );

function wordsOf({ steps, keyword, wanted, isNone }: InputFailure): string {
  const place = placeWords(steps);
  const name = place === '' ? t`The input` : place;
  const value = shown(wanted);
  switch (keyword) {
    case 'required':
      return t`${place} is required.`;
    case 'type':
      return t`${name}: must be ${anyOf([wanted].flat().map((type) => typeWords[String(type)] ?? String(type)))}.`;
    case 'enum': {
      const choices = Array.isArray(wanted) ? wanted.map(shown) : [];
      const words = anyOf(choices.slice(0, NAMED));
      return choices.length > NAMED
        ? t`${name}: must be ${words}, or one of ${formatCount(choices.length - NAMED)} others.`
        : t`${name}: must be ${words}.`;
    }
    case 'const':
      return t`${name}: must be ${value}.`;
    case 'minimum':
      return t`${name}: at least ${value}.`;
    case 'maximum':
      return t`${name}: at most ${value}.`;
    case 'exclusiveMinimum':
      return t`${name}: more than ${value}.`;
    case 'exclusiveMaximum':
      return t`${name}: less than ${value}.`;
    case 'multipleOf':
      return t`${name}: must be a multiple of ${value}.`;
    case 'minLength':
    case 'minItems':
      return t`${name}: the length must be at least ${value}.`;
    case 'maxLength':
    case 'maxItems':
      return t`${name}: the length must be at most ${value}.`;
    case 'minProperties':
      return t`${name}: the number of fields must be at least ${value}.`;
    case 'maxProperties':
      return t`${name}: the number of fields must be at most ${value}.`;
    case 'pattern':
      return t`${name}: must match the pattern ${value}.`;
    case 'format':
      return t`${name}: must have the format ${value}.`;
    case 'uniqueItems':
      return t`${name}: the items must be unique.`;
    case 'false':
      return t`${name}: the schema does not allow it.`;
    case 'anyOf':
      return t`${name}: matches none of the variants that the schema allows.`;
    case 'oneOf':
      return isNone
        ? t`${name}: matches none of the variants that the schema allows.`
        : t`${name}: must match exactly one of the variants that the schema allows.`;
    default:
      return t`${name}: does not match "${keyword}" of the schema.`;
  }
}

const namesOf = (members: unknown): string[] =>
  typeof members === 'object' && members !== null ? Object.keys(members) : [];

/**
 * Makes the checks of a schema, in a form that `readFields` can read, by the body of the request. Null where nothing is
 * checked: the body is too large, or the schema cannot be read.
 */
export function checksOf(text: string): (body: string) => CheckRequest | null {
  const checked = checkedSchema(text);
  if (checked === null) return () => null;
  const { schema, isOfBody } = checked;
  const ofInput: unknown = isOfBody ? schema.properties?.['input'] : schema;
  const order = hasProperties(ofInput) ? namesOf(ofInput.properties) : [];
  return (body) => (body.length > CHECKED_CHARS ? null : { schema, isOfBody, order, body });
}

/** What a person reads of a check. */
export function inputCheckOf(outcome: CheckOutcome): InputCheck {
  if (outcome === 'unavailable') {
    return { ...UNCHECKED, problem: t`The check of the input could not be loaded. Reload the page.` };
  }
  if (outcome === 'too-slow') {
    return {
      ...UNCHECKED,
      problem: t`The check of this input took longer than 1 s and was stopped: the schema may have a pattern that is too slow. The input can be sent all the same.`,
    };
  }
  const { failures, more, problem } = outcome;
  if (problem !== null) {
    return { ...UNCHECKED, problem: t`The input cannot be checked against the schema: ${problem}` };
  }
  const misfits = failures.map((failure) => ({ name: failure.steps[0] ?? '', words: wordsOf(failure) }));
  return { misfits, more, problem: null };
}
