/** Starts workers when work calls for them, stops those that are idle, replaces those that are out of date, and backs off from those that keep dying. */
import { limits } from '#contract/core/limits.ts';
import type { EndpointReadiness, Waiting, WorkerRecord } from '#contract/local/engine.ts';
import type { Endpoint, KeptEndpoint } from '#contract/api/resources.ts';
import type { WorkSource } from '../../../domain/autoscaling/demand.ts';
import type { Endpoints } from '../../../domain/resources/endpoints.ts';
import type { Job } from '../../../domain/jobs/jobRecord.ts';
import type { Pausing } from '../../../domain/pausing/pausing.ts';
import type { Templates } from '../../../domain/resources/templates.ts';
import type { NeedsOf } from '../../../domain/autoscaling/workerSpec.ts';
import { planWorkers, type Plan } from '../../../domain/autoscaling/reconcilePlan.ts';
import { createGpuQueue } from './gpuQueue.ts';
import {
  beginAnew,
  createGroup,
  forgetTrouble,
  refreshMember,
  provesHealth,
  troubleOf,
  type Group,
  type Member,
} from './endpointWorkers.ts';
import { createWorkerLifecycle, type WorkerLifecycleOptions } from './lifecycle.ts';
import {
  countWorkers,
  blockerOf,
  recordOf,
  whyWaiting,
  type EndpointDiagnosis,
  type WorkerCounts,
} from './diagnostics.ts';

export interface WorkerPool {
  /** Looks at the endpoint soon: starts what is missing, replaces what is out of date. Cheap, and called often. */
  poke(endpointId: string): void;
  /** The worker must go within `graceMs`; its jobs are queued again. */
  recycle(workerId: string, reason: string, graceMs: number): void;
  /** The worker is of no use, which counts like a death of it: it is ended, and the next one comes ever later. */
  markUnhealthy(workerId: string, reason: string): void;
  counts(endpointId: string): WorkerCounts;
  records(): Promise<WorkerRecord[]>;
  /** The workers there are, and whether each has something to do just now. */
  present(): { id: string; pid: number | null; busy: boolean }[];
  /** Why a queued job waits. */
  waiting(job: Job): Waiting;
  /** The same without the jobs that go before it: cheap, however long the queue is. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
  /** Why its workers can have no GPU here, and what became of those there were. */
  diagnose(endpointId: string): { refused: string | null; trouble: EndpointReadiness['trouble'] };
  /** What keeps the endpoint from having workers, for a person; null where nothing is known to. */
  blocker(endpointId: string): string | null;
  /** The endpoint is gone: its workers go too. */
  removeEndpoint(endpointId: string): void;
  /** Lets workers finish within their grace time, then ends them. */
  stop(): Promise<void>;
}

export interface WorkerPoolOptions extends WorkerLifecycleOptions {
  endpoints: Endpoints;
  templates: Templates;
  pausing: Pick<Pausing, 'state' | 'onChange'>;
  needsOf: NeedsOf;
  /** What calls for the workers of this endpoint. */
  sourceOf(endpoint: Endpoint): WorkSource;
}

