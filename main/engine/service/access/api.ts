/**
 * Fastify as the engine uses it: the instance that routes are registered at, and the check of requests by zod schemas.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import * as z from 'zod';

export type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, never, ZodTypeProvider>;

export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });

/** Makes the check of one part of a request (`body`, `querystring`, `params`); `check` returns the value or throws. */
export const validatorCompiler =
  (check: (schema: z.ZodType, value: unknown, part: string) => unknown): FastifySchemaCompiler<unknown> =>
  ({ schema, httpPart = 'body' }) => {
    if (!(schema instanceof z.ZodType)) throw new Error(`The schema of the ${httpPart} of a route is not one of zod.`);
    return (value: unknown) => {
      try {
        return { value: check(schema, value, httpPart) };
      } catch (error) {
        return { error: toError(error) };
      }
    };
  };
