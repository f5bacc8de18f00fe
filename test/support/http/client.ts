import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { DEADLINE_MS } from '../core/until.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; throws, showing the body, when it is something else. */
  readonly json: unknown;
}

/** The message of a refusal, as most routes answer it. */
export const messageOf = ({ json }: Pick<Answer, 'json'>): string => (json as { message: string }).message;

export interface SendOptions {
  /** Value of the Authorization header; null sends none. The client's own key, as a bearer, when left out. */
  authorization?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** What to send: nothing, text or bytes exactly as given, or a value that is sent as JSON. */
export type Body = undefined | string | Uint8Array | object;

export interface Http {
  readonly address: string;
  readonly key: string;
  send(method: string, path: string, body?: Body, options?: SendOptions): Promise<Answer>;
  get(path: string, options?: SendOptions): Promise<Answer>;
  post(path: string, body?: Body, options?: SendOptions): Promise<Answer>;
  stop(): void;
}

class HttpAnswer implements Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;

  constructor(status: number, headers: IncomingHttpHeaders, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  get json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (cause) {
      throw new Error(`Not JSON (HTTP ${this.status}): ${this.text.slice(0, 300)}`, { cause });
    }
  }
}

/**
 * A plain HTTP client of one engine: no retries, no redirects, any header may be set (`fetch` refuses Host). Each
 * request has a connection of its own: connections kept alive would outlive the test that opened them. `connections`
 * keeps this many open until `stop`, for very many requests: to open one costs more than most answers.
 */
export function createHttp(address: string, key: string, connections = 0): Http {
  const agent = new Agent(connections === 0 ? { keepAlive: false } : { keepAlive: true, maxSockets: connections });

  const send: Http['send'] = (method, path, body, { authorization, headers = {}, signal } = {}) =>
    new Promise((resolve, reject) => {
      const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const payload = raw ? body : JSON.stringify(body);
      const authorizing = authorization === undefined ? `Bearer ${key}` : authorization;
      const outgoing = httpRequest(
        new URL(path, address),
        {
          method,
          agent,
          ...(signal ? { signal } : {}),
          headers: {
            // As programs ask that go on asking; the agent closes it all the same.
            connection: 'keep-alive',
            ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
            ...(authorizing === null ? {} : { authorization: authorizing }),
            ...headers,
          },
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('error', reject);
          incoming.on('end', () => {
            resolve(new HttpAnswer(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(parts).toString('utf8')));
          });
        },
      );
      outgoing.on('error', reject);
      // Long polls answer earlier; without this, a lost answer would show as nothing but the time limit of the test.
      outgoing.setTimeout(DEADLINE_MS, () =>
        outgoing.destroy(new Error(`Waited ${DEADLINE_MS / 1000} s for the answer to ${method} ${path}.`)),
      );
      outgoing.end(payload);
    });

  return {
    address,
    key,
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    stop: () => {
      agent.destroy();
    },
  };
}
