import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { until } from '../../support/core/until.ts';

export interface PostedResult {
  jobId: string;
  query: URLSearchParams;
  /** The body as it was sent. */
  text: string;
}

/** The service's half of the worker protocol, just as much as a worker needs, on a port of its own. */
export interface WorkerService {
  /** The variables a worker of it is started with. */
  readonly env: Record<string, string>;
  readonly pings: URLSearchParams[];
  /** How often it was asked for a job. */
  takes(): number;
  give(...jobs: { id: string; [field: string]: unknown }[]): void;
  /** The same for a job as JSON text, which holds numbers that JavaScript does not. */
  giveText(job: string): void;
  /** Settles once a worker waits for this many jobs; for one, unless told otherwise. */
  parked(lanes?: number): Promise<unknown>;
  /** Of each ask for a job: whether the worker said that it has others. */
  readonly inProgress: boolean[];
  /** The lines that have arrived for a job so far. */
  chunks(jobId: string): string[];
  /** How many requests carried these lines. */
  streams(jobId: string): number;
  progress(jobId: string): string[];
  result(jobId: string): Promise<PostedResult>;
  results(): PostedResult[];
  cancel(jobId: string): Promise<void>;
  /** Cuts every connection, and each new one at once, until `comeBack`. */
  goAway(): void;
  comeBack(): void;
  /** How many connections were cut as they came. */
  refused(): number;
  close(): Promise<void>;
}

/** The body of a job's result, once it has come. */
export const resultText = async (service: WorkerService, jobId: string): Promise<string> =>
  (await service.result(jobId)).text;

/** The `error_message` of a job that failed, once its result has come. */
export async function errorMessage(service: WorkerService, jobId: string): Promise<string> {
  const { error } = JSON.parse(await resultText(service, jobId)) as { error: string };
  return (JSON.parse(error) as { error_message: string }).error_message;
}

const WORKER = 'worker-1';
const KEY = 'worker-key';

async function readAll(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return text;
}

/** Adds each line of a body to `lines` as soon as it has come. */
async function readLines(request: IncomingMessage, lines: string[]): Promise<void> {
  let rest = '';
  for await (const part of request.setEncoding('utf8')) {
    const complete = (rest + String(part)).split('\n');
    rest = complete.pop() ?? '';
    lines.push(...complete);
  }
}

function answer(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** The variables that tell a worker its service. `base`: the address of its endpoint. */
const environmentOf = (base: string): Record<string, string> => ({
  RUNPOD_WEBHOOK_GET_JOB: `${base}/job-take/${WORKER}?gpu=none`,
  RUNPOD_WEBHOOK_POST_OUTPUT: `${base}/job-done/${WORKER}/$ID?gpu=none`,
  RUNPOD_WEBHOOK_POST_STREAM: `${base}/job-stream/${WORKER}/$ID?gpu=none`,
  RUNPOD_WEBHOOK_PING: `${base}/ping/${WORKER}?gpu=none`,
  RUNPOD_PING_INTERVAL: '100',
  RUNPOD_AI_API_KEY: KEY,
  RUNPOD_POD_ID: WORKER,
  RUNPOD_ENDPOINT_ID: 'endpoint-1',
  HANGAR_WORKER: '1',
});

/** The connections of a server that can be cut, as by a network that goes away. */
function createConnections() {
  const sockets = new Set<Socket>();
  let away = false;
  let refused = 0;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    add(socket: Socket) {
      if (away) {
        refused += 1;
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    },
    cut,
    goAway() {
      away = true;
      cut();
    },
    comeBack: () => void (away = false),
    /** How many connections were cut as they came. */
    refused: () => refused,
  };
}

export async function startWorkerService(): Promise<WorkerService> {
  const queue: string[] = [];
  const parked = new Set<ServerResponse>();
  let stopPoll: ServerResponse | null = null;
  let takes = 0;
  const pings: URLSearchParams[] = [];
  const inProgress: boolean[] = [];
  const results: PostedResult[] = [];
  const progress = new Map<string, string[]>();
  const chunks = new Map<string, string[]>();
  const streams = new Map<string, number>();

  function handOver(): void {
    for (const response of parked) {
      if (queue.length === 0) return;
      parked.delete(response);
      answer(response, 200, queue.shift());
    }
  }

  async function done(jobId: string, query: URLSearchParams, request: IncomingMessage, response: ServerResponse) {
    const text = await readAll(request);
    if ((JSON.parse(text) as { status?: string }).status === 'IN_PROGRESS') {
      progress.set(jobId, [...(progress.get(jobId) ?? []), text]);
      return answer(response, 200, '{}');
    }
    results.push({ jobId, query, text });
    if (query.get('next') !== '1') return answer(response, 200, '{}');
    return queue.length > 0 ? answer(response, 200, queue.shift()) : answer(response, 204);
  }

  async function stream(jobId: string, request: IncomingMessage, response: ServerResponse) {
    streams.set(jobId, (streams.get(jobId) ?? 0) + 1);
    const lines = chunks.get(jobId) ?? [];
    chunks.set(jobId, lines);
    await readLines(request, lines);
    answer(response, 200, '{}');
  }

  function handle(request: IncomingMessage, response: ServerResponse): unknown {
    const url = new URL(request.url ?? '/', 'http://service');
    const [operation, worker, jobId = ''] = url.pathname.split('/').slice(3);
    if (request.headers.authorization !== KEY || worker !== WORKER) return answer(response, 401);
    switch (operation) {
      case 'job-take':
        takes += 1;
        parked.add(response);
        inProgress.push(url.searchParams.get('job_in_progress') === '1');
        response.on('close', () => parked.delete(response));
        return handOver();
      case 'job-stop':
        stopPoll = response;
        response.on('close', () => stopPoll === response && (stopPoll = null));
        return undefined;
      case 'job-done':
        return done(jobId, url.searchParams, request, response);
      case 'job-stream':
        // The connection may be cut while it is read, and that is what some tests do.
        return stream(jobId, request, response).catch(() => response.destroy());
      case 'ping':
        pings.push(url.searchParams);
        return answer(response, 200, '{}');
      default:
        return answer(response, 404);
    }
  }

  const connections = createConnections();
  const server = http.createServer((request, response) => void handle(request, response));
  server.on('connection', connections.add);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    env: environmentOf(`http://127.0.0.1:${port}/v2/endpoint-1`),
    pings,
    takes: () => takes,
    give(...jobs) {
      queue.push(...jobs.map((job) => JSON.stringify(job)));
      handOver();
    },
    giveText(job) {
      queue.push(job);
      handOver();
    },
    parked: (lanes = 1) =>
      until(
        'a worker to wait for jobs',
        () => parked.size,
        (count) => count >= lanes,
      ),
    inProgress,
    chunks: (jobId) => chunks.get(jobId) ?? [],
    streams: (jobId) => streams.get(jobId) ?? 0,
    progress: (jobId) => progress.get(jobId) ?? [],
    result: (jobId) => until(`the result of ${jobId}`, () => results.find((result) => result.jobId === jobId)),
    results: () => results,
    async cancel(jobId) {
      await until(
        'a worker to listen for stops',
        () => stopPoll,
        (value) => value !== null,
      );
      const listening = stopPoll!;
      stopPoll = null;
      answer(listening, 200, JSON.stringify({ jobsToStop: [jobId] }));
    },
    goAway: connections.goAway,
    comeBack: connections.comeBack,
    refused: connections.refused,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        connections.cut();
      }),
  };
}
