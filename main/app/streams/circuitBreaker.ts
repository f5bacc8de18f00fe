/**
 * Whether an account, or one endpoint of it, can be asked at all. While it cannot, those who want to ask wait, and one of them at a
 * time is let through as a probe, ever later; when it works, all go on.
 */
import { AppError } from '#contract/core/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Wakeup } from './wakeup.ts';

export interface CircuitBreaker {
  /** Why it cannot be asked now; null when it can. */
  trouble(name: string): AppError | null;
  /** When the next one is let through, or was; null when it can be asked, or is not tried again. */
  nextTryAt(name: string): number | null;
  /** Calls the listener when it is known anew when something is tried again. Answers how to stop that. */
  onNextTry(listener: (name: string) => void): () => void;
  /** Settles when one may ask. Rejects with the refusal once it is certain, or with the signal's reason. */
  enter(name: string, signal: AbortSignal): Promise<void>;
  worked(name: string): void;
  failed(name: string, error: AppError): void;
  /** What was refused for certain may be tried again: its key works after all, or is another one. */
  forgive(accountId: string): void;
  stop(): void;
}

interface Gate {
  error: AppError;
  failures: number;
  refusals: number;
  nextTryAt: number | null;
  /** Null while a probe is under way, or may be. */
  cancelTimer: (() => void) | null;
  /** Whether the next one who comes is the probe. */
  open: boolean;
  waiting: Set<() => void>;
}

/** Pauses after a failed request; the last one repeats. A short restart of the engine is waited out in the directory already. */
const RETRY_MS = [200, 500, 1000, 2000, 5000, 10_000, 15_000];
/** However long a service asks to be left alone: it is asked again after this. */
const LONGEST_RETRY_MS = 60_000;
/** Up to so much is added by chance, so that those who failed together do not come back together. */
const JITTER = 0.25;
/** A key that was refused so often in a row is not a passing fault of the other side. */
const REFUSALS = 3;

/** How long to wait after so many failures in a row, and at least as long as the service has asked for. */
export function retryDelayMs(failures: number, error: AppError, random: () => number): number {
  const usualMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
  return Math.min(LONGEST_RETRY_MS, Math.max(usualMs, error.retryAfterMs ?? 0) * (1 + JITTER * random()));
}

export const isRefusal = ({ code }: AppError): boolean => code === 'UNAUTHORIZED' || code === 'FORBIDDEN';

export function createCircuitBreaker(clock: Clock, random: () => number, wakeup: Wakeup): CircuitBreaker {
  const gates = new Map<string, Gate>();
  const listeners = new Set<(name: string) => void>();

  /** Lets one waiter through; where none waits, the next caller. */
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
      // Those that were under way together fail together: that is one failure.
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
