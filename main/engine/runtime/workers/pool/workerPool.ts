/** Starts workers on demand, stops idle ones, replaces outdated ones, and delays the start of those that keep dying. */
import type { EndpointReadiness, Waiting, WorkerRecord } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { WorkSource } from '../../../domain/autoscaling/demand.ts';
import type { Endpoints } from '../../../domain/resources/endpoints.ts';
import type { Job } from '../../../domain/jobs/jobRecord.ts';
import type { Pausing } from '../../../domain/pausing/pausing.ts';
import type { Templates } from '../../../domain/resources/templates.ts';
import type { NeedsOf } from '../../../domain/autoscaling/workerSpec.ts';
import { createEndpointGroups } from './endpointGroups.ts';
import { createGpuQueue } from './gpuQueue.ts';
import { retryGpu, troubleOf } from './endpointWorkers.ts';
import { createWorkerLifecycle, type WorkerLifecycleOptions } from './lifecycle.ts';
import {
  countWorkers,
  blockerOf,
  recordOf,
  whyWaiting,
  type EndpointDiagnosis,
  type WorkerCounts,
} from './diagnostics.ts';
import { createReconciler } from './reconciler.ts';
import { createWorkerStarts } from './workerStarts.ts';

export interface WorkerPool {
  /** Reconciles the endpoint soon: starts missing workers and replaces outdated ones. Cheap, and called often. */
  poke(endpointId: string): void;
  /** Gives no new work to workers of a queue that run older files, from now on; others are started for the work. */
  retireOutdated(endpointId: string): void;
  /** Stops the worker within `graceMs` milliseconds; its jobs are queued again. */
  recycle(workerId: string, reason: string, graceMs: number): void;
  /** Stops an unusable worker. It counts as a death: the next start is delayed. */
  markUnhealthy(workerId: string, reason: string): void;
  counts(endpointId: string): WorkerCounts;
  records(): Promise<WorkerRecord[]>;
  /** The current workers, and whether each has work now. */
  present(): { id: string; pid: number | null; busy: boolean }[];
  /** Why a queued job waits. */
  waiting(job: Job): Waiting;
  /** The same without the jobs before it: cheap for a queue of any length. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
  /** Why its workers cannot get a GPU here, and how its last workers died. */
  diagnose(endpointId: string): { refused: string | null; trouble: EndpointReadiness['trouble'] };
  /** The reason why the endpoint has no workers, for a person; null without a known reason. */
  blocker(endpointId: string): string | null;
  /** Removes a deleted endpoint and stops its workers. */
  removeEndpoint(endpointId: string): void;
  /** Lets workers finish within their grace time, then kills them. */
  stop(): Promise<void>;
}

export interface WorkerPoolOptions extends WorkerLifecycleOptions {
  endpoints: Endpoints;
  templates: Templates;
  pausing: Pick<Pausing, 'state' | 'onChange'>;
  needsOf: NeedsOf;
  /** The source of the demand for workers of this endpoint. */
  sourceOf(endpoint: Endpoint): WorkSource;
  /**
   * The workers of an endpoint were checked, because something about it changed, or one of them is at another step of
   * its start. Called often: must be cheap.
   */
  onReconciled?(endpointId: string): void;
}

