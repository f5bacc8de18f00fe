/** One operation of REST v2: its description for the document, and the function that serves it. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import type { RequiredScope } from '../../http/auth.ts';
import type { Method, Named, OperationDescription, QueryParameter } from '../../openapi/operation.ts';
import { REST_V2_BASE } from '../../http/restV2Address.ts';

export type QueryTable = Readonly<Record<string, QueryParameter>>;

/** The names in braces of a path. */
type ParameterNames<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | ParameterNames<Rest>
    : never;

export interface Call<Path extends string = string, Query = unknown, Body = unknown> {
  /** Parameters of the path. */
  readonly params: Readonly<Record<ParameterNames<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly headers: IncomingHttpHeaders;
  /** The base address that the caller has reached the engine by. */
  readonly origin: string;
}

/** The answer: a value as JSON, nothing (204), or a function that writes an answer of its own. */
export type Result = object | undefined | ((response: ServerResponse) => void);

interface Definition<Path extends string, Query extends QueryTable, Body extends z.ZodType> extends Omit<
  OperationDescription,
  'query' | 'body' | 'webSocket'
> {
  readonly method: Method;
  /** Below the base address, parameters in braces. */
  readonly path: Path;
  /** The scope that the caller's key needs; null where no key is needed. */
  readonly need: Exclude<RequiredScope, 'worker'> | null;
  /** Checks and describes the parameters of the query. */
  readonly query?: Query;
  /** Checks and describes the body. */
  readonly body?: Named<Body>;
  run(call: Call<Path, { [K in keyof Query]: z.output<Query[K]['schema']> }, z.output<Body>>): Result | Promise<Result>;
}

export interface RestV2Operation extends Omit<Definition<string, QueryTable, z.ZodType>, 'run'> {
  run(call: Call): Result | Promise<Result>;
}

/** Checks that `run` fits the path, the query and the body of the operation. */
export const operation = <
  Path extends string,
  Query extends QueryTable = Readonly<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
>(
  definition: Definition<Path, Query, Body>,
): RestV2Operation => definition;

/** An operation that has no meaning on one machine. Its callers get the reason. */
export const refused = (
  definition: Pick<RestV2Operation, 'method' | 'path' | 'id' | 'group' | 'need'>,
  reason: string,
): RestV2Operation => ({
  ...definition,
  summary: `Always refused. ${reason}`,
  answers: {},
  refusals: ['UNSUPPORTED'],
  run() {
    throw new AppError('UNSUPPORTED', reason);
  },
});

/** A 422. `errors`: every fault of the request, each with its field. */
export const unprocessable = (...errors: string[]): AppError =>
  new AppError('UNPROCESSABLE', `The request is not valid: ${errors.join('; ')}.`, { details: { errors } });

const PARAMETER = /\{(\w+)\}/g;
/** The path of an operation in the form of Fastify's routes. */
export const routePath = (path: string): string => `${REST_V2_BASE}${path.replaceAll(PARAMETER, ':$1')}`;
