/**
 * The remote service on loopback, as its public material describes it: the job API, REST v1, REST v2 and GraphQL of one
 * account, at three ports as there are three hosts. Jobs are done by functions of the test. Its clock can be put
 * forward; it breaks on demand.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '../http/freePort.ts';
import { createFaults, send, type Fault } from './faults.ts';
import { createGraphql } from './v1/graphql.ts';
import { createJobApi } from './jobApi.ts';
import { createJobs, type RemoteHandler, type RemoteJobs } from './jobs.ts';
import { createRates, type Rates } from './rates.ts';
import {
  addEndpoint,
  addPod,
  addTemplate,
  createAccount,
  type RemoteAccount,
  type RemoteEndpoint,
  type RemotePod,
  type RemoteTemplate,
} from './records.ts';
import { createRestV1 } from './v1/rest.ts';
import { createRestV2 } from './v2/rest.ts';
import { parseBody, Refusal, type RemoteCall, type RemoteArea, type RemoteHost, type Reply } from './wire.ts';

export { RawJson, type RemoteHandler, type RemoteWork } from './jobs.ts';
export type { Fault } from './faults.ts';

/** What a key may do: everything; read; jobs and nothing else; nothing, because it was switched off. */
export type RemoteKeyAccess = 'all' | 'read' | 'jobs' | 'off';

/** As the addresses of an account are: without `/v2`, `/v1` and `/graphql`, which a person may have typed as well. */
export interface RemoteAddresses {
  jobs: string;
  management: string;
  graphql: string;
}

/** A request as it arrived. */
export interface RemoteRequest {
  readonly area: RemoteArea;
  readonly method: string;
  /** Behind the version, with its query. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly text: string;
  readonly at: number;
}

export interface Remote extends AsyncDisposable {
  /** A key that may do everything. */
  readonly key: string;
  readonly v1: RemoteAddresses;
  readonly v2: RemoteAddresses;
  readonly account: RemoteAccount;
  readonly jobs: RemoteJobs;
  readonly rates: Rates;
  readonly requests: RemoteRequest[];
  now(): number;
  /** Puts its clock forward: what is kept for a time may be gone. */
  advance(ms: number): void;
  /** Stops its clock: from now on it moves by `advance` alone, however slow the machine is. */
  hold(): void;
  /** Makes a key, or changes what one may do. */
  setKey(access: RemoteKeyAccess, key?: string): string;
  /** Without a handler its jobs are answered with their input; with null they wait. */
  addEndpoint(fields: Partial<RemoteEndpoint> & { name: string }, handler?: RemoteHandler | null): RemoteEndpoint;
  /** Who does the jobs of endpoints that are made by requests; without it they are answered with their input. */
  serveNew(handler: RemoteHandler): void;
  addTemplate(fields: Partial<RemoteTemplate> & { name: string; image: string }): RemoteTemplate;
  addPod(fields: Partial<RemotePod> & { name: string }): RemotePod;
  /** Lines of a Pod or worker, as its log streams tell them. */
  write(id: string, ...lines: string[]): void;
  /** Answers how to take it away again. */
  fault(fault: Fault): () => void;
  clearFaults(): void;
  /** REST v1 answers 410 from now on. */
  retireV1(): void;
  /** Nobody listens any more, and all connections are cut. */
  goOffline(): Promise<void>;
  goOnline(): Promise<void>;
  stop(): Promise<void>;
}

const areas: Readonly<Record<RemoteHost, (path: string) => [RemoteArea, string] | null>> = {
  jobs: (path) => (path.startsWith('/v2/') ? ['jobs', path.slice(4)] : null),
  rest1: (path) => (path.startsWith('/v1/') ? ['rest1', path.slice(4)] : null),
  api: (path) => (path === '/graphql' ? ['graphql', ''] : path.startsWith('/v2/') ? ['rest2', path.slice(4)] : null),
};

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** The words of an area around what cannot be done. */
function refused(area: RemoteArea, { status, message, errors, headers }: Refusal): Reply {
  switch (area) {
    case 'rest2': {
      const json = { title: titles[status] ?? 'Error', status, detail: message, ...(errors && { errors }) };
      return { status, json, type: 'application/problem+json', headers };
    }
    case 'jobs':
      // Live, this one is plain text.
      return status === 401 ? { status, text: '', headers } : { status, json: { error: message }, headers };
    case 'graphql':
      return { status, json: { errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] }, headers };
    case 'rest1':
      return status === 401
        ? { status, json: { message }, headers }
        : { status, json: { error: message, status }, headers };
  }
}

