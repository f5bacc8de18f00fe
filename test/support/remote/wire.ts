/** One request at the fake of the remote service, and what is answered to it. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The three hosts that the service has: jobs; REST v1; REST v2 with GraphQL. */
export type RemoteHost = 'jobs' | 'rest1' | 'api';
export type RemoteArea = 'jobs' | 'rest1' | 'rest2' | 'graphql';

export interface RemoteCall {
  readonly area: RemoteArea;
  readonly method: string;
  /** Decoded, behind the version. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The body as JSON; a Refusal with 400 where it is none. */
  json(): Record<string, unknown>;
  /** Fires when the client goes or the service stops. */
  readonly gone: AbortSignal;
  /** For answers that do not end by themselves. */
  readonly response: ServerResponse;
}

export interface Reply {
  readonly status: number;
  readonly json?: unknown;
  /** In place of `json`: sent as it is. */
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by whatever cannot be done; each area has its own words around it. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** REST v2 lists what is wrong beside `detail`. */
  readonly errors: readonly string[] | null;

  constructor(
    status: number,
    message: string,
    { headers = {}, errors = null }: { headers?: Record<string, string>; errors?: string[] | null } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.errors = errors;
  }
}

export const ok = (json: unknown): Reply => ({ status: 200, json });
export const noContent: Reply = { status: 204 };
export const notFound = (what: string): Refusal => new Refusal(404, `${what} not found`);

export function parseBody(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text === '' ? '{}' : text);
  } catch {
    throw new Refusal(400, 'request body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'request body must be a JSON object');
  }
  return value as Record<string, unknown>;
}

/** What a map holds under an id, or the refusal that says it holds nothing. */
export function recordOf<T>(records: ReadonlyMap<string, T>, id: string | undefined, what: string): T {
  const record = records.get(id ?? '');
  if (record === undefined) throw notFound(what);
  return record;
}
