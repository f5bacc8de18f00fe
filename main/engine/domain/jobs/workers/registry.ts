/** The workers that take jobs: who has which job, who has gone silent, and who must stop which job. */
import { limits } from '#contract/core/limits.ts';
import type { Job } from '../jobRecord.ts';
import type { Cancel, Clock } from '../../core/ports.ts';

/**
 * A ping that comes this long after an answer or a request to stop was sent after it, milliseconds. An earlier one may
 * have crossed it, and says nothing about it.
 */
export const PINGS_APART_MS = limits.workerPingMs / 2;

interface StopRequest {
  /** Monotonic milliseconds. */
  readonly since: number;
  /** Whether the worker was told. */
  delivered: boolean;
  /** Ends the timer after which the worker is replaced. */
  readonly overdue: Cancel;
}

export interface Worker {
  readonly id: string;
  readonly endpointId: string;
  /** A process of this engine. Its end is seen at once; any other worker is lost when it stays silent. */
  readonly own: boolean;
  readonly jobs: Set<Job>;
  lastSeenElapsed: number;
  /** When it last got or ended a job, or started. */
  lastBusyElapsed: number;
  /** The job it ended last. */
  lastJobId: string | null;
  /** Wall clock; null for a worker that is not ours. */
  readonly startedAt: number | null;
  /** Whether it has ever asked for a job: before that it is still starting. */
  asked: boolean;
  /** The version of the public SDK, where its loop is what asks; null for any other. */
  publicSdk: string | null;
  /** Jobs, or requests, that it ended. */
  finished: number;
  /** Jobs of which it is sending something right now. */
  readonly posting: Set<string>;
  /** Handed no further jobs: it is about to be stopped. */
  retired: boolean;
  /** Jobs that it must stop, by id. */
  readonly stopping: Map<string, StopRequest>;
  /** Answers its parked request for jobs to stop; null if none is parked. */
  stopPoll: ((jobIds: string[]) => void) | null;
}

/**
 * For how long lines of a worker still belong to the job that it ended last, milliseconds: its pipe is read later than
 * the result.
 */
const LAST_WORDS_MS = 1000;

export interface WorkerRegistryOptions {
  clock: Clock;
  /** A worker that is not a process of ours has been silent too long. */
  onSilent(worker: Worker): void;
  /** A worker did not stop a job in time. */
  onStopOverdue(worker: Worker, jobId: string): void;
}

export interface WorkerRegistry {
  get(id: string): Worker | undefined;
  /** Returns the worker and notes that it was seen now. Adds an unknown worker: a caller with a key may be a worker. */
  touch(id: string, endpointId: string): Worker;
  /** Adds a process of this engine. */
  addOwn(id: string, endpointId: string): Worker;
  forget(id: string): void;
  /** Tells it to stop a job, now if it listens, otherwise as soon as it asks. */
  requestStop(worker: Worker, jobId: string): void;
  /** Answers a request for jobs to stop, at once if there are any. The returned function withdraws the request. */
  awaitStop(worker: Worker, answer: (jobIds: string[]) => void): Cancel;
  /** Answers its parked request for jobs to stop with an empty list. */
  releaseStop(worker: Worker): void;
  /** The worker has stopped a job; null: all jobs. */
  ackStop(worker: Worker, jobId: string | null): void;
  of(endpointId: string): Worker[];
  /** The ids of the jobs to which a line that the worker writes now may belong. */
  activeJobIds(id: string): string[];
  /** A process of ours asks with the loop of the public SDK of this version, or with another one. */
  recordSdk(worker: Worker, publicSdk: string | null): void;
  /** The version that the last process of an endpoint asked with, also after its end; null for another loop. */
  publicSdkOf(endpointId: string): string | null;
  forgetEndpoint(endpointId: string): void;
  stop(): void;
}

/** How long an ask of this worker is held while there is nothing to answer. */
export const holdMsOf = ({ retired }: Worker): number => (retired ? limits.retiredHoldMs : limits.takeHoldMs);

/**
 * Reports workers of other machines that stay silent. One timer serves all: it is set for the one that is silent
 * longest.
 */
function createSilenceWatch(clock: Clock, workers: ReadonlyMap<string, Worker>, onSilent: (worker: Worker) => void) {
  let timer: Cancel | null = null;

  function onDue(): void {
    timer = null;
    const limit = clock.elapsed() - limits.workerSilenceMs;
    for (const worker of [...workers.values()]) {
      if (worker.own || worker.lastSeenElapsed > limit) continue;
      onSilent(worker);
    }
    arm();
  }

  function arm(): void {
    if (timer) return;
    let earliest = Infinity;
    for (const worker of workers.values()) if (!worker.own) earliest = Math.min(earliest, worker.lastSeenElapsed);
    if (earliest === Infinity) return;
    timer = clock.after(Math.max(1, earliest + limits.workerSilenceMs - clock.elapsed()), onDue);
  }

  return {
    /** To be called when a worker of another machine was added. */
    arm,
    stop: () => timer?.(),
  };
}

