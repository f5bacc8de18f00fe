/** Reports each sent request to a listener that the call context carries, without a parameter in every signature. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** One request and its answer. */
export interface SentRequest {
  /** When it was sent. */
  at: number;
  method: string;
  /** Path and query, without what may be secret in them. */
  path: string;
  /** Null when no answer came. */
  status: number | null;
  tookMs: number;
  /** Why none came, for a person. */
  error: string | null;
  /** What the other side still allows, where it tells: so many requests, until so many milliseconds from now. */
  allowance: { remaining: number; resetMs: number } | null;
}

const listeners = new AsyncLocalStorage<(request: SentRequest) => void>();

/** Runs `work`, and calls `listener` for each request that it sends. */
export const observeRequests = <T>(listener: (request: SentRequest) => void, work: () => Promise<T>): Promise<T> =>
  listeners.run(listener, work);

/** Called by what sends requests, after each. */
export const requestSent = (request: SentRequest): void => listeners.getStore()?.(request);
