/** The pool's state of one endpoint: its workers, its last failure, and the time of the next check. */
import { limits } from '#contract/core/limits.ts';
import type { EndpointReadiness, WorkerRecord } from '#contract/local/engine.ts';
import type { LaneSpan } from '#contract/local/log.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { WorkSource } from '../../../domain/autoscaling/demand.ts';
import type { Cancel, Clock } from '../../../domain/core/ports.ts';
import type { GpuDevice } from '../../../domain/gpus/device.ts';
import type { WorkerProcess, WorkerUsage } from '../../../domain/autoscaling/ports.ts';
import type { Death } from '../../../domain/autoscaling/queueDiagnosis.ts';
import { startDelayMs } from '../../../domain/autoscaling/scaling.ts';
import { planWorkers, type Plan, type PlannedWorker } from '../../../domain/autoscaling/reconcilePlan.ts';
import type { Worker } from '../../../domain/jobs/workers/registry.ts';

export interface Member extends PlannedWorker {
  readonly worker: Worker;
  readonly process: WorkerProcess;
  readonly version: number;
  readonly runtime: WorkerRecord['runtime'];
  readonly gpus: readonly GpuDevice[];
  /** Its program, GPUs and other parameters, for a person. */
  readonly about: readonly string[];
  /** The number of earlier workers of the endpoint. */
  readonly nth: number;
  /** How long it may take to become ready, milliseconds. */
  readonly initMs: number;
  /** Revokes its key. */
  revokeKey(): void;
  /** The start of its run, monotonic milliseconds; null during its preparation. */
  runsSince: number | null;
  /** It gets no new work, and stops when it is idle. */
  retired: boolean;
  /** Why it was stopped; null while it was not. */
  stopReason: string | null;
  /** The reason why it was stopped as unusable; null otherwise. */
  unhealthy: string | null;
  // The fields for the plan, as of the last refresh.
  leaving: boolean;
  ready: boolean;
  begun: boolean;
  busy: boolean;
  outdated: boolean;
  idleMs: number;
  /** The state that was last reported to the observer. */
  reportedState: LaneSpan['state'] | null;
  reportedJobs: readonly string[];
  usage: { at: number; measured: Promise<WorkerUsage> } | null;
}

export const NO_JOBS: readonly string[] = [];

/** Creates the state of a new worker. */
export function createMember(
  start: Pick<
    Member,
    'worker' | 'process' | 'version' | 'runtime' | 'gpus' | 'about' | 'nth' | 'initMs' | 'revokeKey' | 'runsSince'
  >,
): Member {
  return {
    ...start,
    retired: false,
    stopReason: null,
    unhealthy: null,
    reportedState: null,
    reportedJobs: NO_JOBS,
    usage: null,
    leaving: false,
    ready: false,
    begun: false,
    busy: false,
    outdated: false,
    idleMs: 0,
  };
}

/** The wait of an endpoint for a GPU. */
export interface Crowding {
  /** The reason, for a person. */
  message: string;
  /** The start of the wait, monotonic milliseconds. */
  readonly since: number;
  /** The endpoint at the time of the refusal. A changed endpoint may get a GPU. */
  endpoint: Endpoint;
  /** The GPUs have changed since the last try: try again. */
  again: boolean;
}

export interface WorkerDeath extends Pick<Death, 'reason' | 'onStart' | 'isHandler'> {
  lastLines: string[];
}

export interface Group {
  readonly endpointId: string;
  readonly members: Map<string, Member>;
  source: WorkSource;
  /** The version of the endpoint at the last check. */
  version: number;
  /** Deaths in a row without finished work in between. */
  failures: number;
  /** Workers in a row without finished work that something outside of them ended, as a crash of the container engine. */
  outsideEnds: number;
  /** The number of workers so far, and that number at the last death. */
  had: number;
  hadAtDeath: number;
  /** How the last worker died; null without a problem. */
  death: WorkerDeath | null;
  /** Why it cannot run; null where it can, or where this is unknown. */
  unavailable: string | null;
  /**
   * The time of the last check of `unavailable`, monotonic milliseconds; null before the first one, and after a change
   * of the endpoint.
   */
  examinedAt: number | null;
  /** Why the endpoint, in the version of that time, cannot get a GPU on this machine; for a person. */
  refused: { message: string; endpoint: Endpoint } | null;
  crowding: Crowding | null;
  /** The earliest time of the next start, monotonic milliseconds. */
  notBefore: number;
  timer: { at: number; cancel: Cancel } | null;
  checking: boolean;
}

