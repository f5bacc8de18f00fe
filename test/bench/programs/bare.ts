/**
 * What any service doing these hops over HTTP must cost at least: a bare node:http server that keeps jobs in memory,
 * hands them to long-polling workers and relays chunks. No keys, no checks, no limits, nothing stored. Forked by the
 * benchmark.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  id: string;
  body: string;
  status: string;
  result: string;
  /** Who waits for the result. */
  caller: ServerResponse | null;
  /** Chunks its reader has not had yet, and the reader while it waits. */
  chunks: string[];
  reader: ServerResponse | null;
}

interface Line {
  queue: Held[];
  takers: ServerResponse[];
}

const jobs = new Map<string, Held>();
const lines = new Map<string, Line>();
let made = 0;

function lineOf(endpointId: string): Line {
  let line = lines.get(endpointId);
  if (!line) lines.set(endpointId, (line = { queue: [], takers: [] }));
  return line;
}

function jobOf(id: string | undefined): Held {
  const job = jobs.get(id ?? '');
  if (!job) throw new Error(`No job ${id}`);
  return job;
}

function json(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const hand = (response: ServerResponse, job: Held): void => {
  json(response, `{"id":"${job.id}",${job.body.slice(1)}`);
};

const view = (job: Held): string =>
  `{"id":"${job.id}","status":"${job.status}"${job.result === '' ? '' : `,${job.result.slice(1, -1)}`}}`;

function submit({ queue, takers }: Line, response: ServerResponse, body: string, sync: boolean): void {
  const { input } = JSON.parse(body) as { input: unknown };
  if (typeof input !== 'object') throw new Error('A job without input');
  const caller = sync ? response : null;
  const job: Held = { id: `job-${++made}`, body, status: 'IN_QUEUE', result: '', caller, chunks: [], reader: null };
  jobs.set(job.id, job);
  const taker = takers.shift();
  if (taker) hand(taker, job);
  else queue.push(job);
  if (!sync) json(response, `{"id":"${job.id}","status":"IN_QUEUE"}`);
}

function done({ queue }: Line, response: ServerResponse, job: Held, body: string, next: boolean): void {
  JSON.parse(body);
  job.status = 'COMPLETED';
  job.result = body;
  if (job.caller) json(job.caller, view(job));
  answerReader(job);
  const following = next ? queue.shift() : undefined;
  if (following) hand(response, following);
  else if (next) response.writeHead(204).end();
  else json(response, '{}');
}

function answerReader(job: Held): void {
  if (!job.reader || (job.chunks.length === 0 && job.status !== 'COMPLETED')) return;
  const text = `{"status":"${job.status}","stream":[${job.chunks.join(',')}]}`;
  job.chunks = [];
  json(job.reader, text);
  job.reader = null;
}

function relay(job: Held, chunks: string[]): void {
  job.chunks.push(...chunks);
  answerReader(job);
}

function relayLines(request: IncomingMessage, response: ServerResponse, job: Held): void {
  let rest = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => {
    const complete = (rest + text).split('\n');
    rest = complete.pop() ?? '';
    relay(job, complete);
  });
  request.on('end', () => {
    json(response, '{}');
  });
}

const CHUNK = Buffer.alloc(1024, 'c');

/** Chunks one write each, as fast as they are read. */
async function write(response: ServerResponse, chunks: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': chunks * CHUNK.length });
  for (let chunk = 0; chunk < chunks; chunk++) if (!response.write(CHUNK)) await once(response, 'drain');
  response.end();
}

function route(url: string, body: string, response: ServerResponse): void {
  const [path = '', query = ''] = url.split('?');
  const [, , endpointId = '', operation, one, two] = path.split('/');
  const line = lineOf(endpointId);
  switch (operation) {
    case 'run':
    case 'runsync':
      submit(line, response, body, operation === 'runsync');
      break;
    case 'job-take': {
      const job = line.queue.shift();
      if (job) hand(response, job);
      else line.takers.push(response);
      break;
    }
    case 'job-done':
      done(line, response, jobOf(two), body, query.includes('next=1'));
      break;
    case 'job-stream':
      relay(jobOf(two), [body]);
      json(response, '{}');
      break;
    case 'status':
      json(response, view(jobOf(one)));
      break;
    case 'stream': {
      const job = jobOf(one);
      job.reader = response;
      answerReader(job);
      break;
    }
    case 'written':
      void write(response, Number(one));
      break;
    default:
      json(response, '{"hop":true}');
  }
}

// As long as the engine's: connections of the benchmark wait for their turn.
const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const url = request.url ?? '';
  if (url.includes('ndjson=1')) {
    relayLines(request, response, jobOf(url.split('?')[0]?.split('/').at(-1)));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    route(url, Buffer.concat(parts).toString(), response);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('disconnect', () => process.exit(0));
