/**
 * The published description of the real service's REST API, version 0.1.0, and what of our answers it does not allow.
 * Its file has what programs read of it: no words, each list of names that stands in several places once, and examples
 * of what is sent.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Answer } from '../http/client.ts';
import { createSchemaCheck } from './schemaCheck.ts';

const path = join(import.meta.dirname, '../../fixtures/restV1.openapi.json');

/** The description as JSON. */
export const publishedRestV1 = (): object => JSON.parse(readFileSync(path, 'utf8')) as object;

const fieldSchema = z.looseObject({ $ref: z.string().optional(), example: z.unknown().optional() });
const objectSchema = z.looseObject({ properties: z.record(z.string(), fieldSchema).default({}) });
const contentSchema = z.object({ 'application/json': z.object({ schema: fieldSchema }).optional() });
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: fieldSchema })).default([]),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ content: contentSchema.optional() })),
});
const descriptionSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

export interface Described {
  readonly method: string;
  /** As the description has it, without /v1. */
  readonly path: string;
  readonly id: string;
  /** Examples of the parameters of its query, by name. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Examples of the fields of its body, by name; null where it has none. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface Description {
  readonly operations: readonly Described[];
  /** The names of the fields of a schema, or of the object in a field of it, or in a field of that. */
  fieldsOf(name: string, ...within: string[]): string[];
  /** What the description does not allow in an answer to `method path`; null when it allows all of it. */
  fault(method: string, path: string, answer: Answer): string | null;
  stop(): Promise<void>;
}

/** The description's own examples say null where there is nothing, whatever the type of the field. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, withoutNull(inner)]])),
  );
}

const nameOf = (reference = ''): string => reference.slice(reference.lastIndexOf('/') + 1);

/** What the description leaves out, and clients expect: the Pod, and that a restart can succeed. */
const POD_ANSWERED = new Set(['StartPod', 'StopPod', 'ResetPod', 'RestartPod']);

export async function readDescription(): Promise<Description> {
  const raw = publishedRestV1();
  const document = descriptionSchema.parse(raw);
  const { schemas } = document.components;
  const propertiesOf = (name: string) => objectSchema.parse(schemas[name]).properties;
  const operations = Object.entries(document.paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path: at, operation })),
  );

  const check = await createSchemaCheck(raw);

  return {
    operations: operations.map(({ method, path, operation }) => {
      const bodySchema = operation.requestBody?.content['application/json']?.schema.$ref;
      const examples = (fields: [string, z.infer<typeof fieldSchema>][]) =>
        Object.fromEntries(fields.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example]])));
      return {
        method,
        path,
        id: operation.operationId,
        query: examples(
          operation.parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]),
        ),
        body: bodySchema === undefined ? null : examples(Object.entries(propertiesOf(nameOf(bodySchema)))),
      };
    }),
    fieldsOf(name, ...within) {
      const properties = within.reduce((at, field) => objectSchema.parse(at[field]).properties, propertiesOf(name));
      return Object.keys(properties);
    },
    fault(method, at, answer) {
      const { status, text } = answer;
      const operation = operations.find((one) => one.method === method && one.path === at)?.operation;
      if (!operation) return `${method} ${at} is not described`;
      if (status >= 400) {
        const { message } = answer.json as { message?: unknown };
        return typeof message === 'string' && message !== '' ? null : `${method} ${at} ${status} has no message`;
      }
      const asPod = POD_ANSWERED.has(operation.operationId);
      const listed = operation.responses[status] ?? (asPod ? {} : undefined);
      if (!listed) return `${method} ${at} answered ${status}, which is not described: ${text.slice(0, 200)}`;
      const schema = asPod ? { $ref: '#/components/schemas/Pod' } : listed.content?.['application/json']?.schema;
      if (!schema) return text === '' ? null : `${method} ${at} answered ${status} with a body`;
      const errors = check.errorsOf(schema, withoutNull(answer.json));
      if (errors === null) return null;
      return `${method} ${at} ${status}: ${errors} in ${text.slice(0, 300)}`;
    },
    stop: check.stop,
  };
}
