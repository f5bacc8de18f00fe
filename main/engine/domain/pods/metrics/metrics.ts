/**
 * Measures the Pods that run and keeps the values for a day: short spans for an hour, longer ones for longer. Its timer
 * runs only while a Pod should run. The values are stored once a minute: a crash loses the last minute. The time in
 * which the engine did not run has no values.
 */
import type { PodActivity } from '#contract/api/autoStopRule.ts';
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { PodMetrics, PodPoint } from '#contract/local/podMetrics.ts';
import type { Cancel, Clock, Logger } from '../../core/ports.ts';
import type { FindUse } from '../../gpus/history/ports.ts';
import { createSpans, spanStart } from '../../gpus/history/spans.ts';
import { periods } from '../../gpus/history/steps.ts';
import { meanOf, measuredOf } from '../../gpus/history/sums.ts';
import type { PodSample } from '../podInterfaces.ts';
import { addSums, measure as addMeasurement, newSums } from './sums.ts';
import type { PodHistoryStore, PodMeasurement, PodSums } from './sums.ts';

export interface PodMetricsRecorder {
  /** A Pod may have been made, started, stopped or forgotten. */
  changed(): void;
  /** The metrics of a Pod; without a value where it was not measured. */
  of(podId: string, period: GpuPeriod): PodMetrics;
  /** Ends the measurements, and stores what is not stored yet. */
  stop(): void;
}

export interface PodMetricsOptions {
  clock: Pick<Clock, 'now' | 'after' | 'elapsed'>;
  logger: Pick<Logger, 'debug'>;
  store: Pick<PodHistoryStore, 'add' | 'read' | 'retain'>;
  /** The Pods that are not deleted. */
  podIds(): readonly string[];
  /** Those that should run. */
  runningIds(): readonly string[];
  /** Null while its container does not run. */
  sample(podId: string): Promise<PodSample | null>;
  /** The GPUs of the machine with their last measurement. */
  gpus(): readonly MachineGpu[];
  findUse: FindUse;
  /** Takes what each measurement says of a Pod that should run; null if it could not be measured. */
  observed(podId: string, activity: Omit<PodActivity, 'terminals'> | null): void;
}

/** The previous measurement of one Pod. */
interface Track {
  /** The previous sample of its container; null if it did not run then. */
  before: PodSample | null;
  /** The times of the measurements of its GPUs that were added last. */
  gpusAt: string;
}

/** A Pod that runs is measured this often: each of the shortest spans has several measurements. */
const SAMPLE_MS = 10_000;
const NS_PER_MS = 1e6;
const iso = (at: number): string => new Date(at).toISOString();

/**
 * The load of the processor between two samples, 100 for all cores; null after a restart of the container between them.
 */
function cpuPercent(before: PodSample | null, now: PodSample): number | null {
  if (before === null) return null;
  const spanNs = (now.at - before.at) * NS_PER_MS;
  const busyNs = now.busyNs - before.busyNs;
  return spanNs > 0 && busyNs >= 0 ? Math.min(100, (100 * busyNs) / (spanNs * now.cores)) : null;
}

/**
 * Bytes per second between two samples; null after a restart of the container between them, and without a measured
 * network.
 */
function traffic(before: PodSample | null, now: PodSample): number | null {
  if (before === null || before.networkBytes === null || now.networkBytes === null) return null;
  const bytes = now.networkBytes - before.networkBytes;
  return now.at > before.at && bytes >= 0 ? (1000 * bytes) / (now.at - before.at) : null;
}

/** An older load of a GPU says nothing about now. */
const GPU_LOAD_MS = 60_000;

