/**
 * Checks inputs in a thread of its own, with a time limit. A pattern such as `^(a+)+$` can take hours for a short text, and
 * nothing but the end of its thread stops it.
 */
import type { CheckAnswer, CheckRequest } from './inputFailures.ts';

/** `too-slow`: the time limit is over. `unavailable`: the thread could not be loaded. */
export type CheckOutcome = CheckAnswer | 'too-slow' | 'unavailable';

export interface CheckThread {
  /**
   * Checks an input. While one check runs, only the newest other one waits. Null: a newer check has replaced it, or the
   * thread was stopped. Never rejects.
   */
  check(request: CheckRequest): Promise<CheckOutcome | null>;
  /** Ends the thread. A later check starts another one. */
  stop(): void;
}

/** Longest time of one check, without the loading of the thread. */
const LIMIT_MS = 1000;

const startWorker = (): Worker => new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module' });

interface Check {
  readonly request: CheckRequest;
  readonly resolve: (outcome: CheckOutcome | null) => void;
}

/** `start`: starts `checkWorker.ts`; the first check calls it. */
export function createCheckThread(start: () => Worker = startWorker, limitMs = LIMIT_MS): CheckThread {
  let worker: Worker | null = null;
  /** Whether the worker is loaded. */
  let isReady = false;
  let running: Check | null = null;
  let waiting: Check | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function endWorker(): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
    isReady = false;
  }

  function finish(outcome: CheckOutcome): void {
    clearTimeout(timer);
    const done = running;
    running = null;
    done?.resolve(outcome);
    next();
  }

  function fail(outcome: 'too-slow' | 'unavailable'): void {
    endWorker();
    finish(outcome);
  }

  /** Sends the running check to a worker that is loaded. */
  function send(): void {
    if (worker === null || running === null) return;
    timer = setTimeout(() => fail('too-slow'), limitMs);
    worker.postMessage(running.request);
  }

  function startOne(): Worker {
    const started = start();
    started.addEventListener('message', ({ data }: MessageEvent<CheckAnswer | 'ready'>) => {
      if (started !== worker) return;
      if (data !== 'ready') finish(data);
      else {
        isReady = true;
        send();
      }
    });
    started.addEventListener('error', () => {
      if (started === worker) fail('unavailable');
    });
    return started;
  }

  function next(): void {
    if (running !== null || waiting === null) return;
    running = waiting;
    waiting = null;
    worker ??= startOne();
    if (isReady) send();
  }

  return {
    check: (request) =>
      new Promise((resolve) => {
        waiting?.resolve(null);
        waiting = { request, resolve };
        next();
      }),
    stop() {
      endWorker();
      running?.resolve(null);
      waiting?.resolve(null);
      running = null;
      waiting = null;
    },
  };
}
