/** What calls for workers: the queue of an endpoint, or the requests of a load-balancing one. The pool asks for no more than this. */
import type { WorkerProcess, WorkerTemplate } from './ports.ts';
import type { Worker } from '../jobs/workerRegistry.ts';

export interface Demand {
  /** Work that waits and may call for workers: no jobs of low priority, none that are set aside. */
  readonly queued: number;
  /** How long the oldest of it has waited, milliseconds; 0 when nothing waits. */
  readonly oldestWaitMs: number;
  /** Work that is being done, without that of low priority. */
  readonly inProgress: number;
  /** Work of low priority that is being done: it calls for nobody, and takes up room beside work that waits. */
  readonly lowInProgress: number;
}

/** How one worker stands. */
export interface WorkerLoad {
  /** Up, and able to take work: it has asked for a job, or its health check answered 200. */
  readonly ready: boolean;
  /** It has been ready before: if it is not now, it is not starting. */
  readonly begun: boolean;
  /** Jobs or requests it is at. */
  readonly busy: number;
  /** When it last had something to do, or was started, on the clock that never runs backwards. */
  readonly lastBusyElapsed: number;
}

/** One kind of endpoint, as the pool sees it. */
export interface WorkSource {
  /** Asked often: must be cheap. Its answer, and that of `load`, is read before the next is asked for. */
  demand(endpointId: string): Demand;
  load(worker: Worker): WorkerLoad;
  /** Gets nothing new from now on. */
  retire(worker: Worker): void;
  // Of those that look after their workers themselves:
  /** The pool has started a worker. */
  started?(worker: Worker, process: WorkerProcess, template: WorkerTemplate): void;
  /** The worker has ended. `reason` is for a person, without a full stop. */
  ended?(worker: Worker, reason: string): void;
  /** The endpoint was deleted. */
  removeEndpoint?(endpointId: string): void;
}

/** A kind of endpoint whose workers do not ask for work: they are looked after from here. */
export type WatchedSource = Required<WorkSource>;