/** Why a worker goes whose code or template is no longer what it began with. */
const OUTDATED = 'its template, its files or its endpoint changed';

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { clock, logger, jobs, endpoints, templates, driver, gpus, pausing } = options;
  const groups = new Map<string, Group>();
  const poked = new Set<string>();
  const lives = createWorkerLifecycle(options, poke);
  const gpuQueue = createGpuQueue({ clock, gpus, find, retire: lives.retire, poke, checkIn });
  let stopped = false;

  function poke(endpointId: string): void {
    if (stopped) return;
    if (poked.size === 0) {
      setImmediate(() => {
        const now = [...poked];
        poked.clear();
        for (const id of now) reconcile(id);
      });
    }
    poked.add(endpointId);
  }

  function groupOf(endpoint: Endpoint): Group {
    let group = groups.get(endpoint.id);
    if (!group) groups.set(endpoint.id, (group = createGroup(endpoint, options.sourceOf(endpoint))));
    if (group.version !== endpoint.version) beginAnew(group, endpoint.version);
    if (group.crowding && group.crowding.endpoint !== endpoint) {
      group.crowding.endpoint = endpoint;
      group.crowding.again = true;
    }
    if (group.refused && group.refused.endpoint !== endpoint) tryGpuAgain(group);
    return group;
  }

  function reconcile(endpointId: string): void {
    if (stopped) return;
    const endpoint = endpoints.find(endpointId);
    if (!endpoint) {
      const group = groups.get(endpointId);
      if (group?.members.size === 0) forget(group);
      return;
    }
    const group = groupOf(endpoint);
    seeTo(group, endpoint.version);
    if (pausing.state().state === 'running') {
      const plan = planFor(group, endpoint);
      for (const member of plan.stop) void lives.stop(group, member, member.outdated ? OUTDATED : 'it was idle');
      for (const member of plan.retire) lives.retire(group, member);
      if (plan.checkInMs !== null) checkIn(group, plan.checkInMs);
      if (plan.start > 0) void startMore(endpoint, group);
      else {
        gpuQueue.leave(group);
        void examine(endpoint, group);
      }
    } else {
      gpuQueue.leave(group);
      rest(group);
    }
    gpuQueue.recheck(group);
  }

  /** Each worker as it is now; what concerns it alone is done. */
  function seeTo(group: Group, version: number): void {
    const elapsed = clock.elapsed();
    for (const member of group.members.values()) {
      refreshMember(group, member, version, elapsed);
      if (group.failures > 0 && member.worker.finished > 0 && provesHealth(group, member)) forgetTrouble(group);
      if (member.stopReason === null) {
        if (member.leaving && !member.busy)
          void lives.stop(group, member, member.outdated ? OUTDATED : 'it had nothing more to do');
        else if (!member.ready && !member.busy && member.runsSince !== null) {
          const leftMs = member.runsSince + member.initMs - elapsed;
          if (leftMs > 0) checkIn(group, leftMs);
          else {
            const reason = `it was not ready ${member.initMs / 1000} s after its start (RUNPOD_INIT_TIMEOUT)`;
            lives.markUnhealthy(group, member, reason);
          }
        }
      }
      lives.notifyWatch(group, member);
    }
  }

  const planFor = (group: Group, endpoint: Endpoint): Plan<Member> =>
    planWorkers({
      endpoint,
      demand: group.source.demand(endpoint.id),
      workers: [...group.members.values()],
      crowded: group.crowding !== null,
    });

  /** Work is paused: nobody gets more, and those that have none go; at once where nothing is to be worked on. */
  function rest(group: Group): void {
    const { state, message } = pausing.state();
    for (const member of group.members.values()) {
      if (state === 'paused' || !member.busy) void lives.stop(group, member, message ?? 'work is paused');
      else lives.retire(group, member);
    }
  }

  async function startMore(endpoint: KeptEndpoint, group: Group): Promise<void> {
    if (group.checking) return;
    const waitMs = group.notBefore - clock.elapsed();
    if (waitMs > 0) {
      // It lets others go first meanwhile.
      gpuQueue.leave(group);
      checkIn(group, waitMs);
      return;
    }
    if (group.crowding && !group.crowding.again) {
      gpuQueue.makeRoom(group, endpoint);
      return;
    }
    const now = await findBlocker(endpoint, group);
    if (!now || pausing.state().state !== 'running') return;
    if (group.unavailable !== null) putOff(group);
    else startPlanned(now, group);
  }

  /** Whether it can run here, of an endpoint that needs no worker yet: whoever made it is not to find that out by a job. */
  async function examine(endpoint: KeptEndpoint, group: Group): Promise<void> {
    if (group.checking || group.members.size > 0) return;
    if (group.examinedAt !== null) {
      if (group.unavailable === null) return;
      const leftMs = group.examinedAt + limits.startAgainMs - clock.elapsed();
      if (leftMs > 0) {
        checkIn(group, leftMs);
        return;
      }
    }
    if (await findBlocker(endpoint, group)) poke(endpoint.id);
  }

  /** Notes what keeps the endpoint from running. Answers it as it is then; null where it is gone, or is to be looked at again. */
  async function findBlocker(endpoint: KeptEndpoint, group: Group): Promise<KeptEndpoint | null> {
    group.checking = true;
    // A driver that cannot even find out is no reason for the engine to fall: the endpoint says so, and is tried again.
    const unavailable = await driver
      .unavailable(templates.get(endpoint.templateId))
      .catch(
        (error: unknown) => `It could not be found out whether this endpoint can run here: ${(error as Error).message}`,
      );
    group.checking = false;
    if (stopped) return null;
    const now = endpoints.find(endpoint.id);
    if (!now) return null;
    if (now.version !== endpoint.version) {
      poke(endpoint.id);
      return null;
    }
    const needs = unavailable ?? options.needsOf(now, templates.get(now.templateId));
    const blocker = typeof needs === 'string' ? needs : null;
    if (blocker !== null && blocker !== group.unavailable) {
      logger.warn({ endpointId: endpoint.id, blocker }, 'an endpoint cannot run here');
    }
    group.unavailable = blocker;
    group.examinedAt = clock.elapsed();
    return now;
  }

  function diagnosisOf(endpointId: string): EndpointDiagnosis {
    const group = groups.get(endpointId);
    const endpoint = endpoints.find(endpointId);
    const outlook = endpoint ? gpus.outlook(endpoint) : null;
    const noGpu = outlook?.kind === 'never' ? outlook.message : null;
    return { group, endpoint, noGpu: group?.refused?.message ?? noGpu };
  }

  const whyItWaits = (job: Job, countsAhead: boolean): Waiting =>
    whyWaiting(job, diagnosisOf(job.endpointId), { jobs, clock, pause: pausing.state(), countsAhead });

  function tryGpuAgain(group: Group): void {
    group.refused = null;
    group.notBefore = 0;
  }

  function putOff(group: Group): void {
    gpuQueue.leave(group);
    group.notBefore = clock.elapsed() + limits.startAgainMs;
    checkIn(group, limits.startAgainMs);
  }

  /** What is wanted may be another number by now. */
  function startPlanned(endpoint: KeptEndpoint, group: Group): void {
    for (const member of group.members.values()) refreshMember(group, member, endpoint.version, clock.elapsed());
    const template = templates.get(endpoint.templateId);
    const needs = options.needsOf(endpoint, template);
    if (typeof needs === 'string') {
      group.unavailable = needs;
      putOff(group);
      return;
    }
    for (let { start } = planFor(group, endpoint); start > 0; start--) {
      if (gpuQueue.mustYield(group, endpoint)) return;
      const refused = lives.start(endpoint, template, needs, group);
      if (refused?.kind === 'never') {
        group.refused = { message: refused.message, endpoint };
        putOff(group);
        return;
      }
      if (refused) {
        gpuQueue.join(group, endpoint, refused.message);
        // Where an old worker is to be replaced, it goes first now.
        poke(endpoint.id);
        return;
      }
    }
    gpuQueue.leave(group);
    // Those that were started are looked after from now on.
    poke(endpoint.id);
  }

  function find(workerId: string): { group: Group; member: Member } | null {
    for (const group of groups.values()) {
      const member = group.members.get(workerId);
      if (member) return { group, member };
    }
    return null;
  }

  /** At most one timer for each endpoint. */
  function checkIn(group: Group, ms: number): void {
    const at = clock.elapsed() + ms;
    if (group.timer) {
      if (group.timer.at <= at) return;
      group.timer.cancel();
    }
    const cancel = clock.after(ms, () => {
      group.timer = null;
      poke(group.endpointId);
    });
    group.timer = { at, cancel };
  }

  function forget(group: Group): void {
    group.timer?.cancel();
    gpuQueue.leave(group);
    groups.delete(group.endpointId);
  }

  const unlisten = [
    gpus.onChange(() => {
      for (const workerId of gpus.revokedHolders()) {
        const holder = find(workerId);
        if (!holder || holder.member.retired) continue;
        lives.retire(holder.group, holder.member);
        poke(holder.group.endpointId);
      }
      for (const group of groups.values()) {
        if (!group.refused) continue;
        tryGpuAgain(group);
        poke(group.endpointId);
      }
      gpuQueue.changed();
    }),
    pausing.onChange(() => {
      for (const { id } of endpoints.list()) poke(id);
    }),
  ];

  return {
    poke,
    recycle(workerId, reason, graceMs) {
      const worker = find(workerId);
      if (worker) void lives.stop(worker.group, worker.member, reason, graceMs);
    },
    markUnhealthy(workerId, reason) {
      const worker = find(workerId);
      if (worker) lives.markUnhealthy(worker.group, worker.member, reason);
    },
    counts: (endpointId) => countWorkers(endpointId, jobs, diagnosisOf(endpointId)),
    records: () =>
      Promise.all(
        [...groups.values()].flatMap((group) =>
          [...group.members.values()].map((member) => recordOf(group, member, clock)),
        ),
      ),
    present: () =>
      [...groups.values()].flatMap(({ members, source }) =>
        [...members.values()].map(({ worker, process }) => ({
          id: worker.id,
          pid: process.pid,
          busy: source.load(worker).busy > 0,
        })),
      ),
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
      if (group.members.size === 0) forget(group);
      else group.timer?.cancel();
    },
    async stop() {
      stopped = true;
      for (const cancel of unlisten) cancel();
      for (const group of groups.values()) group.timer?.cancel();
      const all = [...groups.values()].flatMap((group) =>
        [...group.members.values()].map((member) => ({ group, member })),
      );
      await Promise.all(all.map(({ group, member }) => lives.stop(group, member, 'Hangar stops')));
      await Promise.all(all.map(({ member }) => member.process.exited));
    },
  };
}
