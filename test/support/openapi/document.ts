import * as z from 'zod';
import type { Answer } from '../http/client.ts';
import { createSchemaCheck } from './schemaCheck.ts';

const parameterSchema = z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean() });
const contentSchema = z.record(z.string(), z.object({ schema: z.unknown() }));
const responseSchema = z.object({ description: z.string().min(1), content: contentSchema.optional() });
const referenceSchema = z.strictObject({ $ref: z.string() });
const operationSchema = z.object({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  tags: z.array(z.string()),
  parameters: z.array(parameterSchema).default([]),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.union([referenceSchema, responseSchema])),
  'x-websocket': z.object({ sent: referenceSchema, received: referenceSchema }).optional(),
});

/** The parts of an OpenAPI document that the checks go by. */
export const documentSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.object({ title: z.string().min(1), version: z.string().min(1) }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.enum(['get', 'post', 'put', 'patch', 'delete']), operationSchema.optional())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()), responses: z.record(z.string(), z.unknown()) }),
});
export type OpenApiDocument = z.infer<typeof documentSchema>;

export interface ListedOperation extends z.infer<typeof operationSchema> {
  readonly method: string;
  readonly path: string;
}

export const operationsOf = (document: OpenApiDocument): ListedOperation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation ? [{ ...operation, method: method.toUpperCase(), path }] : [],
    ),
  );

/** Every `$ref` below a value. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

/** What a `#/a/b` names in the document; undefined when there is nothing. */
export const resolved = (document: OpenApiDocument, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);

export interface AnswerCheck {
  /**
   * Says what is wrong with an answer to `method path` (the path as the document has it); null when it is as
   * documented.
   */
  fault(method: string, path: string, answer: Answer): string | null;
}

/** Checks answers against the schemas of a document. */
export async function createAnswerCheck(document: OpenApiDocument): Promise<AnswerCheck & { stop(): Promise<void> }> {
  const check = await createSchemaCheck(document);

  return {
    fault(method, path, answer) {
      const { status, headers, text } = answer;
      const operation = operationsOf(document).find((one) => one.method === method && one.path === path);
      if (!operation) return `${method} ${path} is not documented`;
      const listed = operation.responses[status];
      if (!listed) return `${method} ${path} answered ${status}, which is not documented: ${text.slice(0, 200)}`;
      const at = '$ref' in listed ? listed.$ref : `#/paths/${path}`;
      const response = responseSchema.parse('$ref' in listed ? resolved(document, listed.$ref) : listed);
      if (!response.content) return text === '' ? null : `${method} ${path} answered ${status} with a body`;
      const type = String(headers['content-type']).split(';')[0] ?? '';
      const schema = response.content[type]?.schema;
      if (schema === undefined) return `${method} ${path} answered ${status} as ${type}, which is not documented`;
      const errors = check.errorsOf(schema, answer.json);
      if (errors === null) return null;
      return `${method} ${path} ${status} (${at}): ${errors} in ${text.slice(0, 300)}`;
    },
    stop: check.stop,
  };
}
