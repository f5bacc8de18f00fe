/** When a Pod counts as idle, for Home and for notifications. */
import type * as z from 'zod';
import type { lenientPodSchema } from '../api/lenient.ts';
import type { PodFacts } from '../api/pod.ts';

/** Below this load a Pod is idle. A Pod without measurements counts as busy. */
const IDLE_PERCENT = 5;
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

interface IdlePodSource {
  readonly pod: z.infer<typeof lenientPodSchema>;
  /** Null: its account does not measure it. */
  readonly facts: PodFacts | null;
}

/** The load of a Pod that costs money and does nothing; null for every other Pod. */
export function idlePodOf({ pod, facts }: IdlePodSource): IdlePod | null {
  const runtime = facts?.runtime ?? null;
  if (pod.desiredStatus !== 'RUNNING' || runtime === null || pod.costPerHr === 0) return null;
  const uptimeS = runtime.uptimeInSeconds;
  const gpuPercent = Math.max(0, ...runtime.gpus.map(({ gpuUtilPercent }) => gpuUtilPercent));
  if (runtime.container === null) return null;
  const { cpuPercent } = runtime.container;
  if (uptimeS < IDLE_AFTER_S || Math.max(gpuPercent, cpuPercent) >= IDLE_PERCENT) return null;
  return { gpuPercent, cpuPercent, uptimeS };
}
