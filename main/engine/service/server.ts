/** The engine's one port: job paths go straight to their routes, everything else through Fastify. */
import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { ApiKeys } from '../domain/access/apiKeys.ts';
import type { Endpoints } from '../domain/resources/endpoints.ts';
import type { Logger } from '../domain/core/ports.ts';
import type { RateLimit } from '../domain/access/rateLimit.ts';
import type { Api } from './access/api.ts';
import { createAdmit } from './access/routeAccess.ts';
import { createApi } from './fastifyApi.ts';
import { balancedOperation, type BalancerRoutes } from './proxy/routes.ts';
import { attachFastPath } from './http/fastPath/connection.ts';
import { KEEP_ALIVE_MS } from './http/fastPath/response.ts';
import { JOB_PREFIX } from './http/route.ts';
import { createJobRouter, jobOperations, jobRoutePath, type JobRoutes } from './jobs/router.ts';
import { portOperation, type PortSockets } from './local/ports/portSockets.ts';
import type { PodAddresses } from './proxy/podAddresses.ts';
import { createConnections, serverOptions } from './http/connectionLimits.ts';
import { sendError } from './http/errorMapper.ts';
import { checkHost, checkUpgrade, isServedHost, takeOrigin, type HostRule } from './http/hostGuard.ts';
import { createDocuments, type Documents } from './openapi/documents.ts';
import type { Operation } from './openapi/operation.ts';
import { terminalOperations, type TerminalSockets } from './local/terminalSockets.ts';
import { closeServer, listenOn, openWorkerListener, type WorkerListener } from './workerListener.ts';

export interface ServiceOptions {
  /** The version of Hangar, for the documents. */
  version: string;
  hostRule: HostRule;
  keys: ApiKeys;
  endpoints: Endpoints;
  logger: Logger;
  rateLimit: RateLimit;
  jobRoutes: JobRoutes;
  /** Paths and host names that belong to workers. */
  balancing: BalancerRoutes;
  /** Host names that belong to Pods. */
  podAddresses: Pick<PodAddresses, 'serve'>;
  terminals: TerminalSockets;
  /** Connections to ports of Pods. */
  podPorts: Pick<PortSockets, 'serve'>;
  /** The limits in force. */
  limits(): LimitSettings;
  /** The number of connections that are served at once. */
  mostConnections: number;
  /** Adds the management and local routes. The documents are complete once this returns. */
  register(api: Api, documents: Documents): void;
}

export interface Service {
  /** Listens; answers the port. Rejects as `listen` does. */
  listen(host: string, port: number): Promise<number>;
  /** Answers requests from now on. Earlier ones have waited, all but /health. */
  open(): void;
  /**
   * Serves the worker protocol, and nothing else, to workers in containers, at an address of this machine that they
   * reach. It refuses other callers and other host names. `port`: 0 = any free one. Returns the port. Rejects as
   * `listen` does.
   */
  listenForWorkers(listener: WorkerListener, port: number): Promise<number>;
  /** Every route. */
  served(): readonly ServedRoute[];
  stop(): Promise<void>;
}

export interface ServedRoute {
  readonly method: string;
  /** Parameters in braces; of a job path up to its operation. */
  readonly path: string;
  /** Whether its requests are counted. */
  readonly rated: boolean;
}

/** Hosts whose paths all belong to the engine; other names may belong to workers and Pods. */
const OWN_ADDRESS = /^(?:localhost|\d+\.\d+\.\d+\.\d+|\[[\da-f:]+\])(?::\d+)?$/i;
/** This path is answered from the start, with how far the engine is. */
const HEALTH = '/health';

/** Serves one request. `head`: the bytes behind the request of a WebSocket; null for any other request. */
type Serve = (request: IncomingMessage, response: ServerResponse, head: Buffer | null) => void;

/** Calls `serve` for each request of the server, and for each one that asks to change protocols. */
function attach(server: Server, serve: Serve): void {
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => serve(request, response, null);
  server.on('request', onRequest);
  // A refused request need not send the body that it announced.
  server.on('checkContinue', onRequest);
  server.on('upgrade', (request, socket: Socket, head) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    socket.on('error', () => socket.destroy());
    serve(request, response, head);
  });
}

interface Gate {
  /** Whether requests are answered. */
  readonly isOpen: boolean;
  enter: Serve;
  /** Answers the requests that wait, and all that follow at once. */
  open(): void;
}