/** Null if the list is empty or has a null. */
function sumOf(values: readonly (number | null)[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}

function gpuMeasurement(podId: string, gpus: readonly MachineGpu[], findUse: FindUse): PodMeasurement {
  const loads = gpus.map(({ load }) => load?.utilPercent ?? null);
  const load = sumOf(loads);
  const own = gpus.map(
    (gpu) => findUse(gpu).users.find(({ kind, id }) => kind === 'pod' && id === podId)?.memoryBytes ?? null,
  );
  return {
    gpuPercent: load === null ? null : load / loads.length,
    gpuMemoryBytes: sumOf(gpus.map((gpu) => gpu.load?.memoryUsedBytes ?? null)),
    ownGpuMemoryBytes: sumOf(own),
  };
}

function pointOf(at: number, { quantities: sums }: PodSums): PodPoint {
  return {
    at: iso(at),
    cpuPercent: measuredOf(sums.cpuPercent, 1),
    memoryBytes: measuredOf(sums.memoryBytes, 0),
    gpuPercent: measuredOf(sums.gpuPercent, 1),
    gpuMemoryBytes: measuredOf(sums.gpuMemoryBytes, 0),
    ownGpuMemoryBytes: meanOf(sums.ownGpuMemoryBytes, 0),
  };
}

export function createPodMetrics(options: PodMetricsOptions): PodMetricsRecorder {
  const { clock, logger, podIds, runningIds, sample, findUse } = options;
  const tracks = new Map<string, Track>();
  const spans = createSpans({ clock, store: options.store, newSums, addSums });
  /** The Pods at the last look; null before the first one. */
  let known: ReadonlySet<string> | null = null;
  let next: Cancel | null = null;
  let isMeasuring = false;
  let isStopped = false;

  const gpusOf = (podId: string): readonly MachineGpu[] =>
    options.gpus().filter(({ heldBy }) => heldBy.some((by) => 'podId' in by && by.podId === podId));

  function add(podId: string, measurement: PodMeasurement): void {
    for (const sums of spans.current(podId)) addMeasurement(sums, measurement);
  }

  function addGpus(podId: string, track: Track): void {
    const gpus = gpusOf(podId);
    add(podId, { gpuMemoryLimitBytes: sumOf(gpus.map(({ memoryBytes }) => memoryBytes)) });
    const gpusAt = gpus.map(({ load }) => load?.at ?? '').join();
    // Nobody may look at the GPUs, and they are measured seldom then.
    if (gpusAt === track.gpusAt) return;
    track.gpusAt = gpusAt;
    add(podId, gpuMeasurement(podId, gpus, findUse));
  }

  async function measure(podId: string): Promise<void> {
    const now = await sample(podId).catch((error: unknown) => {
      logger.debug({ podId, err: error }, 'a Pod could not be measured');
      return null;
    });
    const track = tracks.get(podId) ?? { before: null, gpusAt: '' };
    const { before } = track;
    track.before = now;
    // It may have been deleted meanwhile.
    if (isStopped || !podIds().includes(podId)) return;
    if (now === null) {
      options.observed(podId, null);
      return;
    }
    tracks.set(podId, track);
    const busyPercent = cpuPercent(before, now);
    add(podId, { cpuPercent: busyPercent, memoryBytes: now.memoryBytes, memoryLimitBytes: now.limitBytes });
    addGpus(podId, track);
    const gpuPercents = gpusOf(podId).map(({ load }) =>
      load !== null && clock.now() - Date.parse(load.at) <= GPU_LOAD_MS ? load.utilPercent : null,
    );
    const trafficBytesPerS = traffic(before, now);
    options.observed(podId, { cpuPercent: busyPercent, cores: now.cores, gpuPercents, trafficBytesPerS });
  }

  function forgetDeleted(): void {
    const before = known;
    const now = new Set(podIds());
    known = now;
    // At the start, also of Pods that the engine does not know any more.
    if (before !== null && [...before].every((podId) => now.has(podId))) return;
    for (const podId of tracks.keys()) if (!now.has(podId)) tracks.delete(podId);
    spans.retain([...now]);
  }

  async function measureAll(): Promise<void> {
    next = null;
    isMeasuring = true;
    await Promise.all(runningIds().map(measure));
    isMeasuring = false;
    if (isStopped) return;
    // While no Pod runs, no later measurement stores the last values.
    if (runningIds().length > 0) spans.beat();
    else spans.flush();
    plan(SAMPLE_MS);
  }

  function plan(ms: number): void {
    if (next === null && !isMeasuring && runningIds().length > 0) next = clock.after(ms, () => void measureAll());
  }

  return {
    changed() {
      if (isStopped) return;
      forgetDeleted();
      plan(SAMPLE_MS);
    },
    of(podId, period) {
      const { stepMs, points: count } = periods[period];
      const to = clock.now();
      const from = spanStart(to, stepMs) - (count - 1) * stepMs;
      const stored = spans.read(podId, stepMs, from);
      const points = Array.from({ length: count }, (_, place) => {
        const at = from + place * stepMs;
        return pointOf(at, stored.get(at) ?? newSums());
      });
      const all = newSums();
      // The limits are those of the last measurement of the period.
      for (const [, sums] of [...stored].toSorted(([a], [b]) => a - b)) addSums(all, sums);
      const { memoryLimitBytes, gpuMemoryLimitBytes } = all;
      return { podId, period, from: iso(from), to: iso(to), stepMs, memoryLimitBytes, gpuMemoryLimitBytes, points };
    },
    stop() {
      isStopped = true;
      next?.();
      spans.flush();
    },
  };
}
