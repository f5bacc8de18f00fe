/**
 * The description of the real service's REST v2, a data file beside the project, and what of an answer it does not
 * allow.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import type { Answer } from '../http/client.ts';
import { createSchemaCheck } from './schemaCheck.ts';

const PLACE = '../shared/reference/rest-v2.openapi.json';
const path = resolve(import.meta.dirname, '../../..', PLACE);

export const whyNoV2Description = existsSync(path)
  ? null
  : `there is no ${PLACE} beside this project: the engine and the fake of the remote service are not held against the description of REST v2`;

const contentSchema = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const requestSchema = z.looseObject({
  content: z.record(
    z.string(),
    z.looseObject({ examples: z.record(z.string(), z.looseObject({ value: z.looseObject({}) })).default({}) }),
  ),
});
const responseSchema = z.looseObject({ $ref: z.string().optional(), content: contentSchema.optional() });
const operationSchema = z.looseObject({
  requestBody: requestSchema.optional(),
  responses: z.record(z.string(), responseSchema),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ responses: z.record(z.string(), responseSchema) }),
});
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export interface V2Description {
  /** `METHOD /path` of everything it describes. */
  readonly operations: readonly string[];
  /** The bodies that it gives as examples, of each of those. */
  readonly examples: readonly { operation: string; name: string; body: object }[];
  /**
   * What the description does not allow in an answer to `method path` (as the description has it); null when it allows
   * it.
   */
  fault(method: string, path: string, answer: Answer): string | null;
  stop(): Promise<void>;
}

export async function readV2Description(): Promise<V2Description> {
  const raw = JSON.parse(readFileSync(path, 'utf8')) as object;
  const document = documentSchema.parse(raw);
  const check = await createSchemaCheck(raw);

  const described = new Map(
    Object.entries(document.paths).flatMap(([at, item]) =>
      Object.entries(item)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${at}`, operationSchema.parse(operation)]),
    ),
  );

  return {
    operations: [...described.keys()],
    examples: [...described].flatMap(([operation, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ examples }) =>
        Object.entries(examples).map(([name, { value }]) => ({ operation, name, body: value })),
      ),
    ),
    fault(method, at, answer) {
      const { status, headers, text } = answer;
      const responses = described.get(`${method} ${at}`)?.responses;
      if (!responses) return `${method} ${at} is not described`;
      const listed = responses[status] ?? (status >= 400 ? responses['default'] : undefined);
      if (!listed) return `${method} ${at} answered ${status}, which is not described: ${text.slice(0, 200)}`;
      const named = listed.$ref?.slice(listed.$ref.lastIndexOf('/') + 1);
      const { content } = named === undefined ? listed : document.components.responses[named]!;
      if (!content) return text === '' ? null : `${method} ${at} answered ${status} with a body`;
      const type = String(headers['content-type']).split(';')[0] ?? '';
      const schema = content[type]?.schema;
      if (schema === undefined) return `${method} ${at} answered ${status} as ${type}, which is not described`;
      const errors = check.errorsOf(schema, answer.json);
      if (errors === null) return null;
      return `${method} ${at} ${status}: ${errors} in ${text.slice(0, 400)}`;
    },
    stop: check.stop,
  };
}
