/**
 * The demand for workers: the queue of an endpoint, or the requests of a load-balancing one. The pool needs nothing
 * else.
 */
import type { WorkerProcess, WorkerTemplate } from './ports.ts';
import type { Worker } from '../jobs/workers/registry.ts';

export interface Demand {
  /** Waiting work that may start workers: without jobs of low priority and jobs that are set aside. */
  readonly queued: number;
  /** The wait of the oldest of it, milliseconds; 0 when nothing waits. */
  readonly oldestWaitMs: number;
  /** Work in progress, without work of low priority. */
  readonly inProgress: number;
  /** Work of low priority in progress. It starts no workers, but occupies workers while other work waits. */
  readonly lowInProgress: number;
}

/** The state of one worker. */
export interface WorkerLoad {
  /** The worker can accept work: it has requested a job, or its health check answered 200. */
  readonly ready: boolean;
  /** The worker was ready at least once. If it is not ready now, it is not starting. */
  readonly begun: boolean;
  /** The number of its current jobs or requests. */
  readonly busy: number;
  /** When it last had work, or was started, monotonic milliseconds. */
  readonly lastBusyElapsed: number;
}

/** One kind of endpoint, as the pool uses it. */
export interface WorkSource {
  /**
   * Called often: must be cheap. The caller reads the answer, and that of `load`, before the next call, because the
   * object is reused.
   */
  demand(endpointId: string): Demand;
  load(worker: Worker): WorkerLoad;
  /** The worker gets no new work from now on. */
  retire(worker: Worker): void;
  // Only for endpoints that manage their workers themselves:
  /** Called when the pool has started a worker. */
  started?(worker: Worker, process: WorkerProcess, template: WorkerTemplate): void;
  /** Called when a worker has ended. `reason`: for a person, without a full stop. */
  ended?(worker: Worker, reason: string): void;
  /** Called when the endpoint was deleted. */
  removeEndpoint?(endpointId: string): void;
}

/** A kind of endpoint whose workers do not request work: the engine observes them. */
export type WatchedSource = Required<WorkSource>;
