/** Starts workers when jobs call for them, stops those that are idle, and backs off from those that keep dying. */
import { limits } from '#contract/limits.ts';
import type { Waiting, WorkerRecord } from '#contract/local.ts';
import type { Endpoint } from '#contract/resources.ts';
import type { ApiKeys } from '../domain/apiKeys.ts';
import type { Endpoints } from '../domain/endpoints.ts';
import type { Job } from '../domain/job.ts';
import type { Jobs } from '../domain/jobs.ts';
import type { Cancel, Clock, Ids, Logger, WorkerDriver, WorkerExit, WorkerProcess } from '../domain/ports.ts';
import { startDelayMs, wantedWorkers } from '../domain/scaling.ts';
import type { Templates } from '../domain/templates.ts';
import { explainWaiting } from '../domain/waiting.ts';
import type { Worker } from '../domain/workers.ts';
import { exitReason } from './exitReason.ts';
import { workerEnv } from './workerEnv.ts';

interface PoolWorker {
  readonly worker: Worker;
  readonly process: WorkerProcess;
  readonly version: number;
  readonly runtime: WorkerRecord['runtime'];
  takeBackKey(): void;
  stopping: boolean;
  idleTimer: Cancel | null;
}

/** The workers of one endpoint. */
interface Group {
  readonly members: Map<string, PoolWorker>;
  /** Deaths in a row without a finished job between them. */
  failures: number;
  /** Why it cannot run; null when it can, or is not known to be unable. */
  unavailable: string | null;
  /** How the last worker died; null while all is well. */
  death: string | null;
  /** Not started before this, on the clock that never runs backwards. */
  notBefore: number;
  retry: { at: number; cancel: Cancel } | null;
  checking: boolean;
}

export interface WorkerCounts {
  idle: number;
  initializing: number;
  running: number;
  unhealthy: number;
}

export interface WorkerPool {
  /** Looks at the endpoint soon: starts what is missing, replaces what is out of date. Cheap, and called often. */
  poke(endpointId: string): void;
  /** The worker must go within `graceMs`; its jobs are queued again. */
  recycle(workerId: string, reason: string, graceMs: number): void;
  counts(endpointId: string): WorkerCounts;
  records(): WorkerRecord[];
  /** Why a queued job waits. */
  waiting(job: Job): Waiting;
  /** The endpoint is gone: its workers go too. */
  removeEndpoint(endpointId: string): void;
  /** Lets workers finish within their grace time, then ends them. */
  stop(): Promise<void>;
}

export interface WorkerPoolOptions {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  jobs: Jobs;
  keys: ApiKeys;
  endpoints: Endpoints;
  templates: Templates;
  driver: WorkerDriver;
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { clock, logger, jobs, endpoints, templates, driver } = options;
  const groups = new Map<string, Group>();
  const poked = new Set<string>();
  let stopped = false;

  function groupOf(endpointId: string): Group {
    let group = groups.get(endpointId);
    if (!group) {
      group = {
        members: new Map(),
        failures: 0,
        unavailable: null,
        death: null,
        notBefore: 0,
        retry: null,
        checking: false,
      };
      groups.set(endpointId, group);
    }
    return group;
  }

  const live = (group: Group): PoolWorker[] => [...group.members.values()].filter(({ stopping }) => !stopping);

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

  function reconcile(endpointId: string): void {
    const endpoint = endpoints.find(endpointId);
    if (!endpoint || stopped) return;
    const group = groupOf(endpointId);
    for (const member of live(group)) {
      const { worker } = member;
      if (worker.finished > 0) {
        group.failures = 0;
        group.death = null;
      }
      const outdated = member.version !== endpoint.version;
      if (worker.jobs.size > 0) {
        if (outdated && !worker.retired) jobs.retire(worker);
      } else if (outdated) void stopMember(member, 'its template changed');
      else watchIdle(endpointId, member);
    }
    const { tally } = jobs.queueOf(endpointId);
    const members = live(group);
    const wanted = wantedWorkers({
      queued: tally.inQueue - tally.lowPriorityInQueue,
      busy: members.filter(({ worker }) => worker.jobs.size > 0).length,
      workersMin: endpoint.workersMin,
      workersMax: endpoint.workersMax,
    });
    if (members.length < wanted) void startMore(endpoint, group, wanted);
  }

