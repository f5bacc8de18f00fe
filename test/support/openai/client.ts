import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import * as z from 'zod';
import { expect } from 'vitest';
import type { TestEngine } from '../engine/engine.ts';
import type { Answer, Body } from '../http/client.ts';
import { createOutsideWorker, type OutsideWorker, type Taken } from '../workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../resources/resources.ts';

/** One event of a stream, put together the way the official clients do it. */
export interface SentEvent {
  event: string | null;
  data: string;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Id of the job, as clients show it. */
  readonly jobId: string;
  /** The next event; null at the end. Rejects when the connection breaks. */
  next(): Promise<SentEvent | null>;
  /** Every event that is still to come. */
  rest(): Promise<SentEvent[]>;
  /** All text so far. */
  text(): string;
  /** The connection itself, for readers who do not read. */
  readonly incoming: IncomingMessage;
  /** Goes away without a word. */
  abort(): void;
}

/**
 * What an OpenAI client is pointed at: `base_url` and a key. Speaks plain HTTP and parses answers as the official
 * clients do.
 */
export interface OpenaiClient {
  readonly path: string;
  post(path: string, body: Body, signal?: AbortSignal): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Settles with the headers, whatever the status. */
  stream(path: string, body: object): Promise<OpenStream>;
}

export const openaiErrorSchema = z.looseObject({
  error: z.looseObject({
    message: z.string().min(1),
    type: z.string().min(1),
    param: z.string().nullable(),
    code: z.union([z.string(), z.int()]).nullable(),
  }),
});

/** Lines of bytes that may be cut anywhere, and the events they make. */
async function* eventsOf(incoming: IncomingMessage, onText: (text: string) => void): AsyncGenerator<SentEvent> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let event: string | null = null;
  let data: string[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) {
    const text = decoder.decode(part, { stream: true });
    onText(text);
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (event !== null || data.length > 0) yield { event, data: data.join('\n') };
        event = null;
        data = [];
      } else if (!line.startsWith(':')) {
        const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        if (name === 'event') event = value ?? '';
        else if (name === 'data') data.push(value ?? '');
      }
    }
  }
}

export function openaiClient(engine: TestEngine, endpointId: string): OpenaiClient {
  const path = `/v2/${endpointId}/openai`;
  return {
    path,
    post: (route, body, signal) => engine.http.post(path + route, body, signal ? { signal } : {}),
    get: (route) => engine.http.get(path + route),
    async stream(route, body) {
      const agent = new Agent({ keepAlive: false });
      const outgoing = request(new URL(path + route, engine.address), {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${engine.key}` },
      });
      outgoing.end(JSON.stringify({ stream: true, ...body }));
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      let text = '';
      const events = eventsOf(incoming, (more) => (text += more));
      const next = async (): Promise<SentEvent | null> => {
        const { done, value } = await events.next();
        return done === true ? null : value;
      };
      return {
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        jobId: String(incoming.headers['x-request-id']),
        incoming,
        next,
        async rest() {
          const all: SentEvent[] = [];
          for (let event = await next(); event; event = await next()) all.push(event);
          return all;
        },
        text: () => text,
        abort: () => {
          outgoing.destroy();
          agent.destroy();
        },
      };
    },
  };
}

/** An endpoint, a client of it, and the worker that does its jobs. */
export interface OpenaiSetting {
  client: OpenaiClient;
  worker: OutsideWorker;
  endpointId: string;
}

export async function openaiSetting(engine: TestEngine): Promise<OpenaiSetting> {
  const { id } = await makeIdleEndpoint(engine);
  return { client: openaiClient(engine, id), worker: createOutsideWorker(engine, id), endpointId: id };
}

export async function takeOne(worker: OutsideWorker): Promise<Taken> {
  const taken = await worker.take();
  if (!taken) throw new Error('There was no job.');
  return taken;
}

/** The answer to one request, and what its worker does with the job before. */
export async function answeredWith(
  engine: TestEngine,
  work: (worker: OutsideWorker, job: Taken) => Promise<unknown>,
): Promise<Answer> {
  const { client, worker } = await openaiSetting(engine);
  const answering = client.post('/v1/chat/completions', { model: 'm' });
  await work(worker, await takeOne(worker));
  return answering;
}

/** The error of an answer, after making sure that it is one with this status. */
export function openaiErrorOf(answer: Answer, status: number): z.infer<typeof openaiErrorSchema>['error'] {
  expect(answer.status, answer.text.slice(0, 500)).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  return openaiErrorSchema.parse(answer.json).error;
}
