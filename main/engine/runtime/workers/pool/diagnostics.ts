/** The state of an endpoint's workers: their records, their counts, and why a job waits. */
import { limits } from '#contract/core/limits.ts';
import type { PauseState } from '#contract/local/machine.ts';
import type { Waiting, WorkerRecord } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { isQuarantined, type Job } from '../../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../../domain/jobs/jobs.ts';
import type { Worker } from '../../../domain/jobs/workers/registry.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import type { WorkerUsage } from '../../../domain/autoscaling/ports.ts';
import { deathText, explainWaiting, type Trouble } from '../../../domain/autoscaling/queueDiagnosis.ts';
import { nextTryAt, type Group, type Member } from './endpointWorkers.ts';

export interface WorkerCounts {
  idle: number;
  initializing: number;
  running: number;
  /** Workers that cannot start because no GPU is free. */
  throttled: number;
  unhealthy: number;
}

/** The parts of an endpoint that concern its workers. */
export interface EndpointDiagnosis {
  readonly group: Group | undefined;
  readonly endpoint: Endpoint | undefined;
  /** Why its workers cannot get a GPU on this machine, for a person; null where they can, or need none. */
  readonly noGpu: string | null;
}

/**
 * Whether it still runs a job that was cancelled or took too long. It gets no other job until it has stopped that one.
 */
const isStoppingJob = ({ stopping }: Worker): boolean => stopping.size > 0;

const isBusy = (worker: Worker): boolean => worker.jobs.size > 0 || isStoppingJob(worker);

export function stateOf({ source }: Group, member: Member): WorkerRecord['state'] {
  if (member.unhealthy !== null) return 'unhealthy';
  if (member.stopReason !== null) return 'stopping';
  const { busy, ready } = source.load(member.worker);
  if (busy > 0 || isStoppingJob(member.worker)) return 'running';
  return ready ? 'idle' : 'initializing';
}

/**
 * Counts workers by state. Where none can start, one counts as throttled or unhealthy, because clients of the cloud
 * only read these counts.
 */
export function countWorkers(
  endpointId: string,
  jobs: Jobs,
  { group, endpoint, noGpu }: EndpointDiagnosis,
): WorkerCounts {
  const counts: WorkerCounts = { idle: 0, initializing: 0, running: 0, throttled: 0, unhealthy: 0 };
  for (const worker of jobs.workers.of(endpointId)) {
    const member = group?.members.get(worker.id);
    const state = group && member ? stateOf(group, member) : isBusy(worker) ? 'running' : 'idle';
    if (state !== 'stopping') counts[state]++;
  }
  if (endpoint && endpoint.workersMax > 0 && counts.running + counts.idle + counts.unhealthy === 0) {
    const trouble = troubleOfStanding({ group, endpoint, noGpu });
    if (noGpu !== null || trouble?.kind === 'no-gpu') counts.throttled = 1;
    // A worker that keeps dying may not exist between two of its starts. It counts all the same.
    else if (trouble) counts.unhealthy = 1;
  }
  return counts;
}

const unmeasured: WorkerUsage = { cpuPercent: null, memoryBytes: null };

/** Measures on request, so that nothing runs without a client. */
function usageOf(member: Member, clock: Clock): Promise<WorkerUsage> {
  const { process, usage } = member;
  if (!process.usage || member.runsSince === null) return Promise.resolve(unmeasured);
  if (usage && clock.elapsed() - usage.at < limits.usageMs) return usage.measured;
  const measured = process.usage().catch(() => unmeasured);
  member.usage = { at: clock.elapsed(), measured };
  return measured;
}

export async function recordOf(group: Group, member: Member, clock: Clock): Promise<WorkerRecord> {
  const { cpuPercent, memoryBytes } = await usageOf(member, clock);
  return {
    id: member.worker.id,
    endpointId: group.endpointId,
    version: member.version,
    state: stateOf(group, member),
    pid: member.process.pid,
    startedAt: new Date(member.worker.startedAt ?? clock.now()).toISOString(),
    jobs: [...member.worker.jobs].map(({ id }) => id),
    runtime: member.runtime,
    publicSdk: member.worker.publicSdk,
    python: member.process.python ?? null,
    preparing: member.process.preparing?.() ?? null,
    gpus: member.gpus.map(({ uuid }) => uuid),
    cpuPercent,
    memoryBytes,
  };
}

function troubleOfStanding({ group, noGpu }: EndpointDiagnosis): Trouble | null {
  const unable = group?.unavailable ?? noGpu;
  if (unable !== null) return { kind: 'cannot-run', reason: unable };
  if (group?.crowding) return { kind: 'no-gpu', reason: group.crowding.message };
  if (!group?.death) return null;
  const { reason, onStart, isHandler } = group.death;
  return { kind: 'died', reason, times: group.failures, onStart, isHandler };
}

/** The reason why an endpoint has no workers, as a sentence; null without a known reason. */
export function blockerOf(standing: EndpointDiagnosis): string | null {
  const trouble = troubleOfStanding(standing);
  return trouble?.kind === 'died' ? deathText(trouble) : (trouble?.reason ?? null);
}

/** `countsAhead`: whether to count the jobs before it. This takes longer the more there are. */
export function whyWaiting(
  job: Job,
  standing: EndpointDiagnosis,
  { jobs, clock, pause, countsAhead }: { jobs: Jobs; clock: Clock; pause: PauseState; countsAhead: boolean },
): Waiting {
  const { group, endpoint } = standing;
  const own = group
    ? [...group.members.values()]
        .filter(({ stopReason }) => stopReason === null)
        .map((member) => ({ member, state: stateOf(group, member) }))
    : [];
  const starting = own.filter(({ state }) => state === 'initializing').map(({ member }) => member);
  const startTimes = starting.map(({ worker }) => worker.startedAt).filter((at) => at !== null);
  const busy = own.filter(({ state }) => state === 'running').length;
  const others = jobs.workers.of(job.endpointId).filter((worker) => !worker.own);
  const othersBusy = others.filter(isBusy).length;
  const ofEndpoint = [...own.map(({ member }) => member.worker), ...others];
  const queue = jobs.queueOf(job.endpointId);
  const preparing = starting.map((member) => member.process.preparing?.() ?? null);
  return explainWaiting({
    lowPriority: job.lowPriority,
    crashes: isQuarantined(job) ? job.crashes : null,
    ahead: isQuarantined(job) || !countsAhead ? 0 : queue.ahead(job, limits.jobsAheadCounted),
    paused: pause.state === 'running' ? null : (pause.message ?? 'Work is paused on this machine.'),
    workersMax: endpoint?.workersMax ?? 0,
    scaler: { type: endpoint?.scalerType ?? 'QUEUE_DELAY', value: endpoint?.scalerValue ?? 1 },
    workersCalledFor: queue.counters.calling > 0 || (endpoint?.workersMin ?? 0) > 0,
    starting: starting.length,
    // A worker that runs already will be ready first.
    preparing: preparing.includes(null) ? null : (preparing[0] ?? null),
    idle: own.length - starting.length - busy,
    busy,
    startingSince: startTimes.length > 0 ? Math.min(...startTimes) : null,
    othersIdle: others.length - othersBusy,
    othersBusy,
    finishing: ofEndpoint.filter((worker) => worker.jobs.size === 0 && isStoppingJob(worker)).length,
    trouble: troubleOfStanding(standing),
    nextTryAt: group ? nextTryAt(group, clock) : null,
  });
}
