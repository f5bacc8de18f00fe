/** What every route of Fastify has: the key that it needs, which is looked at before anything else, and secrets that only full keys are told. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys, Caller } from '../../domain/access/apiKeys.ts';
import type { Logger } from '../../domain/core/ports.ts';
import {
  authorize,
  endAnswer,
  endWithKey,
  maySeeSecrets,
  neededKey,
  type Admission,
  type RequiredScope,
} from '../http/auth.ts';
import type { AnswerMasks } from './responseMasks.ts';
import type { Api } from './api.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller's key must be good for; null where none is needed, or where the route itself looks at it. */
    need?: RequiredScope | null;
  }
  interface FastifyRequest {
    /** Null where no key is needed. */
    caller: Caller | null;
  }
}

/** To be among the options of every route. */
export const needs = (need: RequiredScope | null) => ({ config: { need } });

export interface RouteAccessOptions {
  admit: Admit;
  masks: AnswerMasks;
}

/** `path`: of a route as the documents write it, with parameters in braces. */
export const documentedPath = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}');

/** Lets a caller in, for as long as the key allows it. Throws as `authorize` does. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, admission: Admission) => Caller;

export const createAdmit =
  (keys: ApiKeys, logger: Logger): Admit =>
  (request, reply, admission) => {
    const caller = authorize(keys, admission);
    endWithKey(keys, admission, reply.raw, (error) => {
      // What its handler still answers is for nobody.
      reply.hijack();
      endAnswer(request.raw, reply.raw, error, logger);
    });
    return caller;
  };

/** To be called before any route is added. Adding a route that does not say what it needs throws, and so does one without a documented answer. */
export function guardRoutes(api: Api, { admit, masks }: RouteAccessOptions): void {
  api.decorateRequest('caller', null);
  api.addHook('onRoute', ({ method, url, config }) => {
    if (config?.need === undefined) throw new Error(`The route ${url} does not say which key it needs.`);
    for (const one of [method].flat()) if (one !== 'HEAD') masks.require(one, documentedPath(url));
  });
  api.addHook('onRequest', async (request, reply) => {
    const { need } = request.routeOptions.config;
    // What is served by no route needs no key to be told so.
    if (!need) return;
    request.caller = admit(request, reply, { key: neededKey(request.raw), need, place: null });
  });
  api.addHook('preSerialization', async (request, reply, payload) => {
    const { method, url = '' } = request.routeOptions;
    if (maySeeSecrets(request.caller)) return payload;
    return masks.mask(String(method), documentedPath(url), reply.statusCode, payload);
  });
}
