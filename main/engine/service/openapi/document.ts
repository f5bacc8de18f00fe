/** Makes an OpenAPI 3.1 document from the descriptions of operations. */
import * as z from 'zod';
import { errorCodes, errorStatus, type ErrorCode } from '#contract/core/errors.ts';
import type { Method, Named, Operation, Shape } from './operation.ts';

export interface DocumentDefinition {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly groups: Readonly<Record<string, string>>;
  /** Descriptions of the parameters of paths, by their names. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The schema and media type of errors that differ from the usual ones. */
  readonly errors?: { readonly type: string; readonly schema: z.ZodType };
}

type Json = Record<string, unknown>;

/** `error` is an object on the paths of OpenAI clients, which read nothing else. */
const errorSchema = z.strictObject({
  error: z.union([z.string(), z.looseObject({ message: z.string() })]),
  message: z.string(),
  status: z.int(),
});

const errorWords: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is malformed, or a value is out of its range; the message names it.',
  UNAUTHORIZED: 'There is no API key, or it is unknown or disabled.',
  FORBIDDEN: 'The API key is good for less than this, or the host name is not one of this engine.',
  NOT_FOUND: 'There is nothing with this id here, or no longer.',
  METHOD_NOT_ALLOWED: 'This method is not taken here; `Allow` names those that are.',
  CONFLICT: 'What was asked for does not fit the state that things are in.',
  TOO_LARGE: 'The body is too large; the message names the limit.',
  UNPROCESSABLE: 'Fields are missing, unknown, or not what they must be; `errors` names each.',
  TOO_MANY_REQUESTS: 'The effective rate of the operation is exceeded. `Retry-After` tells when to try again.',
  INTERNAL: 'Something went wrong inside the engine; its log has the details.',
  UNSUPPORTED: 'There is no such thing here.',
  UPSTREAM: 'The other side answered something that cannot be understood.',
  UNAVAILABLE: 'This cannot be done now; trying again later may work.',
  SECRETS_UNAVAILABLE: 'Kept keys cannot be read or written now.',
  UPSTREAM_TIMEOUT: 'The other side took longer than it may.',
  STORAGE_FULL: 'The disk is full. Nothing was accepted and nothing is lost.',
};

/** Leaves out the name of the schema language, which the document states for all schemas. */
function bare({ $schema: _language, $id: _id, ...rest }: Json): Json {
  return rest;
}

/** The schemas and their parts by name. Throws where two of them have one name. */
function byName(list: readonly Named[], schemas = new Map<string, Named>()): Map<string, Named> {
  for (const one of list) {
    const other = schemas.get(one.name);
    if (other && other.schema !== one.schema) throw new Error(`Two schemas have the name ${one.name}.`);
    if (other) continue;
    schemas.set(one.name, one);
    byName(one.parts ?? [], schemas);
  }
  return schemas;
}

/** Adds the defaults of fields to their schemas. */
function withDefaults<Field>(properties: Record<string, Field>, defaults: Readonly<Json>): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]): [string, Field] => [
      field,
      field in defaults ? { ...schema, default: defaults[field] } : schema,
    ]),
  );
}

/** The schemas by name. They refer to each other by `$ref`. */
function schemasOf(list: readonly Named[], io: 'input' | 'output'): Json {
  const all = byName(list);
  const registry = z.registry<{ id: string }>();
  for (const [id, { schema }] of all) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // The range of whole numbers that JavaScript can hold says nothing about the field.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The pattern says it, and it is the name of no format.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const defaults = all.get(id)?.defaults;
      const { properties } = schema;
      return [
        id,
        bare(defaults && properties ? { ...schema, properties: withDefaults(properties, defaults) } : { ...schema }),
      ];
    }),
  );
}

function inline(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input' }));
}

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

function shapeSchema(shape: Shape): Json {
  if ('listOf' in shape) return { type: 'array', items: reference('schemas', shape.listOf.name) };
  if ('oneOf' in shape) return { oneOf: shape.oneOf.map(shapeSchema) };
  return reference('schemas', shape.name);
}

const namedIn = (shape: Shape): readonly Named[] => {
  if ('listOf' in shape) return [shape.listOf];
  return 'oneOf' in shape ? shape.oneOf.flatMap(namedIn) : [shape];
};

