/** The description of the real service's REST v2, a data file beside the project, and what of an answer it does not allow. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Fastify from 'fastify';
import * as z from 'zod';
import type { Answer } from '../http/client.ts';

const PLACE = '../shared/reference/rest-v2.openapi.json';
const path = resolve(import.meta.dirname, '../../..', PLACE);

export const whyNoV2Description = existsSync(path)
  ? null
  : `there is no ${PLACE} beside this project: the fake of the remote service is not held against the description of REST v2`;

const contentSchema = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const responseSchema = z.looseObject({ $ref: z.string().optional(), content: contentSchema.optional() });
const operationSchema = z.looseObject({ responses: z.record(z.string(), responseSchema) });
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({ responses: z.record(z.string(), responseSchema) }),
});
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export interface V2Description {
  /** `METHOD /path` of everything it describes. */
  readonly operations: readonly string[];
  /** What the description does not allow in an answer to `method path` (as the description has it); null when it allows it. */
  fault(method: string, path: string, answer: Answer): string | null;
  stop(): Promise<unknown>;
}

export async function readV2Description(): Promise<V2Description> {
  const raw = JSON.parse(readFileSync(path, 'utf8')) as object;
  const document = documentSchema.parse(raw);
  const customOptions = { strict: false, coerceTypes: false, useDefaults: false, validateFormats: false };
  const app = Fastify({ ajv: { customOptions: { ...customOptions, removeAdditional: false } as object } });
  app.addSchema({ ...raw, $id: 'v2' });
  type Validate = ((value: unknown) => unknown) & { errors?: unknown };
  let compile: ((schema: object) => Validate) | null = null;
  app.get('/', (request, reply) => {
    compile = (schema) => request.compileValidationSchema(schema) as Validate;
    return reply.send();
  });
  await app.inject('/');

  const described = new Map(
    Object.entries(document.paths).flatMap(([at, item]) =>
      Object.entries(item)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => [`${method.toUpperCase()} ${at}`, operationSchema.parse(operation)]),
    ),
  );

  return {
    operations: [...described.keys()],
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
      const validate = compile?.(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"v2#/')) as object);
      if (validate?.(answer.json) === true) return null;
      return `${method} ${at} ${status}: ${JSON.stringify(validate?.errors)} in ${text.slice(0, 400)}`;
    },
    stop: () => app.close(),
  };
}
