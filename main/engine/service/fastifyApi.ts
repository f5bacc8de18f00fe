/** Fastify for all but the job paths: how bodies are read, requests are checked, and errors are answered. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import Fastify from 'fastify';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { parseJson } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from '../domain/core/ports.ts';
import { toError, validatorCompiler, type Api } from './access/api.ts';
import { guardRoutes, type Admit } from './access/routeAccess.ts';
import { toHttpError } from './http/errorMapper.ts';
import { validate } from './http/validate.ts';
import type { Operation } from './openapi/operation.ts';

export interface ApiOptions {
  /** The server that Fastify belongs to. Fastify adds no listener for its requests: they come by `serve`. */
  server: Server;
  admit: Admit;
  logger: Logger;
  /** Operations outside Fastify, for the methods that a 405 names. */
  others: readonly Operation[];
}

const fastifyErrorSchema = z.looseObject({
  code: z.string().optional(),
  statusCode: z.number().optional(),
  message: z.string(),
});

/** Fastify's own refusals (bad JSON, wrong content type, too large) in our words; any other error as it is. */
function fromFastify(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const parsed = fastifyErrorSchema.safeParse(thrown);
  if (!parsed.success) return thrown;
  const { code, statusCode = 500, message } = parsed.data;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError(
      'TOO_LARGE',
      `The body is too large: at most ${limits.managementBodyBytes} bytes are accepted here.`,
    );
  }
  if (statusCode < 400 || statusCode >= 500) return thrown;
  return new AppError('BAD_REQUEST', `The request could not be read: ${message}`, { cause: thrown });
}

/** Whether a path fits one of the documents, which has its parameters in braces. */
function isAt(documented: string, path: string): boolean {
  const [steps, segments] = [documented.split('/'), path.split('/')];
  return steps.length === segments.length && steps.every((step, at) => step.startsWith('{') || step === segments[at]);
}

export interface FastifyApi {
  /** Has no routes yet. Await its `ready` after the last one. */
  readonly api: Api;
  /** The operations of the routes that were added, in their order. */
  readonly operations: readonly Operation[];
  /** Serves one request by these routes. */
  serve(request: IncomingMessage, response: ServerResponse): void;
}

export function createApi({ server, admit, logger, others }: ApiOptions): FastifyApi {
  const operations: Operation[] = [];
  let serve: FastifyApi['serve'] = () => undefined;
  const api: Api = Fastify({
    // `serve` below treats HEAD as GET: a second route for each GET would make the start of an engine 12% slower.
    exposeHeadRoutes: false,
    bodyLimit: limits.managementBodyBytes,
    // connectionLimits.ts answers late and broken requests, for job paths as well.
    clientErrorHandler: () => undefined,
    serverFactory(handler) {
      serve = (request, response) => {
        // The response was made for a request of this method: Node sends the headers of a GET, and no body.
        if (request.method === 'HEAD') request.method = 'GET';
        handler(request, response);
      };
      return server;
    },
  });

  // Schemas of the contract check the shape; nothing is coerced or filled in here.
  api.setValidatorCompiler(
    validatorCompiler((schema, value, part) =>
      validate(schema, value, part === 'body' ? 'The request body' : `The ${part}`),
    ),
  );
  api.setSerializerCompiler(() => (data) => JSON.stringify(data));
  // Clients send the JSON type with a DELETE that has no body: that is no body, not bad JSON.
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : parseJson(String(text), 'The request body'));
    } catch (error) {
      done(toError(error));
    }
  });
  api.setErrorHandler((thrown, request, reply) => {
    const { status, type, body, headers } = toHttpError(fromFastify(thrown), logger, request.url);
    return reply.code(status).headers(headers).type(type).send(body);
  });
  api.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const methods = [...others, ...operations]
      .filter((operation) => isAt(operation.path, path))
      .flatMap((operation) => operation.methods.map((method) => method.toUpperCase()));
    const error =
      methods.length > 0
        ? new AppError('METHOD_NOT_ALLOWED', `${path} takes ${methods.join(' or ')}, not ${request.method}.`)
        : new AppError('NOT_FOUND', `Nothing is served at ${request.method} ${path}.`);
    if (methods.length > 0) void reply.header('allow', methods.join(', '));
    const { status, type, body } = toHttpError(error, logger, request.url);
    return reply.code(status).type(type).send(body);
  });
  guardRoutes(api, admit, (operation) => operations.push(operation));
  return { api, operations, serve };
}