export function createGroup(endpoint: Endpoint, source: WorkSource): Group {
  return {
    endpointId: endpoint.id,
    members: new Map(),
    source,
    version: endpoint.version,
    failures: 0,
    outsideEnds: 0,
    had: 0,
    hadAtDeath: 0,
    death: null,
    unavailable: null,
    examinedAt: null,
    refused: null,
    crowding: null,
    notBefore: 0,
    timer: null,
    checking: false,
  };
}

export const planFor = (group: Group, endpoint: Endpoint): Plan<Member> =>
  planWorkers({
    endpoint,
    demand: group.source.demand(endpoint.id),
    workers: [...group.members.values()],
    crowded: group.crowding !== null,
  });

/** Refreshes the fields that the plan reads. */
export function refreshMember(group: Group, member: Member, version: number, elapsed: number): void {
  const { ready, begun, busy, lastBusyElapsed } = group.source.load(member.worker);
  member.leaving = member.stopReason !== null || member.retired;
  member.ready = ready;
  member.begun = begun;
  member.busy = busy > 0;
  member.outdated = member.version !== version;
  member.idleMs = elapsed - lastBusyElapsed;
}

/** A worker that started before the last death proves nothing about the workers after it. */
export const provesHealth = (group: Group, { nth, outdated }: Member): boolean => !outdated && nth >= group.hadAtDeath;

export function forgetTrouble(group: Group): void {
  group.failures = 0;
  group.outsideEnds = 0;
  group.death = null;
}

/** Forgets earlier failures after a change of the endpoint, so that it starts at once. */
export function beginAnew(group: Group, version: number): void {
  group.version = version;
  group.unavailable = null;
  group.examinedAt = null;
  group.refused = null;
  group.notBefore = 0;
  forgetTrouble(group);
}

/** Lets the next start request a GPU again, at once. */
export function retryGpu(group: Group): void {
  group.refused = null;
  group.notBefore = 0;
}

/**
 * Whether an end counts as a death, whose next start is delayed. One that came from outside tells nothing about the
 * worker, until it comes again and again: then the worker may be what crashes the container engine.
 */
export function countsAsDeath(group: Group, member: Member, isFromOutside: boolean): boolean {
  if (!isFromOutside) return true;
  group.outsideEnds = member.worker.finished > 0 ? 1 : group.outsideEnds + 1;
  return group.outsideEnds > limits.outsideEndsIgnored;
}

export function noteDeath(group: Group, member: Member, death: WorkerDeath, clock: Clock) {
  // A worker of an older version proves nothing about the current one.
  if (member.version !== group.version) return;
  group.failures = member.worker.finished > 0 ? 1 : group.failures + 1;
  group.hadAtDeath = group.had;
  group.notBefore = clock.elapsed() + startDelayMs(group.failures - 1);
  group.death = death;
}

/** The time of the next start, milliseconds since the epoch; null when it is not delayed. */
export const nextTryAt = (group: Group, clock: Clock): number | null => {
  const leftMs = group.notBefore - clock.elapsed();
  return leftMs > 0 ? clock.now() + leftMs : null;
};

export function troubleOf(group: Group, clock: Clock): EndpointReadiness['trouble'] {
  if (group.death === null) return null;
  const at = nextTryAt(group, clock);
  const { reason, onStart, lastLines } = group.death;
  return {
    deaths: group.failures,
    reason,
    onStart,
    lastLines,
    nextTryAt: at === null ? null : new Date(at).toISOString(),
  };
}