  async function startMore(endpoint: Endpoint, group: Group, wanted: number): Promise<void> {
    if (group.checking || group.retry) return;
    const waitMs = group.notBefore - clock.elapsed();
    if (waitMs > 0) {
      retryIn(endpoint.id, group, waitMs);
      return;
    }
    const template = templates.get(endpoint.templateId);
    group.checking = true;
    // A driver that cannot even find out is no reason for the engine to fall: the endpoint says so, and is tried again.
    const unavailable = await driver
      .unavailable(template)
      .catch(
        (error: unknown) => `It could not be found out whether this endpoint can run here: ${(error as Error).message}`,
      );
    group.checking = false;
    if (stopped || endpoints.find(endpoint.id) === undefined) return;
    group.unavailable = unavailable;
    if (unavailable !== null) {
      retryIn(endpoint.id, group, limits.workerGraceMs);
      return;
    }
    while (live(group).length < wanted) start(endpoint, group);
  }

  function retryIn(endpointId: string, group: Group, ms: number): void {
    if (group.retry) return;
    const cancel = clock.after(ms, () => {
      group.retry = null;
      poke(endpointId);
    });
    group.retry = { at: clock.elapsed() + ms, cancel };
  }

  function start(endpoint: Endpoint, group: Group): void {
    const workerId = `w-${options.ids.random(6)}`;
    const template = templates.get(endpoint.templateId);
    const lent = options.keys.lendToWorker(endpoint.id, workerId);
    const env = (engine: string): Record<string, string> =>
      workerEnv({ engine, endpointId: endpoint.id, workerId, key: lent.key, gpus: [] });
    const member: PoolWorker = {
      worker: jobs.workers.addOwn(workerId, endpoint.id),
      process: driver.start({
        ...{ workerId, endpointId: endpoint.id, template, env },
        ...{ gpus: [], mounts: [], registryAuth: null, ports: [] },
      }),
      version: endpoint.version,
      runtime: driver.runtimeOf(template),
      takeBackKey: lent.takeBack,
      stopping: false,
      idleTimer: null,
    };
    group.members.set(workerId, member);
    logger.info({ workerId, endpointId: endpoint.id, pid: member.process.pid }, 'worker started');
    void member.process.exited.then((exit) => ended(endpoint.id, group, member, exit));
  }

  function ended(endpointId: string, group: Group, member: PoolWorker, exit: WorkerExit): void {
    const { worker } = member;
    group.members.delete(worker.id);
    member.idleTimer?.();
    member.takeBackKey();
    const how = exitReason(exit);
    logger.info({ workerId: worker.id, endpointId, how, wanted: member.stopping }, 'worker ended');
    if (!member.stopping) {
      group.failures = worker.finished > 0 ? 1 : group.failures + 1;
      group.notBefore = clock.elapsed() + startDelayMs(group.failures - 1);
      group.death = how;
    }
    jobs.workerGone(worker, how, !member.stopping);
    poke(endpointId);
  }

  async function stopMember(member: PoolWorker, reason: string, graceMs: number = limits.workerGraceMs): Promise<void> {
    if (member.stopping) return;
    member.stopping = true;
    member.idleTimer?.();
    logger.info({ workerId: member.worker.id, reason }, 'stopping worker');
    jobs.retire(member.worker);
    await member.process.stop(graceMs);
  }

  function watchIdle(endpointId: string, member: PoolWorker): void {
    const endpoint = endpoints.find(endpointId);
    if (!endpoint || member.idleTimer || member.stopping) return;
    const idleMs = clock.elapsed() - member.worker.lastBusyElapsed;
    const leftMs = endpoint.idleTimeout * 1000 - idleMs;
    if (leftMs > 0) {
      member.idleTimer = clock.after(leftMs, () => {
        member.idleTimer = null;
        if (member.worker.jobs.size === 0) watchIdle(endpointId, member);
      });
      return;
    }
    // A worker that still loads its model has not been idle: it has not begun.
    if (!member.worker.asked) return;
    if (live(groupOf(endpointId)).length > endpoint.workersMin) void stopMember(member, 'idle');
  }

