/** Hands jobs to workers: a new job to a worker that waits, or a waiting job to a worker that asks. Nothing polls. */
import { resetFields } from './jobFields.ts';
import { isQuarantined, type Job } from './jobRecord.ts';
import type { ParkedWorker } from './queue/parkedWorkers.ts';
import type { JobEvent } from './stateMachine.ts';
import type { JobRegistry } from './jobRegistry.ts';
import type { Cancel, Clock } from '../core/ports.ts';
import type { JobStore } from './ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import { holdMsOf, type Worker, type WorkerRegistry } from './workers/registry.ts';

export interface ImmediateDispatch {
  /** Whether the worker begins while the commit is under way. */
  readonly early: boolean;
  written(): void;
  stored(error: unknown): void;
}

export interface Dispatcher {
  /**
   * Hands over up to `max` jobs, or parks the request until there is one. Calls `deliver` once, unless the returned
   * function withdraws the request before.
   */
  take(worker: Worker, max: number, deliver: (jobs: Job[]) => void): Cancel;
  /** As `take`, but answers at once: an empty list if no job waits. */
  takeNow(worker: Worker, max: number, deliver: (jobs: Job[]) => void): void;
  /**
   * Gives a new job to a parked worker; null if none is parked. The job never enters the queue, and is written once. Call
   * `written` when its write is under way, `stored` after the commit.
   */
  dispatchNow(job: Job): ImmediateDispatch | null;
  /** Hands waiting jobs to parked workers. */
  offer(endpointId: string): void;
  /**
   * Puts a job back into the queue by its age, without the results of its attempts. A job that has killed a process of
   * this engine goes behind a few others, because it may kill the next one, too. `event` must lead to the state
   * IN_QUEUE.
   */
  requeue(job: Job, event: JobEvent, settled: CommitCallback): void;
  /** Answers the parked requests of a worker with an empty list. */
  release(worker: Worker): void;
}

export interface DispatcherOptions {
  clock: Clock;
  store: JobStore;
  onDemand: (endpointId: string) => void;
  /**
   * Whether the workers of this endpoint may get jobs now. Without this function, all may. After a false answer, call
   * `offer` as soon as they may. It is called for each job, so it must be cheap.
   */
  mayTake?(endpointId: string): boolean;
  /** The price of a worker now, US dollars per hour; null if it is not billed. It is called for each job. */
  priceOf?(workerId: string): number | null;
}

/** Gives jobs to a worker, and writes that it has them. */
interface Assignments {
  /** Marks the job as taken, in memory only; the caller writes it. */
  assign(job: Job, worker: Worker): void;
  takeNow: Dispatcher['takeNow'];
}

const isAssigned = (job: Job, worker: Worker): boolean =>
  job.status === 'IN_PROGRESS' && job.workerId === worker.id && !job.removed;

function createAssignments({ clock, store, onDemand, priceOf }: DispatcherOptions, registry: JobRegistry): Assignments {
  function assign(job: Job, worker: Worker): void {
    const now = clock.now();
    registry.apply(job, 'take');
    job.workerId = worker.id;
    job.ownWorker = worker.own;
    job.workerStartedAt = worker.startedAt;
    job.pricePerHour = priceOf?.(worker.id) ?? null;
    job.startedAt = now;
    job.startedElapsed = clock.elapsed();
    job.delayTime = Math.max(0, now - job.queuedAt);
    worker.jobs.add(job);
    worker.lastBusyElapsed = job.startedElapsed;
    registry.schedule(job);
  }

  function takeNow(worker: Worker, max: number, deliver: (jobs: Job[]) => void): void {
    const queue = registry.queueOf(worker.endpointId);
    const taken: Job[] = [];
    while (taken.length < max && !worker.retired) {
      const job = queue.shift();
      if (job === undefined) break;
      assign(job, worker);
      taken.push(job);
    }
    let open = taken.length;
    if (open === 0) {
      deliver([]);
      return;
    }
    const handOne = (): void => {
      // A job that was cancelled before its worker heard of it is no longer handed over.
      if (--open === 0) deliver(taken.filter((one) => isAssigned(one, worker)));
    };
    for (const job of taken) {
      if (worker.own && !registry.isOfEarlierRun(job)) {
        // This worker ends together with the engine, and the job is then queued again, whatever its row says. So the
        // worker need not wait for this write. If the job ends soon, only its end is written.
        store.updateLater(job, registry.logged(job, 'who has it'));
        queueMicrotask(handOne);
      } else store.update(job, registry.trackWrite(job, handOne));
    }
    onDemand(worker.endpointId);
  }

  return { assign, takeNow };
}