/** Refuses a request that its key does not allow. */
function letIn(keys: ReadonlyMap<string, RemoteKeyAccess>, request: RemoteCall): void {
  const header = request.headers.authorization ?? '';
  const credentials =
    header.replace(/^Bearer\s+/i, '') || (request.area === 'graphql' ? (request.query.get('api_key') ?? '') : '');
  // The job API takes the bare key as well.
  const isBare = header !== '' && !/^Bearer\s/i.test(header);
  const access = isBare && request.area !== 'jobs' ? undefined : keys.get(credentials);
  if (credentials === '')
    throw new Refusal(401, request.area === 'rest2' ? 'missing bearer token' : 'no token provided');
  if (access === undefined || access === 'off') throw new Refusal(401, 'invalid api key');
  const writes = request.area === 'graphql' ? /\bmutation\b/.test(request.text) : request.method !== 'GET';
  if ((access === 'read' && writes) || (access === 'jobs' && request.area !== 'jobs')) {
    throw new Refusal(403, 'access denied');
  }
}

/** REST v2 with its rate: its headers are in every answer. */
const counted =
  (rates: Rates, restV2: (request: RemoteCall) => Reply | null | Promise<Reply | null>) =>
  async (request: RemoteCall): Promise<Reply | null> => {
    const headers = rates.countManagement();
    try {
      const reply = await restV2(request);
      return reply && { ...reply, headers: { ...headers, ...reply.headers } };
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      const { status, message, errors } = thrown;
      throw new Refusal(status, message, {
        errors: errors ? [...errors] : null,
        headers: { ...headers, ...thrown.headers },
      });
    }
  };