  const memberOf = (workerId: string): PoolWorker | undefined => {
    for (const group of groups.values()) {
      const member = group.members.get(workerId);
      if (member) return member;
    }
    return undefined;
  };

  const stateOf = (member: PoolWorker): WorkerRecord['state'] => {
    if (member.stopping) return 'stopping';
    if (member.worker.jobs.size > 0) return 'running';
    return member.worker.asked ? 'idle' : 'initializing';
  };

  return {
    poke,
    recycle(workerId, reason, graceMs) {
      const member = memberOf(workerId);
      if (member) void stopMember(member, reason, graceMs);
    },
    counts(endpointId) {
      const group = groups.get(endpointId);
      const counts: WorkerCounts = { idle: 0, initializing: 0, running: 0, unhealthy: 0 };
      for (const worker of jobs.workers.of(endpointId)) {
        const member = group?.members.get(worker.id);
        const state = member ? stateOf(member) : worker.jobs.size > 0 ? 'running' : 'idle';
        if (state === 'idle' || state === 'initializing' || state === 'running') counts[state]++;
      }
      if (group && group.failures > 0 && counts.running + counts.idle === 0) counts.unhealthy = 1;
      return counts;
    },
    records: () =>
      [...groups.values()].flatMap((group) =>
        [...group.members.values()].map((member) => ({
          id: member.worker.id,
          endpointId: member.worker.endpointId,
          state: stateOf(member),
          pid: member.process.pid,
          startedAt: new Date(member.worker.startedAt ?? clock.now()).toISOString(),
          jobs: [...member.worker.jobs].map(({ id }) => id),
          runtime: member.runtime,
          preparing: member.process.preparing?.() ?? null,
          gpus: [],
          cpuPercent: null,
          memoryBytes: null,
        })),
      ),
    waiting(job) {
      const group = groupOf(job.endpointId);
      const endpoint = endpoints.find(job.endpointId);
      const own = live(group);
      const starting = own.filter((member) => stateOf(member) === 'initializing');
      const busy = own.filter((member) => stateOf(member) === 'running').length;
      const others = jobs.workers.of(job.endpointId).filter((worker) => !worker.own);
      const othersBusy = others.filter((worker) => worker.jobs.size > 0).length;
      const queue = jobs.queueOf(job.endpointId);
      const { inQueue, lowPriorityInQueue } = queue.tally;
      const { unavailable, death, retry } = group;
      return explainWaiting({
        lowPriority: job.lowPriority,
        ahead: queue.ahead(job, limits.jobsAheadCounted),
        workersMax: endpoint?.workersMax ?? 0,
        workersCalledFor: inQueue > lowPriorityInQueue || (endpoint?.workersMin ?? 0) > 0,
        starting: starting.length,
        idle: own.length - starting.length - busy,
        busy,
        startingSince: starting.length > 0 ? Math.min(...starting.map(({ worker }) => worker.startedAt!)) : null,
        othersIdle: others.length - othersBusy,
        othersBusy,
        trouble:
          unavailable !== null
            ? { kind: 'cannot-run', reason: unavailable }
            : death !== null
              ? { kind: 'died', how: death, times: group.failures }
              : null,
        nextTryAt: retry ? clock.now() + Math.max(0, retry.at - clock.elapsed()) : null,
      });
    },
    removeEndpoint(endpointId) {
      const group = groups.get(endpointId);
      if (!group) return;
      group.retry?.cancel();
      for (const member of group.members.values()) void stopMember(member, 'its endpoint was deleted');
    },
    async stop() {
      stopped = true;
      const members = [...groups.values()].flatMap((group) => [...group.members.values()]);
      for (const group of groups.values()) group.retry?.cancel();
      await Promise.all(members.map((member) => stopMember(member, 'Hangar stops')));
      await Promise.all(members.map((member) => member.process.exited));
    },
  };
}
