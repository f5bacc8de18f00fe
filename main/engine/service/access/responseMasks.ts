/** Masks what is secret in answers, by the schemas that the OpenAPI documents have of them. */
import type * as z from 'zod';
import { maskSecret, secretKindOf } from '#contract/core/secretFields.ts';
import type { DocumentTable, Shape } from '../openapi/document.ts';

type Masker = (value: unknown) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What masks the items of a list by `item`. */
const eachItem =
  (item: Masker): Masker =>
  (value) =>
    Array.isArray(value) ? value.map(item) : value;

/** One after the other; null where there is none. */
function allOf(maskers: readonly (Masker | null)[]): Masker | null {
  const there = maskers.filter((masker) => masker !== null);
  return there.length === 0 ? null : (value) => there.reduce((masked, masker) => masker(masked), value);
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

/** What masks a value of this schema; null where nothing in it is secret. */
export function maskerOf(schema: z.core.$ZodType): Masker | null {
  const kind = secretKindOf(schema);
  if (kind !== null) return (value) => maskSecret(kind, value);
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

export interface AnswerMasks {
  /** Throws where the documents do not say what a route answers. */
  require(method: string, path: string): void;
  /** An answer without its secrets. `path`: as the documents write it. */
  mask(method: string, path: string, status: number, answer: unknown): unknown;
}

function ofShape(shape: Shape<string>, schemas: Readonly<Partial<Record<string, z.ZodType>>>): Masker | null {
  if (typeof shape === 'string') return schemas[shape] ? maskerOf(schemas[shape]) : null;
  if ('oneOf' in shape) return allOf(shape.oneOf.map((one) => ofShape(one, schemas)));
  const item = ofShape(shape.listOf, schemas);
  return item && eachItem(item);
}

export function createAnswerMasks(documents: readonly DocumentTable<string>[]): AnswerMasks {
  /** `METHOD path` → status → what masks that answer. */
  const operations = new Map<string, ReadonlyMap<number, Masker>>();
  for (const { operations: listed, answers: schemas } of documents) {
    for (const { methods, path, answers } of listed) {
      const maskers = new Map<number, Masker>();
      for (const [status, { shape }] of Object.entries(answers)) {
        const masker = shape === null ? null : ofShape(shape, schemas);
        if (masker) maskers.set(Number(status), masker);
      }
      for (const method of methods) operations.set(`${method.toUpperCase()} ${path}`, maskers);
    }
  }
  return {
    require(method, path) {
      if (operations.has(`${method} ${path}`)) return;
      throw new Error(`No document says what ${method} ${path} answers.`);
    },
    mask(method, path, status, answer) {
      const masker = operations.get(`${method} ${path}`)?.get(status);
      return masker ? masker(answer) : answer;
    },
  };
}