/** `offer`: hands jobs that wait to parked workers. */
function createRequeue(
  { clock, store }: DispatcherOptions,
  registry: JobRegistry,
  offer: (endpointId: string) => void,
): Dispatcher['requeue'] {
  return (job, event, settled) => {
    const queue = registry.queueOf(job.endpointId);
    const suspectedCrasher = event === 'lost' && job.ownWorker && job.lost > 0;
    const attempt = job.retries;
    registry.workerOf(job)?.jobs.delete(job);
    registry.apply(job, event);
    // An answer that never arrived was no attempt: the job has waited all along.
    if (event !== 'giveBack') {
      job.queuedAt = clock.now();
      job.retries++;
      queue.counters.retried++;
    }
    Object.assign(job, resetFields);
    job.output = null;
    const { chunks } = job;
    job.chunks = null;
    registry.schedule(job);
    if (isQuarantined(job)) queue.quarantine(job);
    else if (suspectedCrasher) queue.deprioritize(job);
    else queue.putBack(job);
    const stored = registry.trackWrite(job, (error) => {
      // If an earlier write failed as well, the job already has the chunks of an earlier attempt back.
      if (error && job.retries === attempt) job.chunks = chunks;
      settled(error);
    });
    store.restart(job, chunks, stored);
    offer(job.endpointId);
  };
}

export function createDispatcher(
  options: DispatcherOptions,
  registry: JobRegistry,
  workers: WorkerRegistry,
): Dispatcher {
  const { clock, onDemand, mayTake = () => true } = options;
  const { assign, takeNow } = createAssignments(options, registry);

  /** The next worker that waits and still may work. */
  function nextTaker(endpointId: string): { taker: ParkedWorker; worker: Worker } | null {
    const queue = registry.queueOf(endpointId);
    for (let taker = queue.nextParkedWorker(); taker; taker = queue.nextParkedWorker()) {
      const worker = workers.get(taker.workerId);
      if (worker && !worker.retired) return { taker, worker };
      taker.deliver([]);
    }
    return null;
  }

  function offer(endpointId: string): void {
    const queue = registry.queueOf(endpointId);
    while (queue.counters.inQueue > queue.counters.quarantined && mayTake(endpointId)) {
      const next = nextTaker(endpointId);
      if (!next) break;
      takeNow(next.worker, next.taker.max, (jobs) => next.taker.deliver(jobs));
    }
    onDemand(endpointId);
  }

  return {
    takeNow(worker, max, deliver) {
      if (mayTake(worker.endpointId)) takeNow(worker, max, deliver);
      else deliver([]);
    },
    offer,
    requeue: createRequeue(options, registry, offer),
    take(worker, max, deliver) {
      if (!worker.asked) {
        worker.asked = true;
        // The worker was starting until now, so its idle time begins now.
        worker.lastBusyElapsed = clock.elapsed();
      }
      const queue = registry.queueOf(worker.endpointId);
      const hasJobs = queue.counters.inQueue > queue.counters.quarantined;
      if (hasJobs && !worker.retired && mayTake(worker.endpointId)) {
        takeNow(worker, max, deliver);
        return () => undefined;
      }
      const taker: ParkedWorker = {
        workerId: worker.id,
        max,
        deliver: (jobs) => {
          timeUp();
          deliver(jobs);
        },
      };
      const timeUp = clock.after(holdMsOf(worker), () => {
        queue.unpark(taker);
        deliver([]);
      });
      // A retired worker waits for its end, not for jobs.
      if (!worker.retired) queue.park(taker);
      onDemand(worker.endpointId);
      return () => {
        timeUp();
        queue.unpark(taker);
      };
    },
    dispatchNow(job) {
      const next = mayTake(job.endpointId) ? nextTaker(job.endpointId) : null;
      if (!next) return null;
      assign(job, next.worker);
      const { taker, worker } = next;
      const deliver = (): void => taker.deliver(isAssigned(job, worker) ? [job] : []);
      return {
        // If the commit fails, the client gets an error. If the engine dies, its own processes end with it.
        early: worker.own,
        written: () => {
          if (worker.own) deliver();
        },
        stored: (error) => {
          if (worker.own) return;
          if (error) taker.deliver([]);
          else deliver();
        },
      };
    },
    release(worker) {
      const queue = registry.queueOf(worker.endpointId);
      for (const taker of [...queue.parkedWorkers()]) {
        if (taker.workerId !== worker.id) continue;
        queue.unpark(taker);
        taker.deliver([]);
      }
    },
  };
}
