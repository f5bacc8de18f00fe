/** Makes an OpenAPI 3.1 document from a table of operations and the schemas of the contract. */
import * as z from 'zod';
import { errorStatus, type ErrorCode } from '#contract/core/errors.ts';
import type { RequiredScope } from '../http/auth.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A schema by its name in the table of the document, a list of it, or one of several. */
export type Shape<Name extends string> = Name | { listOf: Name } | { oneOf: readonly Shape<Name>[] };

export interface QueryParameter {
  readonly schema: z.ZodType;
  readonly words: string;
}

export interface DocumentedAnswer<Name extends string> {
  readonly words: string;
  readonly shape: Shape<Name> | null;
  readonly type?: string;
  /** Names of headers that are ours, with what they tell. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation<Name extends string = string> {
  /** More than one where clients differ in the method they use. */
  readonly methods: readonly Method[];
  /** Parameters in braces. */
  readonly path: string;
  /** Unique; that of a second method has the method after it. */
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  /** What the caller's key must be good for; null where none is needed. */
  readonly need: RequiredScope | null;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly body?: { readonly shape: Name; readonly required: boolean; readonly type?: string };
  /** HTTP status → what is answered; null for an answer without a body. */
  readonly answers: Readonly<Record<number, DocumentedAnswer<Name>>>;
  /** What goes over a WebSocket, to the service and from it, where the operation opens one. */
  readonly webSocket?: { readonly sent: Name; readonly received: Name };
  /** What may go wrong besides a wrong key, an unknown id and a failure of the engine itself. */
  readonly refusals: readonly ErrorCode[];
}

export interface DocumentTable<Name extends string> {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly groups: Readonly<Record<string, string>>;
  /** Parameters of paths by name, in words. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What is sent. */
  readonly requests: Readonly<Partial<Record<Name, z.ZodType>>>;
  /** What a field is that is not sent, or not answered. */
  readonly defaults?: Readonly<Partial<Record<Name, Readonly<Record<string, unknown>>>>>;
  /** What is answered. */
  readonly answers: Readonly<Partial<Record<Name, z.ZodType>>>;
  readonly operations: readonly Operation<Name>[];
  /** What an error is, where it is not as usual. */
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

/** Without what says which schema language this is: the document says that for all of them. */
function bare({ $schema: _language, $id: _id, ...rest }: Json): Json {
  return rest;
}

/** The schemas by name, referring to each other by `$ref`. */
function schemasOf(named: Readonly<Partial<Record<string, z.ZodType>>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) if (schema) registry.add(schema, { id });
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
      return [id, bare(schema)];
    }),
  );
}

/** Tells of the defaults of `named` schemas. */
function withDefaults(schemas: Json, defaults: Readonly<Partial<Record<string, Readonly<Json>>>>): Json {
  for (const [name, values] of Object.entries(defaults)) {
    const { properties = {} } = schemas[name] as { properties?: Record<string, Json> };
    for (const [field, value] of Object.entries(values ?? {})) {
      if (properties[field]) properties[field] = { ...properties[field], default: value };
    }
  }
  return schemas;
}

function inline(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input' }));
}

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

function shapeSchema(shape: Shape<string>): Json {
  if (typeof shape === 'string') return reference('schemas', shape);
  if ('listOf' in shape) return { type: 'array', items: reference('schemas', shape.listOf) };
  return { oneOf: shape.oneOf.map(shapeSchema) };
}

const content = (shape: Shape<string>, type = 'application/json'): Json => ({ [type]: { schema: shapeSchema(shape) } });

/** Every operation may be refused for these, by what it asks for. */
function refusalsOf({ need, path, body, refusals }: Operation): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...(need === null ? [] : ['UNAUTHORIZED' as const]),
      'FORBIDDEN',
      ...(path.includes('{') ? ['NOT_FOUND' as const] : []),
      // Not for this type of endpoint.
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
  const responses = Object.entries(answers).map(([status, { words, shape, type, headers }]) => [
    status,
    {
      description: words,
      ...(headers && { headers: headersObject(headers) }),
      ...(shape !== null && { content: content(shape, type) }),
    },
  ]);
  const refused = refusalsOf(operation).map((code) => [errorStatus[code], reference('responses', code)]);
  return {
    operationId: method === methods[0] ? id : `${id}By${method[0]?.toUpperCase()}${method.slice(1)}`,
    tags: [group],
    summary,
    ...(need !== null && need !== 'worker' && { description: `Needs an API key of the scope \`${need}\` or more.` }),
    ...(need === null && { security: [] }),
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(body && { requestBody: { required: body.required, content: content(body.shape, body.type) } }),
    // OpenAPI has no words for messages.
    ...(webSocket && {
      'x-websocket': { sent: shapeSchema(webSocket.sent), received: shapeSchema(webSocket.received) },
    }),
    // Where an operation tells an error in a shape of its own, that holds.
    responses: Object.fromEntries([...refused, ...responses]) as Json,
  };
}

/** The document as JSON. The same table makes the same text. */
export function createDocument<Name extends string>(table: DocumentTable<Name>): string {
  const paths: Record<string, Json> = {};
  for (const operation of table.operations) {
    const item = (paths[operation.path] ??= {});
    for (const method of operation.methods) item[method] = operationObject(operation, method, table.parameters);
  }
  const codes = Object.keys(errorStatus) as ErrorCode[];
  const used = new Set(table.operations.flatMap(refusalsOf));
  const responses = codes
    .filter((code) => used.has(code))
    .map((code) => [
      code,
      {
        description: errorWords[code],
        ...(code === 'TOO_MANY_REQUESTS' && {
          headers: { 'Retry-After': { description: 'Whole seconds.', schema: { type: 'integer', minimum: 1 } } },
        }),
        content: content('Error', table.errors?.type),
      },
    ]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: table.title, version: table.version, description: table.description },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { bareKey: [] }],
    tags: Object.entries(table.groups).map(([name, description]) => ({ name, description })),
    paths,
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
        ...withDefaults(
          { ...schemasOf(table.requests, 'input'), ...schemasOf(table.answers, 'output') },
          table.defaults ?? {},
        ),
        ...schemasOf({ Error: table.errors?.schema ?? errorSchema }, 'output'),
      },
      responses: Object.fromEntries(responses) as Json,
    },
  });
}