const content = (schema: Json, type = 'application/json'): Json => ({ [type]: { schema } });

/** The errors of an operation: those that follow from its path, key and body, and its own. */
function refusalsOf({ need, path, body, refusals = [] }: Operation): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...(need === null ? [] : ['UNAUTHORIZED' as const]),
      'FORBIDDEN',
      ...(path.includes('{') ? ['NOT_FOUND' as const] : []),
      // The endpoint may be of a type that does not have the operation.
      ...(path.includes('{endpointId}') ? ['BAD_REQUEST' as const] : []),
      ...(body ? ['BAD_REQUEST' as const, 'TOO_LARGE' as const] : []),
      ...refusals,
      'INTERNAL',
    ]),
  ];
}

const headersObject = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

const parameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function operationObject(operation: Operation, method: Method, parameters: Readonly<Record<string, string>>): Json {
  const { methods, path, id, group, summary, need, query = {}, body, answers, webSocket } = operation;
  const inPath = parameterNames(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: parameters[name],
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, { schema, words }]) => ({
    name,
    in: 'query',
    required: false,
    description: words,
    schema: inline(schema),
  }));
  const responses = Object.fromEntries<Json>([
    ...refusalsOf(operation).map((code): [number, Json] => [errorStatus[code], reference('responses', code)]),
    // An answer with a shape of its own goes before the usual one of its status.
    ...Object.entries(answers).map(([status, { words, shape, type, headers }]): [string, Json] => [
      status,
      {
        description: words,
        ...(headers && { headers: headersObject(headers) }),
        ...(shape !== null && { content: content(shapeSchema(shape), type) }),
      },
    ]),
  ]);
  return {
    operationId: method === methods[0] ? id : `${id}By${method[0]?.toUpperCase()}${method.slice(1)}`,
    tags: [group],
    summary,
    ...(need !== null && need !== 'worker' && { description: `Needs an API key of the scope \`${need}\` or more.` }),
    ...(need === null && { security: [] }),
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body && {
      requestBody: { required: body.required ?? true, content: content(shapeSchema(body.shape), body.type) },
    }),
    // OpenAPI has no field for messages.
    ...(webSocket && {
      'x-websocket': { sent: shapeSchema(webSocket.sent), received: shapeSchema(webSocket.received) },
    }),
    responses,
  };
}

function pathsOf(operations: readonly Operation[], parameters: Readonly<Record<string, string>>): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {});
    for (const method of operation.methods) item[method] = operationObject(operation, method, parameters);
  }
  return paths;
}

function errorResponses(operations: readonly Operation[], type: string | undefined): Json {
  const used = new Set(operations.flatMap(refusalsOf));
  const responses = errorCodes
    .filter((code) => used.has(code))
    .map((code): [string, Json] => [
      code,
      {
        description: errorWords[code],
        ...(code === 'TOO_MANY_REQUESTS' && {
          headers: { 'Retry-After': { description: 'Whole seconds.', schema: { type: 'integer', minimum: 1 } } },
        }),
        content: content(reference('schemas', 'Error'), type),
      },
    ]);
  return Object.fromEntries(responses);
}

/** The document as JSON. The same operations in the same order make the same text. */
export function createDocument(definition: DocumentDefinition, operations: readonly Operation[]): string {
  const { title, version, description, groups, parameters, errors } = definition;
  const requests = operations.flatMap(({ body, webSocket }) => [
    ...(body ? [body.shape] : []),
    ...(webSocket ? [webSocket.sent] : []),
  ]);
  const answers = operations.flatMap(({ answers: each, webSocket }) => [
    ...Object.values(each).flatMap(({ shape }) => (shape ? namedIn(shape) : [])),
    ...(webSocket ? [webSocket.received] : []),
  ]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { bareKey: [] }],
    tags: Object.entries(groups).map(([name, words]) => ({ name, description: words })),
    paths: pathsOf(operations, parameters),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        bareKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The key alone, without a scheme.',
        },
      },
      schemas: {
        ...schemasOf(requests, 'input'),
        ...schemasOf(answers, 'output'),
        ...schemasOf([{ name: 'Error', schema: errors?.schema ?? errorSchema }], 'output'),
      },
      responses: errorResponses(operations, errors?.type),
    },
  });
}
