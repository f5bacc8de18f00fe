/** The engine's one port: job paths go straight to their routes, everything else through Fastify. */
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import Fastify from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { parseJson } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import type { ApiKeys } from '../domain/access/apiKeys.ts';
import type { Endpoints } from '../domain/resources/endpoints.ts';
import type { Logger } from '../domain/core/ports.ts';
import type { RateLimit } from '../domain/access/rateLimit.ts';
import { createAnswerMasks } from './access/responseMasks.ts';
import type { Api } from './access/api.ts';
import { authorize, endAnswer, endWithKey, neededKey } from './http/auth.ts';
import type { BalancerRoutes } from './proxy/routes.ts';
import { attachFastPath } from './http/fastPath/connection.ts';
import { KEEP_ALIVE_MS } from './http/fastPath/response.ts';
import { JOB_PREFIX, parseJobPath, type JobPath, type Route } from './http/route.ts';
import type { PodAddresses } from './proxy/podRoutes.ts';
import { createConnections, serverOptions, type Connections } from './http/connectionLimits.ts';
import { sendError, sendJson, toHttpError } from './http/errorMapper.ts';
import type { JobRequest, JobResponse } from './http/types.ts';
import { checkHost, checkUpgrade, isServedHost, takeOrigin, type HostRule } from './http/guards.ts';
import type { DocumentTable } from './openapi/document.ts';
import { REST_V2_BASE, REST_V2_NOUNS } from './http/restV2Address.ts';
import { createAdmit, documentedPath, guardRoutes } from './access/routeAccess.ts';
import { validate } from './http/validate.ts';
import { TERMINAL_PATHS, type TerminalSockets } from './local/terminalSockets.ts';

export interface ServiceOptions {
  hostRule: HostRule;
  keys: ApiKeys;
  endpoints: Endpoints;
  logger: Logger;
  rateLimit: RateLimit;
  /** Operation name → route, for paths /v2/{endpoint}/{operation}. */
  jobRoutes: Record<string, Route>;
  /** Paths and host names that belong to workers. */
  balancing: BalancerRoutes;
  /** Host names that belong to Pods. */
  podAddresses: Pick<PodAddresses, 'serve'>;
  terminals: TerminalSockets;
  /** What is documented of the routes that `register` adds. */
  documents: readonly DocumentTable<string>[];
  /** The OpenAPI document of the job paths, as JSON. */
  jobDocument(): string;
  /** How many connections are served at once. */
  mostConnections: number;
  /** Adds the management and local routes. */
  register(api: Api): void;
}

export interface Service {
  /** Listens; answers the port. Rejects as `listen` does. */
  listen(host: string, port: number): Promise<number>;
  /** From now on requests are answered. Those that came earlier have waited, all but /health. */
  open(): void;
  /**
   * Serves the worker protocol to workers in containers, at an address of this machine that they reach: nothing else, under no
   * other name, to nobody else. `port`: 0 = any free one. Answers the port. Rejects as `listen` does.
   */
  listenForWorkers(door: WorkerListener, port: number): Promise<number>;
  /** Every route, for the check that the OpenAPI documents tell of each. */
  served(): readonly ServedRoute[];
  stop(): Promise<void>;
}

export interface WorkerListener {
  listenAt: string;
  /** The name that it is asked for by. */
  name: string;
  mayEnter(remoteAddress: string): boolean;
}

export interface ServedRoute {
  readonly method: string;
  /** Parameters in braces; of a job path up to its operation. */
  readonly path: string;
  /** Whether its requests are counted. */
  readonly rated: boolean;
}

const JOB_DOCUMENT = `${JOB_PREFIX}openapi.json`;
/** As the documents tell of it; what the path and the method mean is the worker's business. */
const BALANCED = { path: '/lb/{endpointId}/{path}', methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] };
/** The one operation of /v2 that an endpoint without a queue has. */
const HEALTH_OPERATION = 'health';
const ONLY_WORKERS =
  'At this address only workers are served, by the worker protocol and with the key that each was given.';
/** Hosts whose paths are all the engine's own; under other names there may be workers and Pods. */
const OWN_ADDRESS = /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:]+\])(?::\d+)?$/i;
/** Whoever asks for this is told at once how far the engine is. */
const HEALTH = '/health';