/** Calls `reconcile` once in the next turn of the event loop for each endpoint that was poked in this one. */
function createPokes(reconcile: (endpointId: string) => void): { poke(endpointId: string): void; stop(): void } {
  const poked = new Set<string>();
  let stopped = false;
  return {
    poke(endpointId) {
      if (stopped) return;
      if (poked.size === 0) {
        setImmediate(() => {
          const ids = [...poked];
          poked.clear();
          for (const id of ids) if (!stopped) reconcile(id);
        });
      }
      poked.add(endpointId);
    },
    stop() {
      stopped = true;
    },
  };
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { clock, jobs, endpoints, gpus, pausing } = options;
  const pokes = createPokes((endpointId) => {
    reconciler.reconcile(endpointId);
    options.onReconciled?.(endpointId);
  });
  const { poke } = pokes;
  let stopped = false;
  const groups = createEndpointGroups({ clock, sourceOf: options.sourceOf, poke });
  const { checkIn, find } = groups;
  const lives = createWorkerLifecycle({ ...options, onProgress: options.onReconciled }, poke);
  const gpuQueue = createGpuQueue({ clock, gpus, find, retire: lives.retire, poke, checkIn });
  const starts = createWorkerStarts({ ...options, groups, lives, gpuQueue, poke, isStopped: () => stopped });
  const reconciler = createReconciler({ clock, endpoints, pausing, groups, lives, gpuQueue, starts });

  function diagnosisOf(endpointId: string): EndpointDiagnosis {
    const group = groups.get(endpointId);
    const endpoint = endpoints.find(endpointId);
    const outlook = endpoint ? gpus.outlook(endpoint) : null;
    const noGpu = outlook?.kind === 'never' ? outlook.message : null;
    return { group, endpoint, noGpu: group?.refused?.message ?? noGpu };
  }

  const whyItWaits = (job: Job, countsAhead: boolean): Waiting =>
    whyWaiting(job, diagnosisOf(job.endpointId), { jobs, clock, pause: pausing.state(), countsAhead });

  function onGpusChanged(): void {
    for (const workerId of gpus.revokedHolders()) {
      const holder = find(workerId);
      if (!holder || holder.member.retired) continue;
      lives.retire(holder.group, holder.member);
      poke(holder.group.endpointId);
    }
    for (const group of groups.all()) {
      if (!group.refused) continue;
      retryGpu(group);
      poke(group.endpointId);
    }
    gpuQueue.changed();
  }

  const unlisten = [
    gpus.onChange(onGpusChanged),
    pausing.onChange(() => {
      for (const { id } of endpoints.list()) poke(id);
    }),
  ];

  return {
    poke,
    retireOutdated(endpointId) {
      const group = groups.get(endpointId);
      const endpoint = endpoints.find(endpointId);
      if (!group || !endpoint) return;
      // Requests to a web server do not wait in a queue: its old workers serve until the new ones are ready.
      const outdated = [...group.members.values()].filter(({ version }) => version !== endpoint.version);
      if (endpoint.type === 'QB') for (const member of outdated) lives.retire(group, member);
      poke(endpointId);
    },
    recycle(workerId, reason, graceMs) {
      const worker = find(workerId);
      if (worker) void lives.stop(worker.group, worker.member, reason, graceMs);
    },
    markUnhealthy(workerId, reason) {
      const worker = find(workerId);
      if (worker) lives.markUnhealthy(worker.group, worker.member, reason);
    },
    counts: (endpointId) => countWorkers(endpointId, jobs, diagnosisOf(endpointId)),
    records: () => Promise.all(groups.members().map(({ group, member }) => recordOf(group, member, clock))),
    present: () =>
      groups.members().map(({ group, member: { worker, process } }) => ({
        id: worker.id,
        pid: process.pid,
        busy: group.source.load(worker).busy > 0,
      })),
    waiting: (job) => whyItWaits(job, true),
    waitsFor: (job) => whyItWaits(job, false),
    diagnose(endpointId) {
      const { group, noGpu } = diagnosisOf(endpointId);
      return { refused: noGpu, trouble: group ? troubleOf(group, clock) : null };
    },
    blocker: (endpointId) => blockerOf(diagnosisOf(endpointId)),
    removeEndpoint(endpointId) {
      const group = groups.get(endpointId);
      if (!group) return;
      for (const member of group.members.values()) void lives.stop(group, member, 'its endpoint was deleted');
      gpuQueue.leave(group);
      group.source.removeEndpoint?.(endpointId);
      if (group.members.size === 0) groups.remove(group);
      else group.timer?.cancel();
    },
    async stop() {
      stopped = true;
      pokes.stop();
      for (const cancel of unlisten) cancel();
      groups.stop();
      const all = groups.members();
      await Promise.all(all.map(({ group, member }) => lives.stop(group, member, 'Hangar stops')));
      await Promise.all(all.map(({ member }) => member.process.exited));
    },
  };
}
