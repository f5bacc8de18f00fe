/** Requests to the job paths: who calls, which endpoint and route they mean, and whether the rate allows them. */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { EngineEndpoint } from '#contract/api/resources.ts';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { ApiKeys } from '../../domain/access/apiKeys.ts';
import type { RateLimit } from '../../domain/access/rateLimit.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import { authorize, endAnswer, endWithKey, neededKey } from '../http/auth.ts';
import { sendJson } from '../http/errorMapper.ts';
import { REST_V2_BASE, REST_V2_NOUNS } from '../http/restV2Address.ts';
import { JOB_PREFIX, parseJobPath, type JobPath, type Route } from '../http/route.ts';
import type { JobRequest, JobResponse } from '../http/types.ts';
import { describeDocument } from '../openapi/documents.ts';
import type { DescribedJobRoute, Operation } from '../openapi/operation.ts';

/** Operation name → route, for paths /v2/{endpoint}/{operation}. */
export type JobRoutes = Readonly<Record<string, Route & DescribedJobRoute>>;

export interface JobRouterOptions {
  routes: JobRoutes;
  keys: ApiKeys;
  endpoints: Endpoints;
  rateLimit: RateLimit;
  logger: Logger;
  /** The OpenAPI document of the job paths, as JSON. */
  document(): string;
}

export interface JobRouter {
  /** The path of a URL that the fast path may serve; null where Node has to serve it. */
  briefPath(url: string): JobPath | null;
  /**
   * Serves a request. With `workersOnly` it serves only the worker protocol, and only for the key of a worker.
   * Throws AppError.
   */
  serve(request: JobRequest, path: JobPath, response: JobResponse, workersOnly?: boolean): void;
  /** Serves a request whose URL begins with JOB_PREFIX, and the document without a key. Throws AppError. */
  serveUrl(request: IncomingMessage, response: ServerResponse, workersOnly?: boolean): void;
}

const DOCUMENT_PATH = `${JOB_PREFIX}openapi.json`;
/** The one operation of /v2 that an endpoint without a queue has. */
const HEALTH_OPERATION = 'health';
export const ONLY_WORKERS =
  'At this address only workers are served, by the worker protocol and with the key that each was given.';

const documentMethods = { GET: 'get', POST: 'post' } as const;

/** What clouds append to the names of endpoints with FlashBoot. */
const FLASHBOOT_SUFFIX = / -fb$/;

/**
 * The message for a missing endpoint. A word of REST v2 in its place means that the client has the wrong base address.
 * The name of one endpoint is answered with its id.
 */
function noEndpoint({ endpointId }: JobPath, endpoints: readonly EngineEndpoint[]): string {
  const reason = `There is no endpoint ${JSON.stringify(endpointId)}.`;
  const [named, ...others] = endpoints.filter(
    ({ name }) => name === endpointId || name.replace(FLASHBOOT_SUFFIX, '') === endpointId,
  );
  if (named && others.length === 0)
    return `${reason} An endpoint is addressed by its id: ${JSON.stringify(endpointId)} is ${JSON.stringify(named.id)}.`;
  if (!REST_V2_NOUNS.has(endpointId)) return reason;
  return `${reason} Below ${JOB_PREFIX} are jobs; REST v2 is at ${REST_V2_BASE}/${endpointId} here, so its base address is ${REST_V2_BASE}.`;
}

/** The part of the path that every request to a route has. */
export const jobRoutePath = (name: string): string => `${JOB_PREFIX}{endpointId}/${name}`;

function describeRoute(name: string, route: JobRoutes[string], limits: LimitSettings): Operation {
  const { methods, need, rate, tail = '', operation } = route;
  const description = typeof operation === 'function' ? operation(limits) : operation;
  const tooMany: ErrorCode[] = rate === undefined ? [] : ['TOO_MANY_REQUESTS'];
  return {
    ...description,
    need,
    methods: methods.map((method) => documentMethods[method]),
    path: `${jobRoutePath(name)}${tail}`,
    refusals: [...(description.refusals ?? []), ...tooMany],
  };
}

/** The operations of the job paths, described with these limits. */
export function jobOperations(routes: JobRoutes, limits: LimitSettings): Operation[] {
  return [
    { ...describeDocument('jobDocument', 'jobs'), methods: ['get'], path: DOCUMENT_PATH },
    ...Object.entries(routes).map(([name, route]) => describeRoute(name, route, limits)),
  ];
}

export function createJobRouter(options: JobRouterOptions): JobRouter {
  const { keys, endpoints, rateLimit, logger } = options;
  const routes = new Map(Object.entries(options.routes));

  function serve(request: JobRequest, path: JobPath, response: JobResponse, workersOnly = false): void {
    const route = routes.get(path.operation);
    const need = route?.needOf?.(path) ?? route?.need ?? 'read';
    if (workersOnly && need !== 'worker') throw new AppError('NOT_FOUND', ONLY_WORKERS);
    const admission = {
      key: neededKey(request),
      need,
      place: { endpointId: path.endpointId, workerId: path.first },
    };
    const caller = authorize(keys, admission);
    if (workersOnly && caller.kind !== 'worker') throw new AppError('FORBIDDEN', ONLY_WORKERS);
    const endpoint = endpoints.find(path.endpointId);
    // The key of a worker does not see other endpoints. A key for some endpoints was refused above.
    if (!endpoint) throw new AppError('NOT_FOUND', noEndpoint(path, caller.kind === 'key' ? endpoints.list() : []));
    if (!route) throw new AppError('NOT_FOUND', `An endpoint has no operation ${JSON.stringify(path.operation)}.`);
    if (endpoint.type === 'LB' && path.operation !== HEALTH_OPERATION) {
      throw new AppError(
        'BAD_REQUEST',
        `The endpoint ${JSON.stringify(path.endpointId)} balances load and has no queue: /${path.operation} is for queues. Send requests to /lb/${path.endpointId}/ and the path of its worker.`,
      );
    }
    if (!route.methods.some((method) => method === request.method)) {
      response.setHeader('allow', route.methods.join(', '));
      throw new AppError('METHOD_NOT_ALLOWED', `/${path.operation} takes ${route.methods.join(' or ')}.`);
    }
    // The last check: requests refused for another reason consume no quota.
    if (route.rate !== undefined) {
      const leave = rateLimit.enter(path.endpointId, route.rate);
      // `close` comes once, after the whole answer or when the reader goes away.
      if (leave) response.on('close', leave);
    }
    const { first, second, rest, query } = path;
    if (!route.node) route.run({ endpoint, caller, first, second, rest, query, request, response });
    else if (request instanceof IncomingMessage && response instanceof ServerResponse) {
      route.run({ endpoint, caller, first, second, rest, query, request, response });
    }
    if (response.writableEnded || response.destroyed) return;
    endWithKey(keys, admission, response, (error) => endAnswer(request, response, error, logger));
  }

  return {
    serve,
    briefPath(url) {
      if (!url.startsWith(JOB_PREFIX) || url.includes('%')) return null;
      const path = parseJobPath(url);
      const route = routes.get(path.operation);
      return route && !route.node ? path : null;
    },
    serveUrl(request, response, workersOnly) {
      const { url = '', method } = request;
      // The document says how to call, so it needs no key.
      if (url === DOCUMENT_PATH && method === 'GET') sendJson(response, 200, options.document());
      else serve(request, parseJobPath(url), response, workersOnly);
    },
  };
}
