/** The checks that every route of Fastify has: a description, the key that it needs, and secrets only for full keys. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys, Caller } from '../../domain/access/apiKeys.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { authorize, endAnswer, endWithKey, maySeeSecrets, neededKey, type Admission } from '../http/auth.ts';
import type { Method, Operation } from '../openapi/operation.ts';
import { maskAnswer } from './responseMasks.ts';
import type { Api } from './api.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where no key is needed. */
    caller: Caller | null;
  }
}

/** Lets a caller in, for as long as the key allows it. Throws as `authorize` does. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, admission: Admission) => Caller;

export const createAdmit =
  (keys: ApiKeys, logger: Logger): Admit =>
  (request, reply, admission) => {
    const caller = authorize(keys, admission);
    endWithKey(keys, admission, reply.raw, (error) => {
      // The handler goes on, but its answer reaches nobody.
      reply.hijack();
      endAnswer(request.raw, reply.raw, error, logger);
    });
    return caller;
  };

const METHODS: Readonly<Record<string, Method>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The methods of a route. Throws where documents have no such method. */
function methodsOf(method: string | string[]): Method[] {
  return [method].flat().map((one) => {
    const known = METHODS[one];
    if (!known) throw new Error(`Routes of the method ${one} have no place in the documents.`);
    return known;
  });
}

/** `:name` in the path of a route is `{name}` in the documents. */
const documentedPath = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}');

/**
 * Checks the key of every request and masks the secrets of every answer. Call it before any route is added; a route
 * without a description then throws as it is added. `onOperation` gets the operation of each route.
 */
export function guardRoutes(api: Api, admit: Admit, onOperation: (operation: Operation) => void): void {
  api.decorateRequest('caller', null);
  api.addHook('onRoute', ({ method, url, config }) => {
    const methods = methodsOf(method);
    const { need, operation } = config ?? {};
    if (need === undefined || !operation) {
      throw new Error(`The route ${methods.join(', ')} ${url} has no description: give it operation({ … }).`);
    }
    onOperation({ ...operation, need, methods, path: documentedPath(url) });
  });
  api.addHook('onRequest', async (request, reply) => {
    const { need } = request.routeOptions.config;
    // A request to a path without a route needs no key for its 404.
    if (!need) return;
    request.caller = admit(request, reply, { key: neededKey(request.raw), need, place: null });
  });
  api.addHook('preSerialization', async (request, reply, payload) => {
    const { operation } = request.routeOptions.config;
    if (!operation || maySeeSecrets(request.caller)) return payload;
    return maskAnswer(operation, reply.statusCode, payload);
  });
}