type Handle = (host: RemoteHost, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The servers of the hosts. `ports`: those of the first time are used again. */
function createServers(ports: Record<RemoteHost, number>, handle: Handle) {
  const servers = new Map<RemoteHost, Server>();
  const unanswered = new Set<ServerResponse>();
  async function listen(): Promise<void> {
    for (const host of Object.keys(ports) as RemoteHost[]) {
      const server = createServer((request, response) => {
        unanswered.add(response);
        response.once('close', () => unanswered.delete(response));
        // A request that breaks off has nobody to be answered to.
        handle(host, request, response).catch(() => response.destroy());
      });
      ports[host] ||= await freePort();
      server.listen(ports[host], '127.0.0.1');
      await once(server, 'listening');
      servers.set(host, server);
    }
  }
  async function close(): Promise<void> {
    // A server has closed before its last requests know of it; what happens next is to find them gone.
    const gone = [...unanswered].map((response) => once(response, 'close'));
    const closing = [...servers.values()].map(async (server) => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    servers.clear();
    await Promise.all([...closing, ...gone]);
  }
  return { listen, close };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

interface Arrival {
  area: RemoteArea;
  /** The path behind the version. */
  rest: string;
  url: URL;
  text: string;
  stopping: AbortSignal;
}

function callOf(arrival: Arrival, request: IncomingMessage, response: ServerResponse): RemoteCall {
  const { area, rest, url, text, stopping } = arrival;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return {
    area,
    method: request.method ?? '',
    query: url.searchParams,
    headers: request.headers,
    text,
    response,
    path: rest.split('/').map((part) => decodeURIComponent(part)),
    json: () => parseBody(text),
    gone: AbortSignal.any([gone.signal, stopping]),
  };
}

export async function startRemote(): Promise<Remote> {
  let ahead = 0;
  /** Where the clock was stopped. */
  let heldAt: number | undefined;
  let v1Retired = false;
  const now = (): number => (heldAt ?? Date.now()) + ahead;
  const stopping = new AbortController();
  const key = `rpa_${randomBytes(20).toString('hex').toUpperCase()}`;
  const keys = new Map<string, RemoteKeyAccess>([[key, 'all']]);
  const account = createAccount();
  const jobs = createJobs(now, (id) => account.endpoints.get(id)?.workersMax ?? 0);
  const rates = createRates(now);
  const faults = createFaults();
  const requests: RemoteRequest[] = [];
  const ports: Record<RemoteHost, number> = { jobs: 0, rest1: 0, api: 0 };
  const at = (host: RemoteHost): string => `http://127.0.0.1:${ports[host]}`;
  const jobsBase = (): string => `${at('jobs')}/v2`;

  const jobApi = createJobApi(account, jobs, now);
  const restV1 = createRestV1(account, now);
  const countedRestV2 = counted(rates, createRestV2({ account, jobs, now, jobsBase }, stopping.signal));
  const graphql = createGraphql(account, now);

  async function answer(request: RemoteCall): Promise<Reply | null> {
    letIn(keys, request);
    if (request.area === 'jobs') {
      rates.countJob(request.path[0] ?? '', request.path[1] ?? '');
      return jobApi(request);
    }
    if (request.area === 'graphql') return graphql(request);
    if (request.area === 'rest1') {
      if (v1Retired) throw new Refusal(410, 'REST v1 has been retired. Use REST v2.');
      return restV1(request);
    }
    return countedRestV2(request);
  }

  async function handle(host: RemoteHost, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', at(host));
    const text = await textOf(request);
    const placed = areas[host](url.pathname);
    if (!placed) return send(response, { status: 404, json: { error: 'not found' } }, false);
    const [area, rest] = placed;
    const call = callOf({ area, rest, url, text, stopping: stopping.signal }, request, response);
    const { authorization } = request.headers;
    requests.push({ area, method: call.method, path: `${rest}${url.search}`, authorization, text, at: now() });
    const fault = faults.take(call)?.as ?? null;
    if (fault === 'drop') return void response.socket?.destroy();
    if (typeof fault === 'number') await pause(fault, call.gone);
    if (typeof fault === 'object' && fault !== null) return send(response, fault, false);
    let reply: Reply | null;
    try {
      reply = await answer(call);
    } catch (thrown) {
      if (thrown instanceof Refusal) reply = refused(area, thrown);
      else reply = { status: 500, json: { error: 'Something went wrong.', cause: String(thrown) } };
    }
    if (reply === null || response.destroyed) return;
    if (fault === 'lost') return void response.socket?.destroy();
    send(response, reply, fault === 'cut');
  }

  const { listen, close } = createServers(ports, handle);
  await listen();

  const stop = async (): Promise<void> => {
    stopping.abort();
    jobs.stop();
    await close();
  };
  const addresses = (management: string): RemoteAddresses => ({
    jobs: at('jobs'),
    management,
    graphql: at('api'),
  });

  return {
    key,
    account,
    jobs,
    rates,
    requests,
    now,
    v1: addresses(at('rest1')),
    v2: addresses(at('api')),
    advance(ms) {
      ahead += ms;
    },
    hold() {
      heldAt ??= Date.now();
    },
    setKey(access, key = `rpa_${randomBytes(20).toString('hex').toUpperCase()}`) {
      keys.set(key, access);
      return key;
    },
    addEndpoint(fields, handler) {
      const endpoint = addEndpoint(account, { createdAt: now(), ...fields });
      if (handler !== undefined) jobs.serve(endpoint.id, handler);
      return endpoint;
    },
    serveNew: jobs.serveNew,
    addTemplate: (fields) => addTemplate(account, fields),
    addPod: (fields) => addPod(account, { createdAt: now(), ...fields }),
    write(id, ...lines) {
      const log = account.logs.get(id) ?? [];
      log.push(...lines.map((line) => ({ at: now(), source: 'container' as const, line })));
      account.logs.set(id, log);
    },
    fault: faults.add,
    clearFaults: faults.clear,
    retireV1() {
      v1Retired = true;
    },
    goOffline: close,
    goOnline: listen,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function pause(ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      gone.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    gone.addEventListener('abort', done);
  });
}
