/**
 * What of an input does not fit its schema. The handler decides: a person reads it before the input is sent. Loaded on first
 * use, with the validator.
 */
import { dereference, validate, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { messageOf } from '#contract/core/errors.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { checkedSchema, type CheckedSchema } from './checkedSchema.ts';
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

/** Larger bodies hold files. Checking one at each key would slow the typing, so they are not checked. */
const CHECKED_CHARS = 1024 * 1024;
const MOST = 50;
/** Of a long list of choices, the first are named. */
const NAMED = 8;

const NOTHING: InputCheck = { misfits: [], more: 0, problem: null };

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

/** Keywords of which the errors of their parts say what is wrong. */
const CONTAINERS: ReadonlySet<string> = new Set([
  '$ref',
  '$recursiveRef',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'allOf',
  'if',
  'dependentSchemas',
]);

/** The names and indexes of a location such as "#/a/b~1c/0". */
const stepsOf = (location: string): string[] =>
  location
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));

type Lookup = ReturnType<typeof dereference>;

/** What stands at a location of the schema. A reference on the way is followed. */
function keywordAt(schema: Schema, lookup: Lookup, location: string): unknown {
  let place: unknown = schema;
  for (const step of stepsOf(location)) {
    if (typeof place !== 'object' || place === null) return undefined;
    const next: unknown = Reflect.get(place, step);
    if (step === '$ref') {
      const address: unknown = Reflect.get(place, '__absolute_ref__') ?? next;
      place = lookup[String(address)];
    } else place = next;
  }
  return place;
}

/** "a.b[0]": how a person knows a place. */
const placeWords = (steps: readonly string[]): string =>
  steps.reduce(
    (before, step) => (before === '' ? step : /^\d+$/.test(step) ? `${before}[${step}]` : `${before}.${step}`),
    '',
  );

/** An error of the validator with what the schema wants there. */
interface Failure extends OutputUnit {
  wanted: unknown;
}

function wordsOf({ keyword, error, wanted }: Failure, place: string): string {
  const name = place === '' ? t`The input` : place;
  const value = shown(wanted);
  switch (keyword) {
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
      return error.includes('(0 matches)')
        ? t`${name}: matches none of the variants that the schema allows.`
        : t`${name}: must match exactly one of the variants that the schema allows.`;
    default:
      return t`${name}: does not match "${keyword}" of the schema.`;
  }
}

/**
 * Of alternatives, the failures of the only one that has the right type say the most. Where no alternative has it, a person
 * reads which types there are.
 */
function ofAlternatives(failures: readonly Failure[]): Failure[] {
  let remaining = [...failures];
  for (const failure of failures) {
    if ((failure.keyword !== 'anyOf' && failure.keyword !== 'oneOf') || !remaining.includes(failure)) continue;
    const { keywordLocation, instanceLocation } = failure;
    const start = `${keywordLocation}/`;
    const parts = remaining.filter((one) => one.keywordLocation.startsWith(start));
    if (parts.length === 0) continue;
    const branchOf = (one: Failure): string => one.keywordLocation.slice(start.length).split('/')[0] ?? '';
    const branches = [...new Set(parts.map(branchOf))].map((name) => parts.filter((one) => branchOf(one) === name));
    const isType = (one: Failure): boolean => one.keyword === 'type' && one.instanceLocation === instanceLocation;
    const fitting = branches.filter((branch) => !branch.some(isType));
    const types = parts.filter(isType).flatMap(({ wanted }) => wanted);
    const [only] = fitting;
    const instead = fitting.length === 0 ? [{ ...failure, keyword: 'type', wanted: types }] : [failure];
    remaining = remaining.flatMap((one) => {
      if (one === failure) return fitting.length === 1 && only !== undefined ? only : instead;
      return parts.includes(one) ? [] : one;
    });
  }
  return remaining;
}

/** The validator names a missing field in its message only. */
const MISSING = /required property "(.*)"\.$/s;

/** `steps`: the names and indexes that lead to the value. */
function misfitOf(failure: Failure, steps: readonly string[]): Misfit {
  const missing = failure.keyword === 'required' ? MISSING.exec(failure.error)?.[1] : undefined;
  if (missing === undefined) return { name: steps[0] ?? '', words: wordsOf(failure, placeWords(steps)) };
  const path = [...steps, missing];
  return { name: path[0] ?? '', words: t`${placeWords(path)} is required.` };
}

/** All that does not fit, each once. Throws if the schema has a reference to nowhere or a pattern that is none. */
function misfitsOf({ schema, isOfBody }: CheckedSchema, input: unknown): Misfit[] {
  const draft = /draft-0[467]/.test(String(schema.$schema)) ? '7' : '2020-12';
  const lookup = dereference(schema);
  const { errors } = validate(input, schema, draft, lookup, false);
  const failures = errors.map((error) => ({ ...error, wanted: keywordAt(schema, lookup, error.keywordLocation) }));
  const leaves = ofAlternatives(failures).filter(({ keyword }) => !CONTAINERS.has(keyword));
  const misfits = leaves.map((failure) => {
    const steps = stepsOf(failure.instanceLocation);
    return misfitOf(failure, isOfBody && steps[0] === 'input' ? steps.slice(1) : steps);
  });
  return [...new Map(misfits.map((misfit) => [misfit.words, misfit])).values()];
}

/**
 * Makes the check of a schema, in a form that `readFields` can read. Its misfits are in the order of the fields of the
 * schema. A body that cannot be read has none.
 */
export function createInputCheck(text: string): (body: string) => InputCheck {
  const checked = checkedSchema(text);
  if (checked === null) return () => NOTHING;
  const { schema, isOfBody } = checked;
  const ofInput: unknown = isOfBody ? schema.properties?.['input'] : schema;
  const order = hasProperties(ofInput) ? namesOf(ofInput.properties) : [];
  return (body) => {
    const input = body.length > CHECKED_CHARS ? null : inputOf(body, isOfBody);
    if (input === null) return NOTHING;
    try {
      const misfits = misfitsOf(checked, input);
      const sorted = misfits.toSorted((one, other) => placeIn(order, one.name) - placeIn(order, other.name));
      return { misfits: sorted.slice(0, MOST), more: Math.max(0, sorted.length - MOST), problem: null };
    } catch (error) {
      // The first line says what is wrong with the schema; others list what it has.
      const [reason = ''] = messageOf(error).split('\n');
      return { ...NOTHING, problem: t`The input cannot be checked against the schema: ${reason}` };
    }
  };
}

const namesOf = (members: unknown): string[] =>
  typeof members === 'object' && members !== null ? Object.keys(members) : [];

/** Fields that the schema does not name stand last. */
const placeIn = (order: readonly string[], name: string): number =>
  order.includes(name) ? order.indexOf(name) : order.length;

/** The input, or the whole body; null if it cannot be read. */
function inputOf(body: string, isWhole: boolean): unknown {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null || !('input' in value)) return null;
    if (typeof value.input !== 'object' || Array.isArray(value.input)) return null;
    return isWhole ? value : value.input;
  } catch {
    // It is no JSON, which the editor says.
    return null;
  }
}