export async function createService(options: ServiceOptions): Promise<Service> {
  const { hostRule, keys, endpoints, logger, jobRoutes, rateLimit, balancing, terminals } = options;

  const served: ServedRoute[] = Object.entries(jobRoutes).flatMap(([operation, { methods, rate }]) =>
    methods.map((method) => ({ method, path: `${JOB_PREFIX}{endpointId}/${operation}`, rated: rate !== undefined })),
  );
  served.push({ method: 'GET', path: JOB_DOCUMENT, rated: false });
  for (const method of BALANCED.methods) served.push({ method, path: BALANCED.path, rated: false });
  for (const path of TERMINAL_PATHS) served.push({ method: 'GET', path, rated: false });

  const routes = new Map(Object.entries(jobRoutes));

  /** `path`: of the request. `workersOnly`: nothing but the worker protocol, and only by the key of a worker. */
  function serveJobPath(request: JobRequest, path: JobPath, response: JobResponse, workersOnly = false): void {
    const route = routes.get(path.operation);
    const need = typeof route?.need === 'function' ? route.need(path) : (route?.need ?? 'read');
    if (workersOnly && need !== 'worker') throw new AppError('NOT_FOUND', ONLY_WORKERS);
    const admission = {
      key: neededKey(request),
      need,
      place: { endpointId: path.endpointId, workerId: path.first },
    };
    const caller = authorize(keys, admission);
    if (workersOnly && caller.kind !== 'worker') throw new AppError('FORBIDDEN', ONLY_WORKERS);
    const endpoint = endpoints.find(path.endpointId);
    if (!endpoint) throw new AppError('NOT_FOUND', noEndpoint(path));
    if (!route) throw new AppError('NOT_FOUND', `An endpoint has no operation ${JSON.stringify(path.operation)}.`);
    if (endpoint.type === 'LB' && path.operation !== HEALTH_OPERATION) {
      throw new AppError(
        'BAD_REQUEST',
        `The endpoint ${JSON.stringify(path.endpointId)} balances load and has no queue: /${path.operation} is for queues. Send requests to /lb/${path.endpointId}/ and the path of its worker.`,
      );
    }
    if (!route.methods.includes(request.method!)) {
      response.setHeader('allow', route.methods.join(', '));
      throw new AppError('METHOD_NOT_ALLOWED', `/${path.operation} takes ${route.methods.join(' or ')}.`);
    }
    // Last of all: what is refused for another reason does not count.
    if (route.rate !== undefined) {
      const leave = rateLimit.enter(path.endpointId, route.rate);
      // Emitted once, whether the answer was finished or its reader went away first.
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

  function serveJobRequest(request: IncomingMessage, response: ServerResponse, workersOnly = false): void {
    // Whoever wants to know how to call needs no key for that.
    if (request.url === JOB_DOCUMENT && request.method === 'GET') {
      sendJson(response, 200, options.jobDocument());
    } else serveJobPath(request, parseJobPath(request.url!), response, workersOnly);
  }

  let open = (): void => undefined;
  /** What came before the jobs were read; null once the engine is open. */
  let early: [ServerResponse, serve: () => void][] | null = [];

  const server = createServer({
    ...serverOptions,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Whoever offers to change to anything else is answered in the protocol that it came with.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.maxRequestsPerSocket = 0;
  attachFastPath(server, {
    isOwn: (host) => OWN_ADDRESS.test(host) && isServedHost(host, hostRule),
    pathOf(url) {
      if (early || !url.startsWith(JOB_PREFIX) || url.includes('%')) return null;
      const path = parseJobPath(url);
      const route = routes.get(path.operation);
      return route && !route.node ? path : null;
    },
    serve(request, path, response, socket) {
      connections.entered(socket, response);
      try {
        serveJobPath(request, path, response);
      } catch (error) {
        sendError(response, error, logger);
      }
    },
  });
  const connections = createConnections(server, options.mostConnections);

  const api = Fastify({
    bodyLimit: limits.managementBodyBytes,
    // Late and broken requests are dealt with in one place, for job paths as well.
    clientErrorHandler: () => undefined,
    serverFactory: (handler) => {
      const serve = (request: IncomingMessage, response: ServerResponse, head: Buffer | null): void => {
        try {
          const target = balancing.targetOf(request);
          if (target) {
            balancing.serve(target, request, response, head);
            return;
          }
          if (options.podAddresses.serve(request, response, head)) return;
          const terminal = terminals.targetOf(request);
          if (terminal) {
            terminals.serve(terminal, request, response, head);
            return;
          }
          // Answered without a change of protocol; nobody else reads what still comes, such as that the caller has gone.
          if (head !== null) request.socket.once('end', () => request.socket.destroy()).resume();
          if (request.headers.expect !== undefined) response.writeContinue();
          if (request.url!.startsWith(JOB_PREFIX)) serveJobRequest(request, response);
          else handler(request, response);
        } catch (error) {
          sendError(response, error, logger);
        }
      };
      const enter = (request: IncomingMessage, response: ServerResponse, head: Buffer | null): void => {
        connections.entered(request.socket, response);
        try {
          takeOrigin(request);
          checkHost(request.headers.host, hostRule);
          if (head !== null) checkUpgrade(request);
          if (early && request.url !== HEALTH) early.push([response, () => serve(request, response, head)]);
          else serve(request, response, head);
        } catch (error) {
          sendError(response, error, logger);
        }
      };
      const request = (request: IncomingMessage, response: ServerResponse): void => enter(request, response, null);
      server.on('request', request);
      // Whoever waits to be told to go on may be refused without sending the body.
      server.on('checkContinue', request);
      server.on('upgrade', (request, socket: Socket, head) => {
        const response = new ServerResponse(request);
        response.shouldKeepAlive = false;
        response.assignSocket(socket);
        response.once('finish', () => socket.destroySoon());
        socket.on('error', () => socket.destroy());
        enter(request, response, head);
      });
      open = () => {
        const waiting = early ?? [];
        early = null;
        for (const [response, serve] of waiting) if (!response.destroyed) serve();
      };
      return server;
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as Api;

  /** What is served at a path by other methods. */
  const methodsAt = (path: string): string[] =>
    served.filter((route) => !route.path.startsWith(JOB_PREFIX) && isAt(route.path, path)).map(({ method }) => method);

  // Schemas of the contract check the shape; nothing is coerced or filled in here.
  api.setValidatorCompiler(({ schema, httpPart }) => (data) => {
    try {
      return {
        value: validate(schema as z.ZodType, data, httpPart === 'body' ? 'The request body' : `The ${httpPart}`),
      };
    } catch (error) {
      return { error: error as AppError };
    }
  });
  api.setSerializerCompiler(() => (data) => JSON.stringify(data));
  // Clients send the JSON type with a DELETE that has no body; that is no body, not bad JSON.
  api.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? undefined : parseJson(String(text), 'The request body'));
    } catch (error) {
      done(error as Error);
    }
  });
  api.setErrorHandler((thrown, request, reply) => {
    const { status, type, body, headers } = toHttpError(fromFastify(thrown), logger, request.url);
    return reply.code(status).headers(headers).type(type).send(body);
  });
  api.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const others = methodsAt(path);
    const error =
      others.length > 0
        ? new AppError('METHOD_NOT_ALLOWED', `${path} takes ${others.join(' or ')}, not ${request.method}.`)
        : new AppError('NOT_FOUND', `Nothing is served at ${request.method} ${path}.`);
    if (others.length > 0) void reply.header('allow', others.join(', '));
    const { status, type, body } = toHttpError(error, logger, request.url);
    return reply.code(status).type(type).send(body);
  });
  guardRoutes(api, { admit: createAdmit(keys, logger), masks: createAnswerMasks(options.documents) });
  api.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (one !== 'HEAD') served.push({ method: one, path: documentedPath(url), rated: false });
    }
  });
  options.register(api);
  await api.ready();

  const doors = new Set<() => Promise<void>>();

  async function listenForWorkers({ listenAt, name, mayEnter }: WorkerListener, wantedPort: number): Promise<number> {
    const door = createServer({ ...serverOptions, keepAliveTimeout: KEEP_ALIVE_MS });
    door.maxRequestsPerSocket = 0;
    door.on('connection', (socket) => {
      if (!mayEnter(socket.remoteAddress ?? '')) socket.destroy();
    });
    const watched = createConnections(door, options.mostConnections);
    door.on('request', (request: IncomingMessage, response: ServerResponse) => {
      watched.entered(request.socket, response);
      try {
        takeOrigin(request);
        const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
        if (host !== name || !request.url!.startsWith(JOB_PREFIX)) throw new AppError('NOT_FOUND', ONLY_WORKERS);
        serveJobRequest(request, response, true);
      } catch (error) {
        sendError(response, error, logger);
      }
    });
    const port = await listenOn(door, listenAt, wantedPort);
    doors.add(() => close(door, watched));
    return port;
  }

  return {
    served: () => served,
    open: () => open(),
    listen: (host, port) => listenOn(server, host, port),
    listenForWorkers,
    async stop() {
      await Promise.all([close(server, connections), ...[...doors].map((closeDoor) => closeDoor())]);
      await api.close();
    },
  };
}

