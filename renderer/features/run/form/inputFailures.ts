/**
 * What of an input does not fit its schema, without words. It runs in a thread of its own (checkWorker.ts), because a
 * pattern of a schema can take minutes for one text.
 */
import { dereference, validate, type OutputUnit, type Schema } from '@cfworker/json-schema';
import { messageOf } from '#contract/core/errors.ts';

/** One check. It is sent to another thread, so it has values only. */
export interface CheckRequest {
  readonly schema: Schema;
  /** Whether the schema describes the whole body of a request; else its input. */
  readonly isOfBody: boolean;
  /** The fields of the input in the order of the schema. */
  readonly order: readonly string[];
  /** The body as JSON text. */
  readonly body: string;
}

/** One place of the input that does not fit. */
export interface InputFailure {
  /** The names and indexes that lead to the value. */
  readonly steps: readonly string[];
  /** The keyword of the schema; `required`: the last of `steps` is missing. */
  readonly keyword: string;
  /** The value of the keyword; null where it says nothing to a person. */
  readonly wanted: unknown;
  /** Of `oneOf`: whether none of its schemas fits, and not several. */
  readonly isNone: boolean;
}

export interface CheckAnswer {
  /** In the order of the fields of the schema; at most `MOST`. */
  readonly failures: readonly InputFailure[];
  /** How many more there are than `failures`. */
  readonly more: number;
  /** Why the schema cannot be used, in the words of the validator; null if it can. */
  readonly problem: string | null;
}

const MOST = 50;
const NOTHING: CheckAnswer = { failures: [], more: 0, problem: null };

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

/** An error of the validator with what the schema wants there. */
interface Failure extends OutputUnit {
  wanted: unknown;
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

/** Their values are schemas, or stand in the keyword itself. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(['false', 'anyOf', 'oneOf', 'not', 'uniqueItems']);

function shownFailure({ keyword, error, wanted }: Failure, steps: readonly string[]): InputFailure {
  const missing = keyword === 'required' ? MISSING.exec(error)?.[1] : undefined;
  if (missing !== undefined) return { steps: [...steps, missing], keyword, wanted: null, isNone: false };
  const isNone = keyword === 'oneOf' && error.includes('(0 matches)');
  return { steps, keyword, wanted: WITHOUT_VALUE.has(keyword) ? null : wanted, isNone };
}

/** All that does not fit, each once. Throws if the schema has a reference to nowhere or a pattern that is none. */
function failuresOf({ schema, isOfBody }: CheckRequest, input: unknown): InputFailure[] {
  const draft = /draft-0[467]/.test(String(schema.$schema)) ? '7' : '2020-12';
  const lookup = dereference(schema);
  const { errors } = validate(input, schema, draft, lookup, false);
  const failures = errors.map((error) => ({ ...error, wanted: keywordAt(schema, lookup, error.keywordLocation) }));
  const leaves = ofAlternatives(failures).filter(({ keyword }) => !CONTAINERS.has(keyword));
  const shown = leaves.map((failure) => {
    const steps = stepsOf(failure.instanceLocation);
    return shownFailure(failure, isOfBody && steps[0] === 'input' ? steps.slice(1) : steps);
  });
  return [...new Map(shown.map((failure) => [JSON.stringify(failure), failure])).values()];
}

/** Holds an input against its schema. A body that cannot be read has no failures. Never throws. */
export function checkInput(request: CheckRequest): CheckAnswer {
  const { order, body, isOfBody } = request;
  const input = inputOf(body, isOfBody);
  if (input === null) return NOTHING;
  try {
    const failures = failuresOf(request, input);
    const placeOf = ({ steps: [name = ''] }: InputFailure): number => placeIn(order, name);
    const sorted = failures.toSorted((one, other) => placeOf(one) - placeOf(other));
    return { failures: sorted.slice(0, MOST), more: Math.max(0, sorted.length - MOST), problem: null };
  } catch (error) {
    // The first line says what is wrong with the schema; others list what it has.
    const [reason = ''] = messageOf(error).split('\n');
    return { ...NOTHING, problem: reason };
  }
}

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
