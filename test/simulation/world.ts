/**
 * The engine of a simulation with what surrounds it: clock, disk, workers, and the model that it must not contradict.
 */
import { AppError } from '#contract/core/errors.ts';
import type { Job } from '../../main/engine/domain/jobs/jobRecord.ts';
import type { Jobs } from '../../main/engine/domain/jobs/jobs.ts';
import { createLoadedJobs } from '../support/jobs/loadedJobs.ts';
import { createFakeClock, createFakeIds, createFakeJobStore } from '../support/core/fakes.ts';
import { createRandom } from '../support/core/random.ts';
import { expectConsistent } from './consistency.ts';
import { createModel, type Known } from './model.ts';
import { createSimWorkers, type SimWorker } from './workers.ts';

export const ENDPOINT = 'ep';

export type World = ReturnType<typeof createWorld>;

/** Runs an action. A refusal is a valid answer and is returned; any other error is a fault and is thrown. */
export function refused(act: () => void): AppError | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INTERNAL') return error;
    throw error;
  }
}

/** Everything random comes from `seed`. */
export function createWorld(seed: number) {
  const random = createRandom(seed);
  const oneOf = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const clock = createFakeClock();
  const ids = createFakeIds();
  const model = createModel();
  const workers = createSimWorkers(random);
  /** Rows that are to be removed as soon as that can be stored, even if the clock is set back meanwhile. */
  const overdue = new Set<number>();
  let store = createFakeJobStore();
  let jobs = start();
  let wasTroubled = false;

  function start(): Jobs {
    return createLoadedJobs({
      clock,
      ids,
      store,
      onRecycle(workerId) {
        const worker = workers.all.find(({ id }) => id === workerId);
        if (worker) die(worker, false);
      },
    });
  }

  const randomJob = (): { known: Known; job: Job } | null => {
    const list = [...model.known.values()];
    if (list.length === 0) return null;
    const known = oneOf(list);
    const job = jobs.get(known.id);
    return job ? { known, job } : null;
  };

  const registered = (worker: SimWorker) =>
    worker.own
      ? (jobs.workers.get(worker.id) ?? jobs.workers.addOwn(worker.id, ENDPOINT))
      : jobs.workers.touch(worker.id, ENDPOINT);

  function die(worker: SimWorker, counts: boolean): void {
    workers.remove(worker);
    const known = jobs.workers.get(worker.id);
    if (known) jobs.workerGone(known, 'it died', counts ? 'worker' : 'nobody');
  }

  function commitAll(): void {
    while (store.waiting() > 0) store.commit();
  }

  function crash(): void {
    store.crash(random.below(store.waiting() + 1));
    jobs.stop();
    workers.engineGone();
    store = createFakeJobStore(store);
    model.restarted(store.rows.values());
    wasTroubled = true;
    jobs = start();
    clock.advance(0);
  }

  async function settle(): Promise<void> {
    do {
      commitAll();
      for (let i = 0; i < 3; i++) await Promise.resolve();
    } while (store.waiting() > 0);
  }

  /** With nothing left to commit. */
  function check(): void {
    // Time passes in the engine only with its timers: what is due now is due.
    clock.advance(0);
    commitAll();
    expectConsistent({ jobs, rows: store.rows, clock, overdue, endpointId: ENDPOINT });
    model.check(
      clock,
      (id) => jobs.get(id),
      (job) => jobs.output(job),
    );
  }

  /** A commit that fails, as on a full disk. */
  async function failCommit(): Promise<void> {
    store.commit(new Error('the disk is full'));
    wasTroubled = true;
    await settle();
    // What could not be stored and must be, is stored a moment later.
    clock.advance(1000);
  }

  return {
    random,
    oneOf,
    clock,
    model,
    workers,
    get jobs(): Jobs {
      return jobs;
    },
    /** Whether a crash or a full disk may have taken chunks that were not acknowledged. */
    get wasTroubled(): boolean {
      return wasTroubled;
    },
    randomJob,
    registered,
    die,
    commit: () => store.commit(),
    commitAll,
    failCommit,
    crash,
    settle,
    check,
    stop: () => jobs.stop(),
  };
}