/** Why there is no such endpoint: where one is asked for by a word of REST v2, its base address is the wrong one. */
function noEndpoint({ endpointId }: JobPath): string {
  const reason = `There is no endpoint ${JSON.stringify(endpointId)}.`;
  if (!REST_V2_NOUNS.has(endpointId)) return reason;
  return `${reason} Below ${JOB_PREFIX} are jobs; REST v2 is at ${REST_V2_BASE}/${endpointId} here, so its base address is ${REST_V2_BASE}.`;
}

/** Whether a path is one of those that `documented` stands for, with its parameters in braces. */
function isAt(documented: string, path: string): boolean {
  const [steps, segments] = [documented.split('/'), path.split('/')];
  return steps.length === segments.length && steps.every((step, at) => step.startsWith('{') || step === segments[at]);
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function close(server: Server, connections: Connections): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  connections.stop();
  server.closeAllConnections();
  await closed;
}

/** Fastify's own refusals (bad JSON, wrong content type, too large) in our words. */
function fromFastify(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown;
  const { code, statusCode, message } = thrown as { code?: string; statusCode?: number; message: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError(
      'TOO_LARGE',
      `The body is too large: at most ${limits.managementBodyBytes} bytes are accepted here.`,
    );
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('BAD_REQUEST', `The request could not be read: ${message}`, { cause: thrown });
  }
  return thrown;
}
