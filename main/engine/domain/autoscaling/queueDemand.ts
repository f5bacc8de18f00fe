/** The demand of an endpoint with a queue: its jobs. */
import type { Demand, WorkerLoad, WorkSource } from './demand.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../core/ports.ts';

/** Each answer is valid until the next call, because the object is reused: the pool calls this after every job. */
export function createQueueDemand(jobs: Pick<Jobs, 'queueOf' | 'retire'>, clock: Clock): WorkSource {
  const demand: { -readonly [K in keyof Demand]: Demand[K] } = {
    queued: 0,
    oldestWaitMs: 0,
    inProgress: 0,
    lowInProgress: 0,
  };
  const load: { -readonly [K in keyof WorkerLoad]: WorkerLoad[K] } = {
    ready: false,
    begun: false,
    busy: 0,
    lastBusyElapsed: 0,
  };
  return {
    demand(endpointId) {
      const queue = jobs.queueOf(endpointId);
      const { calling, inProgress, lowInProgress } = queue.counters;
      demand.queued = calling;
      const oldest = demand.queued > 0 ? queue.firstCalling() : undefined;
      demand.oldestWaitMs = oldest ? Math.max(0, clock.now() - oldest.queuedAt) : 0;
      demand.inProgress = inProgress - lowInProgress;
      demand.lowInProgress = lowInProgress;
      return demand;
    },
    load(worker) {
      load.busy = worker.jobs.size;
      load.ready = worker.asked;
      load.begun = worker.asked;
      load.lastBusyElapsed = worker.lastBusyElapsed;
      return load;
    },
    retire: (worker) => jobs.retire(worker),
  };
}