/** Holds requests back until it is opened, all but /health. */
function createGate(serve: Serve): Gate {
  let waiting: { response: ServerResponse; run: () => void }[] | null = [];
  return {
    get isOpen() {
      return waiting === null;
    },
    enter(request, response, head) {
      if (waiting === null || request.url === HEALTH) serve(request, response, head);
      else waiting.push({ response, run: () => serve(request, response, head) });
    },
    open() {
      const requests = waiting ?? [];
      waiting = null;
      for (const { response, run } of requests) if (!response.destroyed) run();
    },
  };
}

function servedRoutes(jobRoutes: JobRoutes, others: readonly Operation[]): ServedRoute[] {
  return [
    ...Object.entries(jobRoutes).flatMap(([name, { methods, rate }]) =>
      methods.map((method) => ({ method, path: jobRoutePath(name), rated: rate !== undefined })),
    ),
    ...others.flatMap(({ methods, path }) =>
      methods.map((method) => ({ method: method.toUpperCase(), path, rated: false })),
    ),
  ];
}

export async function createService(options: ServiceOptions): Promise<Service> {
  const { hostRule, keys, endpoints, logger, jobRoutes, rateLimit, balancing, terminals, mostConnections } = options;
  /** Operations that are served without Fastify, besides those of jobs. */
  const others: readonly Operation[] = [balancedOperation, portOperation, ...terminalOperations];

  const server = createServer({
    ...serverOptions,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request that asks for another protocol than a WebSocket is answered in HTTP.
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  server.maxRequestsPerSocket = 0;

  const {
    api,
    operations,
    serve: serveByFastify,
  } = createApi({ server, admit: createAdmit(keys, logger), logger, others });
  const documents = createDocuments({
    version: options.version,
    limits: options.limits,
    operations: (limits) => [...jobOperations(jobRoutes, limits), ...others, ...operations],
  });
  const jobs = createJobRouter({ routes: jobRoutes, keys, endpoints, rateLimit, logger, document: documents.jobs });

  function dispatch(request: IncomingMessage, response: ServerResponse, head: Buffer | null): void {
    const target = balancing.targetOf(request);
    if (target) {
      balancing.serve(target, request, response, head);
      return;
    }
    if (options.podAddresses.serve(request, response, head)) return;
    if (options.podPorts.serve(request, response, head)) return;
    const terminal = terminals.targetOf(request);
    if (terminal) {
      terminals.serve(terminal, request, response, head);
      return;
    }
    // Without a change of protocol nobody else reads the connection, and nobody else notices its end.
    if (head !== null) request.socket.once('end', () => request.socket.destroy()).resume();
    if (request.headers.expect !== undefined) response.writeContinue();
    if (request.url?.startsWith(JOB_PREFIX) === true) jobs.serveUrl(request, response);
    else serveByFastify(request, response);
  }

  const gate = createGate((request, response, head) => {
    try {
      dispatch(request, response, head);
    } catch (error) {
      sendError(response, error, logger);
    }
  });

  // The fast path takes connections before any other listener. It serves none before `connections` exists.
  attachFastPath(server, {
    isOwn: (host) => OWN_ADDRESS.test(host) && isServedHost(host, hostRule),
    pathOf: (url) => (gate.isOpen ? jobs.briefPath(url) : null),
    serve(request, path, response, socket) {
      connections.entered(socket, response);
      try {
        jobs.serve(request, path, response);
      } catch (error) {
        sendError(response, error, logger);
      }
    },
  });
  const connections = createConnections(server, mostConnections);

  attach(server, (request, response, head) => {
    connections.entered(request.socket, response);
    try {
      takeOrigin(request);
      checkHost(request.headers.host, hostRule);
      if (head !== null) checkUpgrade(request);
      gate.enter(request, response, head);
    } catch (error) {
      sendError(response, error, logger);
    }
  });

  options.register(api, documents);
  await api.ready();

  const workerListeners: { close(): Promise<void> }[] = [];

  return {
    served: () => [
      ...servedRoutes(jobRoutes, [...others, ...operations]),
      { method: 'GET', path: `${JOB_PREFIX}openapi.json`, rated: false },
    ],
    open: () => gate.open(),
    listen: (host, port) => listenOn(server, host, port),
    async listenForWorkers(listener, wantedPort) {
      const opened = await openWorkerListener(listener, wantedPort, { jobs, logger, mostConnections });
      workerListeners.push(opened);
      return opened.port;
    },
    async stop() {
      await Promise.all([closeServer(server, connections), ...workerListeners.map((listener) => listener.close())]);
      await api.close();
    },
  };
}
