/**
 * A circuit breaker for each account and each endpoint. While one is open, callers wait, and one at a time passes as a
 * probe, with increasing delays. After a successful probe, all continue.
 */
import { AppError } from '#contract/core/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Wakeup } from './wakeup.ts';

export interface CircuitBreaker {
  /** Why it is not reachable now; null if it is. */
  trouble(name: string): AppError | null;
  /**
   * When the next probe passes, or passed, in milliseconds since the epoch; null if it is reachable, or if there is no
   * other try.
   */
  nextTryAt(name: string): number | null;
  /** Calls the listener when the time of the next try changes. Returns a function that unsubscribes. */
  onNextTry(listener: (name: string) => void): () => void;
  /**
   * Resolves when the caller may send a request. Rejects with the refusal once it is certain, or with the signal's
   * reason.
   */
  enter(name: string, signal: AbortSignal): Promise<void>;
  worked(name: string): void;
  failed(name: string, error: AppError): void;
  /** Allows requests again after a certain refusal: the key works after all, or was replaced. */
  forgive(accountId: string): void;
  stop(): void;
}

interface Gate {
  error: AppError;
  failures: number;
  refusals: number;
  nextTryAt: number | null;
  /** Null while a probe is running or allowed. */
  cancelTimer: (() => void) | null;
  /** Whether the next caller is the probe. */
  open: boolean;
  waiting: Set<() => void>;
}

/**
 * Delays after failed requests; the last one repeats. The directory already waits for a short restart of the engine.
 */
const RETRY_MS = [200, 500, 1000, 2000, 5000, 10_000, 15_000];
/** The longest delay, even if a service requests a longer one. */
const LONGEST_RETRY_MS = 60_000;
/** The share of a random addition to each delay, so that callers that failed together do not retry together. */
const JITTER = 0.25;
/** After this many refusals in a row, the refusal of a key is certain. */
const REFUSALS = 3;

/** The delay after this many failures in a row, and at least as long as the service requested. */
export function retryDelayMs(failures: number, error: AppError, random: () => number): number {
  const usualMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
  return Math.min(LONGEST_RETRY_MS, Math.max(usualMs, error.retryAfterMs ?? 0) * (1 + JITTER * random()));
}

export const isRefusal = ({ code }: AppError): boolean => code === 'UNAUTHORIZED' || code === 'FORBIDDEN';

export function createCircuitBreaker(clock: Clock, random: () => number, wakeup: Wakeup): CircuitBreaker {
  const gates = new Map<string, Gate>();
  const listeners = new Set<(name: string) => void>();

  /** Lets one waiter pass; if nobody waits, the next caller. */
  function letOneThrough(gate: Gate): void {
    gate.cancelTimer?.();
    gate.cancelTimer = null;
    gate.open = true;
    const [first] = gate.waiting;
    first?.();
  }
  const isCertain = ({ refusals }: Gate): boolean => refusals >= REFUSALS;
  const stopWaking = wakeup.on(() => {
    for (const gate of gates.values()) {
      if (gate.cancelTimer === null) continue;
      gate.failures = 0;
      letOneThrough(gate);
    }
  });

  function release(name: string): void {
    const gate = gates.get(name);
    if (!gate) return;
    gate.cancelTimer?.();
    gates.delete(name);
    for (const go of [...gate.waiting]) go();
  }

  return {
    trouble: (name) => gates.get(name)?.error ?? null,
    nextTryAt: (name) => gates.get(name)?.nextTryAt ?? null,
    onNextTry(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async enter(name, signal) {
      for (;;) {
        signal.throwIfAborted();
        const gate = gates.get(name);
        if (!gate) return;
        if (isCertain(gate)) throw gate.error;
        if (gate.open) {
          gate.open = false;
          return;
        }
        await new Promise<void>((resolve) => {
          const go = (): void => {
            gate.waiting.delete(go);
            signal.removeEventListener('abort', go);
            resolve();
          };
          gate.waiting.add(go);
          signal.addEventListener('abort', go);
        });
      }
    },
    worked: release,
    failed(name, error) {
      const gate: Gate = gates.get(name) ?? {
        error,
        failures: 0,
        refusals: 0,
        nextTryAt: null,
        cancelTimer: null,
        open: false,
        waiting: new Set(),
      };
      gates.set(name, gate);
      // Concurrent requests fail together: they count as one failure.
      if (gate.cancelTimer !== null) return;
      gate.error = error;
      gate.open = false;
      gate.refusals = isRefusal(error) ? gate.refusals + 1 : 0;
      if (isCertain(gate)) {
        gate.nextTryAt = null;
        for (const go of [...gate.waiting]) go();
        return;
      }
      const delayMs = retryDelayMs(gate.failures, error, random);
      gate.nextTryAt = clock.now() + delayMs;
      gate.cancelTimer = clock.after(delayMs, () => letOneThrough(gate));
      gate.failures += 1;
      for (const listener of listeners) listener(name);
    },
    forgive(accountId) {
      for (const [name, gate] of [...gates]) {
        if (isCertain(gate) && (name === accountId || name.startsWith(`${accountId}/`))) release(name);
      }
    },
    stop() {
      stopWaking();
      for (const gate of gates.values()) gate.cancelTimer?.();
      gates.clear();
    },
  };
}
