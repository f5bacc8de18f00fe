/** Masks the secrets in answers, by the schemas in the descriptions of operations. */
import type * as z from 'zod';
import { maskSecret, secretKindOf } from '#contract/core/secretFields.ts';
import type { OperationDescription, Shape } from '../openapi/operation.ts';

type Masker = (value: unknown) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Masks each item of a list by `item`. */
const eachItem =
  (item: Masker): Masker =>
  (value) =>
    Array.isArray(value) ? value.map(item) : value;

/** Applies one masker after the other; null where there is none. */
function allOf(maskers: readonly (Masker | null)[]): Masker | null {
  const present = maskers.filter((masker) => masker !== null);
  return present.length === 0 ? null : (value) => present.reduce((masked, masker) => masker(masked), value);
}

function ofFields(shape: Readonly<Record<string, z.core.$ZodType>>): Masker | null {
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const masker = maskerOf(schema);
    return masker ? [[name, masker] as const] : [];
  });
  if (fields.length === 0) return null;
  return (value) => {
    if (!isObject(value)) return value;
    const masked = { ...value };
    for (const [name, masker] of fields) if (name in masked) masked[name] = masker(masked[name]);
    return masked;
  };
}

function ofValues(masker: Masker | null): Masker | null {
  if (!masker) return null;
  return (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masker(inner)])) : value;
}

/** The masker of values of this schema; null where nothing in it is secret. */
export function maskerOf(schema: z.core.$ZodType): Masker | null {
  const kind = secretKindOf(schema);
  if (kind !== null) return (value) => maskSecret(kind, value);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each schema of zod is one of $ZodTypes
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return ofFields(def.shape);
    case 'array': {
      const item = maskerOf(def.element);
      return item && eachItem(item);
    }
    case 'record':
      return ofValues(maskerOf(def.valueType));
    case 'union':
      return allOf(def.options.map(maskerOf));
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return maskerOf(def.innerType);
    case 'pipe':
      return allOf([maskerOf(def.in), maskerOf(def.out)]);
    default:
      return null;
  }
}

function ofShape(shape: Shape): Masker | null {
  if ('oneOf' in shape) return allOf(shape.oneOf.map(ofShape));
  if ('schema' in shape) return maskerOf(shape.schema);
  const item = maskerOf(shape.listOf.schema);
  return item && eachItem(item);
}

/** HTTP status → the masker of the answer with this status. */
type AnswerMaskers = ReadonlyMap<number, Masker>;

function answerMaskers({ answers }: OperationDescription): AnswerMaskers {
  const maskers = new Map<number, Masker>();
  for (const [status, { shape }] of Object.entries(answers)) {
    const masker = shape === null ? null : ofShape(shape);
    if (masker) maskers.set(Number(status), masker);
  }
  return maskers;
}

const known = new WeakMap<OperationDescription, AnswerMaskers>();

/** Returns the answer with its secrets masked; the same value where it has none. */
export function maskAnswer(operation: OperationDescription, status: number, answer: unknown): unknown {
  let maskers = known.get(operation);
  if (!maskers) known.set(operation, (maskers = answerMaskers(operation)));
  const masker = maskers.get(status);
  return masker ? masker(answer) : answer;
}
