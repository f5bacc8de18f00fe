/**
 * Counts what happens at endpoints, minute by minute.
 *
 * Events are counted in memory and stored every few seconds, all together. A crash therefore loses the counts of the
 * last seconds. What is read includes what is not stored yet.
 */
import { countDuration } from '#contract/core/histogram.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobStatus } from '#contract/api/job.ts';
import type { WorkerWatch } from '../autoscaling/workerEvents.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { JobCounter } from '../jobs/ports.ts';
import { HOUR_MS, MINUTE_MS, type MetricPiece, type MetricsStore } from './ports.ts';
import { addSums, newSums, type MetricSums } from './sums.ts';

export interface MetricsRecorder {
  readonly jobs: JobCounter;
  readonly workers: WorkerWatch;
  /** The price of a stretch of time, from and to in milliseconds since the epoch. `amount`: US dollars. */
  costed(endpointId: string, from: number, to: number, amount: number): void;
  /** Calls `take` with the sums that are not stored yet, of each minute. */
  unstored(endpointId: string, take: (minute: number, sums: MetricSums) => void): void;
  /** The endpoint was deleted: forgets all about it. */
  forget(endpointId: string): void;
  /** Stores what was counted, and counts nothing any more. */
  stop(): void;
}

export interface MetricsRecorderOptions {
  clock: Clock;
  store: MetricsStore;
  logger: Logger;
  /** The ids of all endpoints. */
  endpointIds(): readonly string[];
}

/** What was counted at one endpoint and is not stored. */
interface Counts {
  readonly minutes: Map<number, MetricSums>;
  /** The minute of the last event, which most events share. */
  last: { readonly minute: number; readonly sums: MetricSums } | null;
  readonly workerIds: Set<string>;
  /** The time of the workers before this moment is counted. Monotonic milliseconds. */
  workersCountedTo: number;
}

/** A longer gap between two beats means that the machine slept. Its workers did nothing in that gap. */
const LONGEST_STRETCH_MS = 4 * limits.metrics.beatMs;

const endings: Partial<Record<JobStatus, 'completed' | 'failed' | 'cancelled' | 'timedOut'>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TIMED_OUT: 'timedOut',
};

/** Divides a stretch of time at whole minutes. */
function eachMinute(from: number, to: number, take: (minute: number, ms: number) => void): void {
  while (from < to) {
    const minute = Math.floor(from / MINUTE_MS);
    const end = Math.min(to, (minute + 1) * MINUTE_MS);
    take(minute, end - from);
    from = end;
  }
}

/** What was counted and is not stored, of each endpoint. `onCounted` is called when there is something to store. */
function createCounts(clock: Clock, onCounted: () => void) {
  const byEndpoint = new Map<string, Counts>();

  function of(endpointId: string): Counts {
    let counts = byEndpoint.get(endpointId);
    if (!counts) {
      counts = { minutes: new Map(), last: null, workerIds: new Set(), workersCountedTo: 0 };
      byEndpoint.set(endpointId, counts);
    }
    return counts;
  }

  function sumsOf(counts: Counts, minute: number): MetricSums {
    if (counts.last?.minute === minute) return counts.last.sums;
    const { minutes } = counts;
    let sums = minutes.get(minute);
    if (!sums) {
      sums = newSums();
      minutes.set(minute, sums);
      if (minutes.size > limits.metrics.unstoredMinutes) minutes.delete(Math.min(...minutes.keys()));
    }
    counts.last = { minute, sums };
    onCounted();
    return sums;
  }

  return {
    byEndpoint,
    of,
    sumsOf,
    sumsNow: (endpointId: string): MetricSums => sumsOf(of(endpointId), Math.floor(clock.now() / MINUTE_MS)),
    /** Counts the time of the workers up to now. */
    countWorkers(counts: Counts): void {
      const passedMs = Math.floor(clock.elapsed() - counts.workersCountedTo);
      counts.workersCountedTo += passedMs;
      const { size } = counts.workerIds;
      if (size === 0) return;
      const now = clock.now();
      eachMinute(now - Math.min(passedMs, LONGEST_STRETCH_MS), now, (minute, ms) => {
        const sums = sumsOf(counts, minute);
        sums.workerMs += ms * size;
        sums.workersMost = Math.max(sums.workersMost, size);
      });
    },
  };
}

