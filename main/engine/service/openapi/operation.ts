/** The description of an operation for the OpenAPI documents. It stands beside the route that serves the operation. */
import * as z from 'zod';
import type { ErrorCode } from '#contract/core/errors.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { RequiredScope } from '../http/auth.ts';

/** A schema with its name in the document. One document has one schema of each name. */
export interface Named<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: S;
  /** The values of fields that are left out. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Schemas inside this one that have names of their own. */
  readonly parts?: readonly Named[];
}

export const named = <S extends z.ZodType>(
  name: string,
  schema: S,
  more: Pick<Named, 'defaults' | 'parts'> = {},
): Named<S> => ({ name, schema, ...more });

/** An answer whose form the worker decides. */
export const anyAnswer = named('AnyAnswer', z.unknown());

/** A schema, a list of it, or one of several. */
export type Shape = Named | { readonly listOf: Named } | { readonly oneOf: readonly Shape[] };

/** A parameter of a query: its schema as the document shows it, and its description. */
export interface QueryParameter {
  readonly schema: z.ZodType;
  readonly words: string;
}

export interface DocumentedBody {
  readonly shape: Named;
  /** True unless it is false. */
  readonly required?: boolean;
  /** The media type; JSON without it. */
  readonly type?: string;
}

export interface DocumentedAnswer {
  readonly words: string;
  /** Null for an answer without a body. */
  readonly shape: Shape | null;
  /** The media type; JSON without it. */
  readonly type?: string;
  /** Descriptions of the headers that only this engine sends, by their names. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OperationDescription {
  /** Unique in its document; the operation of a second method has the method behind it. */
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly body?: DocumentedBody;
  /** HTTP status → answer. */
  readonly answers: Readonly<Record<number, DocumentedAnswer>>;
  /** The messages of the WebSocket that the operation opens: to the service, and from it. */
  readonly webSocket?: { readonly sent: Named; readonly received: Named };
  /** Errors besides a wrong key, an unknown id, a refused body and a failure of the engine. */
  readonly refusals?: readonly ErrorCode[];
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A description with the place where the operation is served. */
export interface Operation extends OperationDescription {
  readonly methods: readonly Method[];
  /** Parameters in braces. */
  readonly path: string;
  /** The scope that the caller's key needs; null where no key is needed. */
  readonly need: RequiredScope | null;
}

/** A job route with its description, which may name the limits in force. */
export interface DescribedJobRoute {
  /** The path after the name of the operation, parameters in braces; empty without it. */
  readonly tail?: string;
  readonly operation: OperationDescription | ((limits: LimitSettings) => OperationDescription);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the caller's key needs; null where no key is needed, or where the route checks the key itself. */
    need?: RequiredScope | null;
    operation?: OperationDescription;
  }
}

interface RouteDefinition<Params, Querystring, Body extends z.ZodType> extends Omit<
  OperationDescription,
  'query' | 'body'
> {
  readonly need: RequiredScope | null;
  readonly params?: Params;
  /** Checks the query. */
  readonly querystring?: Querystring;
  /** Describes each parameter of `querystring`; with a schema where the text of the query stands for another type. */
  readonly query?: Readonly<Record<string, string | QueryParameter>>;
  /** Checks the body, and describes it. */
  readonly body?: Named<Body>;
  /** Describes a body that the route checks itself. */
  readonly requestBody?: DocumentedBody;
}

interface RouteOptions<Params, Querystring, Body> {
  config: { need: RequiredScope | null; operation: OperationDescription };
  schema: { params: Params; querystring: Querystring; body: Body };
}

/** Throws where a parameter is checked but not described, or described but not checked. */
function describeQuery(
  id: string,
  query: Readonly<Record<string, string | QueryParameter>>,
  querystring: z.ZodType | undefined,
): Record<string, QueryParameter> {
  const checked = querystring instanceof z.ZodObject ? querystring.shape : null;
  for (const name of Object.keys(checked ?? {})) {
    if (!(name in query)) throw new Error(`The query parameter ${name} of ${id} has no description.`);
  }
  return Object.fromEntries(
    Object.entries(query).map(([name, parameter]) => {
      const schema: unknown = checked?.[name];
      if (checked && !schema) throw new Error(`The query parameter ${name} of ${id} is described but not checked.`);
      if (typeof parameter !== 'string') return [name, parameter];
      if (!(schema instanceof z.ZodType)) throw new Error(`The query parameter ${name} of ${id} has no schema.`);
      return [name, { schema, words: parameter }];
    }),
  );
}

/** The options of a Fastify route: its description for the document, its scope, and the schemas that check requests. */
export function operation<
  Params extends z.ZodType = z.ZodUnknown,
  Querystring extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(definition: RouteDefinition<Params, Querystring, Body>): RouteOptions<Params, Querystring, Body> {
  const { need, params, querystring, body, requestBody = body && { shape: body }, query = {}, ...rest } = definition;
  const schema = { ...(params && { params }), ...(querystring && { querystring }), ...(body && { body: body.schema }) };
  return {
    config: {
      need,
      operation: {
        ...rest,
        query: describeQuery(rest.id, query, querystring),
        ...(requestBody && { body: requestBody }),
      },
    },
    // Without a schema, a route sees its part of the request as `unknown`, and Fastify checks nothing.
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a missing schema is one of `unknown`
    schema: schema as RouteOptions<Params, Querystring, Body>['schema'],
  };
}
