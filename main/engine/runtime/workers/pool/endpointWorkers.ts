/** The workers of one endpoint, as the pool remembers them: who is there, what went wrong last, and when to look again. */
import type { EndpointReadiness, WorkerRecord } from '#contract/local/engine.ts';
import type { LaneSpan } from '#contract/local/log.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { WorkSource } from '../../../domain/autoscaling/demand.ts';
import type { Cancel, Clock } from '../../../domain/core/ports.ts';
import type { GpuDevice } from '../../../domain/gpus/device.ts';
import type { WorkerProcess, WorkerUsage } from '../../../domain/autoscaling/ports.ts';
import { startDelayMs } from '../../../domain/autoscaling/scaling.ts';
import type { PlannedWorker } from '../../../domain/autoscaling/reconcilePlan.ts';
import type { Worker } from '../../../domain/jobs/workerRegistry.ts';

export interface Member extends PlannedWorker {
  readonly worker: Worker;
  readonly process: WorkerProcess;
  readonly version: number;
  readonly runtime: WorkerRecord['runtime'];
  readonly gpus: readonly GpuDevice[];
  /** What it runs and what it was given, for a person. */
  readonly about: readonly string[];
  /** How many the endpoint had had before it. */
  readonly nth: number;
  /** How long it may take until it is ready. */
  readonly initMs: number;
  takeBackKey(): void;
  /** Since when it runs, on the clock that never runs backwards; null while it is prepared. */
  runsSince: number | null;
  /** It gets nothing new, and goes once it has nothing to do. */
  retired: boolean;
  /** Why it was told to end; null while it was not. */
  stopReason: string | null;
  /** What is wrong with it, where that is why it was told to end. */
  unhealthy: string | null;
  // What the plan sees, as of the last look.
  leaving: boolean;
  ready: boolean;
  begun: boolean;
  busy: boolean;
  outdated: boolean;
  idleMs: number;
  /** The state that was last reported to its watcher. */
  reportedState: LaneSpan['state'] | null;
  reportedJobs: readonly string[];
  usage: { at: number; measured: Promise<WorkerUsage> } | null;
}

/** A GPU that could not be had. */
export interface Crowding {
  /** For a person. */
  message: string;
  /** Since when, on the clock that never runs backwards. */
  readonly since: number;
  /** The endpoint as it was then: another wish may be met. */
  endpoint: Endpoint;
  /** Something has changed since: it is worth another try. */
  again: boolean;
}

export interface Group {
  readonly endpointId: string;
  readonly members: Map<string, Member>;
  source: WorkSource;
  /** The endpoint's, at the last look. */
  version: number;
  /** Deaths in a row without finished work between them. */
  failures: number;
  /** How many workers it has had, and how many of them when the last one died. */
  had: number;
  hadAtDeath: number;
  /** How the last worker died; null while all is well. */
  death: { reason: string; lastLines: string[] } | null;
  /** Why it cannot run; null when it can, or is not known to be unable. */
  unavailable: string | null;
  /** When that was looked into last, on the clock that never runs backwards; null before that, and once the endpoint is another. */
  examinedAt: number | null;
  /** Why this endpoint, as it was then, can have no GPU of this machine; for a person. */
  refused: { message: string; endpoint: Endpoint } | null;
  crowding: Crowding | null;
  /** Not started before this, on the clock that never runs backwards. */
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

/** Refreshes the fields of a member that the plan reads. */
export function refreshMember(group: Group, member: Member, version: number, elapsed: number): void {
  const { ready, begun, busy, lastBusyElapsed } = group.source.load(member.worker);
  member.leaving = member.stopReason !== null || member.retired;
  member.ready = ready;
  member.begun = begun;
  member.busy = busy > 0;
  member.outdated = member.version !== version;
  member.idleMs = elapsed - lastBusyElapsed;
}

/** One that was there before the last death says nothing about those that come after it. */
export const provesHealth = (group: Group, { nth, outdated }: Member): boolean => !outdated && nth >= group.hadAtDeath;

export function forgetTrouble(group: Group): void {
  group.failures = 0;
  group.death = null;
}

/** What was tried and found wanting is another thing now: it is tried at once. */
export function beginAnew(group: Group, version: number): void {
  group.version = version;
  group.unavailable = null;
  group.examinedAt = null;
  group.refused = null;
  group.notBefore = 0;
  forgetTrouble(group);
}

export function noteDeath(group: Group, member: Member, death: { reason: string; lastLines: string[] }, clock: Clock) {
  // One of an older version says nothing about this one.
  if (member.version !== group.version) return;
  group.failures = member.worker.finished > 0 ? 1 : group.failures + 1;
  group.hadAtDeath = group.had;
  group.notBefore = clock.elapsed() + startDelayMs(group.failures - 1);
  group.death = death;
}

/** When the next start is tried, on the wall clock; null when it is not put off. */
export const nextTryAt = (group: Group, clock: Clock): number | null => {
  const leftMs = group.notBefore - clock.elapsed();
  return leftMs > 0 ? clock.now() + leftMs : null;
};

export function troubleOf(group: Group, clock: Clock): EndpointReadiness['trouble'] {
  if (group.death === null) return null;
  const at = nextTryAt(group, clock);
  return {
    deaths: group.failures,
    ...group.death,
    nextTryAt: at === null ? null : new Date(at).toISOString(),
  };
}
