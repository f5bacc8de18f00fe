/** What an account tells of a Pod, for the rule of the automatic stop. */
import type { PodActivity } from '#contract/api/autoStopRule.ts';
import type { PodRow } from '#contract/bridge/pod.ts';

/**
 * The activity of a Pod of an account; null if the account does not tell its load. Its network is not told.
 *
 * @param terminals Those of this app in the Pod.
 */
export function activityOf({ pod, facts }: Pick<PodRow, 'pod' | 'facts'>, terminals: number): PodActivity | null {
  const runtime = facts?.runtime ?? null;
  if (runtime === null) return null;
  const gpus = runtime.gpus.map(({ gpuUtilPercent }) => gpuUtilPercent);
  return {
    cpuPercent: runtime.container?.cpuPercent ?? null,
    cores: pod.vcpuCount > 0 ? pod.vcpuCount : null,
    // The load of a GPU that the account does not list is not known.
    gpuPercents: gpus.length < pod.gpuCount ? [...gpus, null] : gpus,
    trafficBytesPerS: null,
    terminals,
  };
}

/** US dollars per hour; 0 if the account tells no price. */
export const priceOf = ({ pod }: Pick<PodRow, 'pod'>): number => pod.costPerHr || pod.adjustedCostPerHr;

/**
 * When a Pod that runs was started, milliseconds since the epoch.
 *
 * @param before The same by an earlier look at this run of the Pod; null for the first look. It is used if the account does not
 *   tell the time: the start of a container alone is no start of the Pod.
 */
export function startOf({ pod, facts }: Pick<PodRow, 'pod' | 'facts'>, before: number | null, now: number): number {
  const reported = Date.parse(pod.lastStartedAt);
  if (!Number.isNaN(reported)) return reported;
  return before ?? now - (facts?.runtime?.uptimeInSeconds ?? 0) * 1000;
}