export function createWorkerRegistry({ clock, onSilent, onStopOverdue }: WorkerRegistryOptions): WorkerRegistry {
  const workers = new Map<string, Worker>();
  /** By endpoint; only those whose workers ask with the public SDK. */
  const publicSdks = new Map<string, string>();
  const silence = createSilenceWatch(clock, workers, onSilent);

  function add(id: string, endpointId: string, own: boolean): Worker {
    const worker: Worker = {
      id,
      endpointId,
      own,
      jobs: new Set(),
      lastSeenElapsed: clock.elapsed(),
      lastBusyElapsed: clock.elapsed(),
      lastJobId: null,
      startedAt: own ? clock.now() : null,
      asked: false,
      publicSdk: null,
      finished: 0,
      posting: new Set(),
      retired: false,
      stopping: new Map(),
      stopPoll: null,
    };
    workers.set(id, worker);
    if (!own) silence.arm();
    return worker;
  }

  return {
    get: (id) => workers.get(id),
    touch(id, endpointId) {
      const worker = workers.get(id);
      if (!worker) return add(id, endpointId, false);
      worker.lastSeenElapsed = clock.elapsed();
      return worker;
    },
    addOwn: (id, endpointId) => add(id, endpointId, true),
    forget(id) {
      const worker = workers.get(id);
      if (!worker) return;
      workers.delete(id);
      for (const { overdue } of worker.stopping.values()) overdue();
      worker.stopPoll?.([]);
    },
    requestStop(worker, jobId) {
      if (worker.stopping.has(jobId)) return;
      // A worker with more jobs does not ask again after it has stopped this one. Only a ping tells that it has: the
      // first one that was sent after this request.
      const pingMs = PINGS_APART_MS + limits.workerPingMs;
      const graceMs = limits.workerGraceMs + (worker.jobs.size > 1 ? pingMs : 0);
      const overdue = clock.after(graceMs, () => {
        worker.stopping.delete(jobId);
        onStopOverdue(worker, jobId);
      });
      worker.stopping.set(jobId, { since: clock.elapsed(), delivered: worker.stopPoll !== null, overdue });
      worker.stopPoll?.([jobId]);
    },
    awaitStop(worker, answer) {
      const untold = [...worker.stopping].filter(([, stop]) => !stop.delivered);
      if (untold.length > 0) {
        for (const [, stop] of untold) stop.delivered = true;
        answer(untold.map(([jobId]) => jobId));
        return () => undefined;
      }
      const once = (jobIds: string[]): void => {
        if (worker.stopPoll === once) worker.stopPoll = null;
        answer(jobIds);
      };
      worker.stopPoll?.([]);
      worker.stopPoll = once;
      return () => {
        if (worker.stopPoll === once) worker.stopPoll = null;
      };
    },
    releaseStop: (worker) => worker.stopPoll?.([]),
    ackStop(worker, jobId) {
      if (worker.stopping.size === 0) return;
      for (const [id, { overdue }] of worker.stopping) {
        if (jobId !== null && id !== jobId) continue;
        overdue();
        worker.stopping.delete(id);
      }
    },
    of: (endpointId) => [...workers.values()].filter((worker) => worker.endpointId === endpointId),
    activeJobIds(id) {
      const worker = workers.get(id);
      if (!worker) return [];
      const { jobs, lastJobId, lastBusyElapsed } = worker;
      if (jobs.size > 0 || lastJobId === null) return [...jobs].map((job) => job.id);
      return clock.elapsed() - lastBusyElapsed < LAST_WORDS_MS ? [lastJobId] : [];
    },
    recordSdk(worker, publicSdk) {
      worker.publicSdk = publicSdk;
      if (!worker.own) return;
      if (publicSdk === null) publicSdks.delete(worker.endpointId);
      else publicSdks.set(worker.endpointId, publicSdk);
    },
    publicSdkOf: (endpointId) => publicSdks.get(endpointId) ?? null,
    forgetEndpoint: (endpointId) => void publicSdks.delete(endpointId),
    stop() {
      silence.stop();
      for (const worker of workers.values()) for (const { overdue } of worker.stopping.values()) overdue();
      workers.clear();
    },
  };
}
