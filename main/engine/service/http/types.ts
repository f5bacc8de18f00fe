/** A request to a job path and its answer, as the job routes see them: Node's own, or brief ones, which cost less. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** A request that arrived whole, in one piece: its body is there. */
export interface BriefRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly complete: true;
  /** Nothing of it flows any more. */
  readonly readableFlowing: null;
}

export type JobRequest = IncomingMessage | BriefRequest;

export const isBrief = (request: JobRequest): request is BriefRequest => 'body' in request;

type Headers = Record<string, string | number>;

/** As much of a ServerResponse as job routes use. */
export interface JobResponse {
  readonly req: { readonly url?: string | undefined };
  /** Nobody reads what is written any more. */
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  /** Nothing more of it is to come. */
  readonly writableEnded: boolean;
  /** All of it was handed to the system. */
  readonly writableFinished: boolean;
  /** `finish`: all of it was handed to the system. `close`: that, or its reader has gone; each once, `close` last. */
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
