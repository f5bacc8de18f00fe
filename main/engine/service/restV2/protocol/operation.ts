/** One operation of REST v2: what the document tells of it, and what serves it. Routes and document are made of the same table. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import * as z from 'zod';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { RequiredScope } from '../../http/auth.ts';
import type { QueryParameter } from '../../openapi/document.ts';
import { REST_V2_BASE } from '../../http/restV2Address.ts';

/** A schema with its name in the document, which is that of the published description where it has the same. */
export interface Named<S extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly schema: S;
}

export type QueryTable = Readonly<Record<string, QueryParameter>>;

export interface Call<Q = unknown, B = unknown> {
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly headers: IncomingHttpHeaders;
  /** The base address that the caller has reached the engine by. */
  readonly origin: string;
}

/** What is answered: a value as JSON, nothing (204), or a function that writes an answer of its own. */
export type Result = object | undefined | ((response: ServerResponse) => void);

export interface AnswerOfOperation {
  readonly words: string;
  /** Null for an answer without a body. */
  readonly shape: Named | null;
  readonly type?: string;
}

interface Definition<Q extends QueryTable, B extends z.ZodType> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below the base address, parameters in braces. */
  readonly path: string;
  /** That of the published description. */
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  /** What the caller's key must be good for; null where none is needed. */
  readonly need: Exclude<RequiredScope, 'worker'> | null;
  readonly query?: Q;
  readonly body?: Named<B>;
  /** HTTP status → what is answered when all is well. */
  readonly answers: Readonly<Record<number, AnswerOfOperation>>;
  /** What may go wrong besides what may with every operation. */
  readonly refusals?: readonly ErrorCode[];
  run(call: Call<{ [K in keyof Q]: z.output<Q[K]['schema']> }, z.output<B>>): Result | Promise<Result>;
}

export interface RestV2Operation extends Omit<Definition<QueryTable, z.ZodType>, 'run'> {
  run(call: Call): Result | Promise<Result>;
}

/** Checks that `run` fits what the operation takes. */
export const operation = <Q extends QueryTable = Readonly<Record<never, never>>, B extends z.ZodType = z.ZodUndefined>(
  definition: Definition<Q, B>,
): RestV2Operation => definition;

/** An operation that has no meaning on one machine: whoever calls it is told why. */
export const refused = (
  definition: Omit<Definition<QueryTable, z.ZodType>, 'answers' | 'run' | 'summary' | 'body' | 'query'>,
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

/** A 422. `errors`: all that is wrong with the request, each with the field it is about. */
export const unprocessable = (...errors: string[]): AppError =>
  new AppError('UNPROCESSABLE', `The request is not valid: ${errors.join('; ')}.`, { details: { errors } });

const PARAMETER = /\{(\w+)\}/g;
/** A path of the table as routes have it. */
export const routePath = (path: string): string => `${REST_V2_BASE}${path.replaceAll(PARAMETER, ':$1')}`;
