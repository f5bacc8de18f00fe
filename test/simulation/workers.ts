/** Workers of the simulation: what each believes to have in its hands, which is not always what the engine believes. */
import type { Random } from '../support/core/random.ts';

export interface Hand {
  readonly jobId: string;
  /** How often the job had been queued again when it was handed over: tells attempts apart. */
  readonly attempt: number;
  chunksSent: number;
}

export interface SimWorker {
  readonly id: string;
  readonly own: boolean;
  readonly hands: Map<string, Hand>;
  parked: boolean;
}

const SOME = 3;

export function createSimWorkers(random: Random) {
  let count = 0;
  const workers: SimWorker[] = [];
  return {
    all: workers,
    /** Adds a worker where there is room for one, and answers one in any case. */
    any(): SimWorker {
      if (workers.length < SOME && (workers.length === 0 || random.below(4) === 0)) {
        const own = random.below(2) === 0;
        workers.push({ id: `${own ? 'own' : 'outside'}-${++count}`, own, hands: new Map(), parked: false });
      }
      return workers[random.below(workers.length)]!;
    },
    remove(worker: SimWorker): void {
      workers.splice(workers.indexOf(worker), 1);
    },
    /** The engine is gone: its own workers with it, the others know nothing of that. */
    engineGone(): void {
      for (const worker of [...workers]) {
        worker.parked = false;
        if (worker.own) workers.splice(workers.indexOf(worker), 1);
      }
    },
  };
}
