/** The life of one worker: it starts, is observed, is stopped, and is removed from all registries after its end. */
import { limits } from '#contract/core/limits.ts';
import type { LaneSpan } from '#contract/local/log.ts';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import type { ApiKeys } from '../../../domain/access/apiKeys.ts';
import type { GpuClaim, GpuClaims } from '../../../domain/gpus/claims.ts';
import type { Jobs } from '../../../domain/jobs/jobs.ts';
import type { Clock, Ids, Logger } from '../../../domain/core/ports.ts';
import type { WorkerDriver, WorkerExit } from '../../../domain/autoscaling/ports.ts';
import type { WorkerWatch } from '../../../domain/autoscaling/workerEvents.ts';
import type { WorkerNeeds } from '../../../domain/autoscaling/workerSpec.ts';
import { exitReason } from '../../process/exitReason.ts';
import { workerEnv } from '../env.ts';
import { countsAsDeath, createMember, noteDeath, NO_JOBS, type Group, type Member } from './endpointWorkers.ts';

export interface WorkerLifecycleOptions {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  jobs: Jobs;
  keys: ApiKeys;
  driver: WorkerDriver;
  gpus: GpuClaims;
  watch?: WorkerWatch;
  /** Called when a worker of the endpoint is at another step of its preparation. */
  onProgress?: ((endpointId: string) => void) | undefined;
}

export interface Lives {
  /** Starts a worker. Returns the obstacle to its GPUs, or null when it was started. */
  start(
    endpoint: Endpoint,
    template: Template,
    needs: WorkerNeeds,
    group: Group,
  ): Exclude<GpuClaim, { kind: 'granted' }> | null;
  /** Gives the worker no new work. */
  retire(group: Group, member: Member): void;
  /** Gives the worker no new work, asks it to end, and kills it after `graceMs` milliseconds. */
  stop(group: Group, member: Member, reason: string, graceMs?: number): Promise<void>;
  /** Stops an unusable worker, which counts as a death. */
  markUnhealthy(group: Group, member: Member, reason: string): void;
  /** Reports a changed state of a worker to the observer. */
  notifyWatch(group: Group, member: Member): void;
}

const laneState = (member: Member): LaneSpan['state'] => {
  if (member.stopReason !== null) return 'stopping';
  if (member.busy) return 'running';
  if (member.ready) return 'idle';
  return member.runsSince === null ? 'preparing' : 'starting';
};

function hasSameJobs({ worker, reportedJobs }: Member): boolean {
  if (worker.jobs.size !== reportedJobs.length) return false;
  let at = 0;
  for (const job of worker.jobs) if (job.id !== reportedJobs[at++]) return false;
  return true;
}

/** Reports the state of a worker to the observer, if it differs from the last one. */
function reportState(watch: WorkerWatch, { endpointId }: Group, member: Member, at: number): void {
  const { worker } = member;
  const state = laneState(member);
  if (state === member.reportedState && (state !== 'running' || hasSameJobs(member))) return;
  const jobIds = state === 'running' ? [...worker.jobs].map(({ id }) => id) : NO_JOBS;
  member.reportedState = state;
  member.reportedJobs = jobIds;
  const { stopReason: reason, about } = member;
  watch.changed({ workerId: worker.id, endpointId, state, jobIds, at, reason, about });
}

/** RUNPOD_INIT_TIMEOUT of the template (seconds) or the default, in milliseconds. */
function initMs({ env }: Template): number {
  const seconds = Number(env['RUNPOD_INIT_TIMEOUT']);
  return seconds > 0 ? seconds * 1000 : limits.workerInitMs;
}

export function createWorkerLifecycle(options: WorkerLifecycleOptions, onChange: (endpointId: string) => void): Lives {
  const { clock, logger, jobs, driver, gpus, watch } = options;

  function notifyWatch(group: Group, member: Member): void {
    if (watch) reportState(watch, group, member, clock.now());
  }

  function ended(group: Group, member: Member, exit: WorkerExit): void {
    const { worker } = member;
    group.members.delete(worker.id);
    member.revokeKey();
    const exitText = exitReason(exit);
    const requested = member.stopReason !== null;
    /** The reason for the end of a healthy worker; null where it died or was unusable. */
    const orderly = member.unhealthy === null ? member.stopReason : null;
    const reason = orderly ?? member.unhealthy ?? exitText;
    const workerId = worker.id;
    const { endpointId } = group;
    logger.info({ workerId, endpointId, how: exitText, wanted: requested }, 'worker ended');
    if (orderly === null && countsAsDeath(group, member, exit.endedFromOutside === true)) {
      const onStart = !group.source.load(worker).begun;
      const isHandler = member.runtime === 'node' || member.runtime === 'python';
      noteDeath(group, member, { reason, onStart, isHandler, lastLines: exit.lastLines }, clock);
    }
    group.source.ended?.(worker, exitText);
    const blame = requested ? 'nobody' : exit.endedFromOutside ? 'outside' : 'worker';
    jobs.workerGone(worker, exitText, blame);
    watch?.ended({ workerId, endpointId, at: clock.now(), unhealthy: orderly === null, reason });
    gpus.release(worker.id);
    onChange(group.endpointId);
  }

  function retire(group: Group, member: Member): void {
    if (member.retired) return;
    member.retired = true;
    member.leaving = true;
    group.source.retire(member.worker);
  }

  async function stop(group: Group, member: Member, reason: string, graceMs: number = limits.workerGraceMs) {
    if (member.stopReason !== null) return;
    member.stopReason = reason;
    logger.info({ workerId: member.worker.id, reason }, 'stopping worker');
    retire(group, member);
    notifyWatch(group, member);
    await member.process.stop(graceMs);
  }

  return {
    notifyWatch,
    retire,
    stop,
    start(endpoint, template, needs, group) {
      const workerId = `w-${options.ids.random(6)}`;
      const claim = gpus.claim({ workerId, endpointId: endpoint.id, endpointName: endpoint.name }, endpoint);
      if (claim.kind !== 'granted') return claim;
      const workerKey = options.keys.issueWorkerKey(endpoint.id, workerId);
      const { devices } = claim;
      const process = driver.start({
        workerId,
        endpointId: endpoint.id,
        template: { ...template, env: { ...needs.templateEnv } },
        env: (engine) => ({
          ...workerEnv({ engine, endpointId: endpoint.id, workerId, key: workerKey.key, gpus: devices }),
          ...needs.env,
        }),
        gpus: devices,
        mounts: needs.mounts,
        limits: needs.limits,
        registryAuth: needs.registryAuth,
        ports: needs.ports,
        onProgress: () => options.onProgress?.(endpoint.id),
      });
      const worker = jobs.workers.addOwn(workerId, endpoint.id);
      const member = createMember({
        worker,
        process,
        version: endpoint.version,
        runtime: driver.runtimeOf(template),
        gpus: devices,
        about: [process.about, claim.notice].filter((text) => text !== undefined),
        nth: group.had++,
        initMs: initMs(template),
        revokeKey: workerKey.revoke,
        runsSince: process.prepared ? null : clock.elapsed(),
      });
      group.members.set(workerId, member);
      group.source.started?.(worker, process, template);
      logger.info({ workerId, endpointId: endpoint.id, pid: process.pid }, 'worker started');
      notifyWatch(group, member);
      void process.prepared?.then(() => {
        member.runsSince = clock.elapsed();
        onChange(group.endpointId);
      });
      void process.exited.then((exit) => ended(group, member, exit));
      return null;
    },
    markUnhealthy(group, member, reason) {
      member.unhealthy ??= reason;
      void stop(group, member, reason);
    },
  };
}
