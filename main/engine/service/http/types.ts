/** Request and answer of job routes: those of Node, or those of the fast path. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** A request of the fast path: it arrived whole, with its body. */
export interface BriefRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly complete: true;
  /** There is no stream. */
  readonly readableFlowing: null;
}

export type JobRequest = IncomingMessage | BriefRequest;

export const isBrief = (request: JobRequest): request is BriefRequest => 'body' in request;

type Headers = Record<string, string | number>;

/** The part of ServerResponse that job routes use. */
export interface JobResponse {
  readonly req: { readonly url?: string | undefined };
  /** The connection is closed. */
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  /** `end` was called. */
  readonly writableEnded: boolean;
  /** The system has all of it. */
  readonly writableFinished: boolean;
  /** `finish`: the system has all of it. `close`: after that, or when the reader has gone. Each comes at most once. */
  on(event: 'finish' | 'close', listener: () => void): unknown;
  off(event: 'finish' | 'close', listener: () => void): unknown;
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, reason: string, headers?: Headers): unknown;
  writeHead(status: number, headers?: Headers): unknown;
  write(bytes: Uint8Array | string, done?: () => void): unknown;
  end(body?: Uint8Array | string): unknown;
  destroy(): unknown;
}

/** Node's own request and answer, for routes that need more of them. */
export interface NodeExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
