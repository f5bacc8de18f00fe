/** What a Pod costs now, and when one that costs money counts as idle: for the page, the tray and notifications. */
import type * as z from 'zod';
import { busyWith } from '../api/autoStopRule.ts';
import type { lenientPodSchema } from '../api/lenient.ts';
import type { PodFacts } from '../api/pod.ts';

/**
 * A Pod that has just started may still be loading its model. A notification waits as long after the first idle
 * measurement.
 */
export const IDLE_AFTER_S = 15 * 60;

export interface IdlePod {
  /** The highest load of its GPUs. */
  readonly gpuPercent: number;
  readonly cpuPercent: number;
  readonly uptimeS: number;
}

interface PodSource {
  readonly pod: z.infer<typeof lenientPodSchema>;
  /** Null: its account does not measure it. */
  readonly facts: PodFacts | null;
}

/**
 * What it costs an hour at this moment, US dollars. An engine of Hangar bills a Pod while its container runs: one that
 * pulls its image, waits for its next start or cannot start costs nothing. A cloud bills it until it is stopped.
 */
export function costPerHourNow({ pod, facts }: PodSource): number {
  if (pod.desiredStatus !== 'RUNNING') return 0;
  // Only engines of Hangar report limits.
  const isOfEngine = facts?.limits !== undefined;
  return isOfEngine && facts.runtime === null ? 0 : pod.costPerHr;
}

/** The load of a Pod that costs money and does nothing, by the rule of the automatic stop; null for every other Pod. */
export function idlePodOf({ pod, facts }: PodSource): IdlePod | null {
  const runtime = facts?.runtime ?? null;
  if (pod.desiredStatus !== 'RUNNING' || runtime === null || pod.costPerHr === 0) return null;
  const uptimeS = runtime.uptimeInSeconds;
  const gpuPercents = runtime.gpus.map(({ gpuUtilPercent }) => gpuUtilPercent);
  if (runtime.container === null || uptimeS < IDLE_AFTER_S) return null;
  const { cpuPercent } = runtime.container;
  const cores = pod.vcpuCount > 0 ? pod.vcpuCount : null;
  const isBusy = busyWith({ cpuPercent, cores, gpuPercents, trafficBytesPerS: null, terminals: null }) !== null;
  return isBusy ? null : { gpuPercent: Math.max(0, ...gpuPercents), cpuPercent, uptimeS };
}
