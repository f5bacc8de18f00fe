/** Reports each request to a listener in the call context, so that no signature needs a parameter for it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** One request and its answer. */
export interface SentRequest {
  /** When the request was sent, in milliseconds since the epoch. */
  at: number;
  method: string;
  /** Path and query, without secrets. */
  path: string;
  /** The HTTP status; null if no answer came. */
  status: number | null;
  tookMs: number;
  /** Why no answer came, for a person. */
  error: string | null;
  /** The remaining quota, if the other side reports it: `remaining` requests in the next `resetMs` milliseconds. */
  allowance: { remaining: number; resetMs: number } | null;
}

const listeners = new AsyncLocalStorage<(request: SentRequest) => void>();

/** Runs `work`, and calls `listener` for each request that it sends. */
export const observeRequests = <T>(listener: (request: SentRequest) => void, work: () => Promise<T>): Promise<T> =>
  listeners.run(listener, work);

/** Called after each request by its sender. */
export const requestSent = (request: SentRequest): void => listeners.getStore()?.(request);