/** Deletes what is too old, and what belongs to deleted endpoints: once an hour, while it is called. */
function createThinning({ clock, store, logger, endpointIds }: MetricsRecorderOptions): () => void {
  let lastHour = NaN;
  return () => {
    const now = clock.now();
    const hour = Math.floor(now / HOUR_MS);
    if (hour === lastHour) return;
    lastHour = hour;
    const { minutesMs, hoursMs } = limits.metrics;
    const before = { minute: Math.floor((now - minutesMs) / MINUTE_MS), hour: Math.floor((now - hoursMs) / HOUR_MS) };
    store.thin(before, endpointIds(), (error) => {
      // The next hour tries again.
      if (error) logger.debug({ err: error }, 'old metrics could not be deleted');
    });
  };
}

export function createMetricsRecorder(options: MetricsRecorderOptions): MetricsRecorder {
  const { clock, store, logger, endpointIds } = options;
  const counts = createCounts(clock, arm);
  const { byEndpoint, sumsNow, countWorkers } = counts;
  const thin = createThinning(options);
  /** The pieces of commits that are under way. */
  const committing = new Set<MetricPiece>();
  let next: Cancel | null = null;
  let stopped = false;
  let failing = false;

  /** Adds the sums of a failed commit again. */
  function restore({ endpointId, minute, sums }: MetricPiece): void {
    addSums(counts.sumsOf(counts.of(endpointId), minute), sums);
  }

  function handIn(): void {
    const known = new Set(endpointIds());
    const pieces: MetricPiece[] = [];
    for (const [endpointId, ofEndpoint] of byEndpoint) {
      countWorkers(ofEndpoint);
      if (known.has(endpointId)) {
        for (const [minute, sums] of ofEndpoint.minutes) pieces.push({ endpointId, minute, sums });
      }
      ofEndpoint.minutes.clear();
      ofEndpoint.last = null;
      if (ofEndpoint.workerIds.size === 0) byEndpoint.delete(endpointId);
    }
    if (pieces.length === 0) return;
    for (const piece of pieces) committing.add(piece);
    store.add(pieces, (error) => {
      for (const piece of pieces) committing.delete(piece);
      // A full disk fails every beat, and is reported once.
      if (error && !failing) logger.warn({ err: error }, 'the metrics could not be stored; it is tried again');
      failing = Boolean(error);
      if (error) pieces.forEach(restore);
    });
  }

  /** One timer, and none while there is nothing to store. */
  function arm(): void {
    if (stopped || next !== null || byEndpoint.size === 0) return;
    next = clock.after(limits.metrics.beatMs, () => {
      next = null;
      handIn();
      thin();
      arm();
    });
  }

  return {
    jobs: {
      accepted(endpointId) {
        sumsNow(endpointId).accepted++;
      },
      ended(endpointId, status, delayMs, executionMs) {
        const ending = endings[status];
        if (!ending) return;
        const sums = sumsNow(endpointId);
        sums[ending]++;
        if (delayMs !== null) countDuration(sums.delay, delayMs);
        if (executionMs !== null) countDuration(sums.execution, executionMs);
      },
    },
    workers: {
      changed({ workerId, endpointId, state }) {
        if (state === 'preparing' || state === 'stopping') return;
        const ofEndpoint = counts.of(endpointId);
        if (ofEndpoint.workerIds.has(workerId)) return;
        countWorkers(ofEndpoint);
        ofEndpoint.workerIds.add(workerId);
        const sums = sumsNow(endpointId);
        sums.workersMost = Math.max(sums.workersMost, ofEndpoint.workerIds.size);
      },
      ended({ workerId, endpointId }) {
        const ofEndpoint = byEndpoint.get(endpointId);
        if (!ofEndpoint?.workerIds.has(workerId)) return;
        countWorkers(ofEndpoint);
        ofEndpoint.workerIds.delete(workerId);
      },
    },
    costed(endpointId, from, to, amount) {
      if (amount === 0) return;
      const ofEndpoint = counts.of(endpointId);
      eachMinute(from, to, (minute, ms) => {
        counts.sumsOf(ofEndpoint, minute).cost += (amount * ms) / (to - from);
      });
    },
    unstored(endpointId, take) {
      const ofEndpoint = byEndpoint.get(endpointId);
      if (ofEndpoint) countWorkers(ofEndpoint);
      for (const [minute, sums] of ofEndpoint?.minutes ?? []) take(minute, sums);
      for (const piece of committing) if (piece.endpointId === endpointId) take(piece.minute, piece.sums);
    },
    forget(endpointId) {
      byEndpoint.delete(endpointId);
      store.remove(endpointId, (error) => {
        // Old sums are deleted every hour, and those of deleted endpoints with them.
        if (error) logger.debug({ err: error, endpointId }, 'the metrics of a deleted endpoint could not be deleted');
      });
    },
    stop() {
      if (stopped) return;
      handIn();
      stopped = true;
      next?.();
      next = null;
    },
  };
}
