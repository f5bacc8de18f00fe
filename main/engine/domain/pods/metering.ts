/** Meters Pods: their GPUs or CPU while their containers run, and their own volumes until they are deleted. */
import { limits } from '#contract/core/limits.ts';
import { paidHardware } from './price.ts';
import type { PodContainer, PodRecord, PodWatch } from './podInterfaces.ts';
import type { Clock, Logger } from '../core/ports.ts';
import type { Prices } from '../billing/pricing.ts';
import { HOUR_MS, type UsagePiece, type UsageStore } from '../billing/usage.ts';
import type { UsageMeter, Use } from '../billing/meter.ts';

export interface PodUsageParts {
  meter: UsageMeter;
  prices: Prices;
  store: UsageStore;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  /** CPU cores of this machine. */
  cores: number;
}

export function createPodUsage({ meter, prices, store, clock, logger, cores }: PodUsageParts): PodWatch {
  /** The parameters of each measurement as text: a different text begins a new measurement. */
  const measured = new Map<string, string>();
  /** Pods whose containers ran during this run of the engine. */
  const runningIds = new Set<string>();

  function useOf(pod: PodRecord, runs: boolean): Use | null {
    const { gpuTypeId, count } = paidHardware(pod, cores);
    // A network volume is metered by itself.
    const gb = pod.networkVolumeId === '' ? pod.volumeInGb : 0;
    if (pod.desiredStatus === 'TERMINATED' || (!runs && gb === 0)) return null;
    return {
      workerId: '',
      gb,
      diskOnly: !runs,
      series: { kind: 'pod', resourceId: pod.id, templateId: '', imageName: '', gpuTypeId },
      perHour: () => (runs ? prices.perHour(gpuTypeId, count) : 0) + gb * prices.perGbHour(),
    };
  }

  /**
   * Adds the usage of a Pod that ran while no engine did, at the current price. Each hour gets the difference between
   * the time that the container ran and the time that is recorded, so nothing counts twice.
   */
  function makeUp({ series, gb, perHour }: Use, startedAt: number): void {
    const now = clock.now();
    const from = Math.max(startedAt, now - limits.billing.madeUpMs);
    const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
    const ids = store.series('pod').flatMap(({ id, resourceId }) => (resourceId === series.resourceId ? [id] : []));
    const recordedMs = new Map<number, number>();
    const query = { seriesIds: ids, unit: 'hour', perWorker: false } as const;
    store.sums({ ...query, fromHour: hourOf(from), toHour: hourOf(now) + 1 }, ({ at, ms }) => {
      recordedMs.set(at, (recordedMs.get(at) ?? 0) + ms);
    });
    const pieces: UsagePiece[] = [];
    for (let hour = hourOf(from); hour * HOUR_MS < now; hour++) {
      const ranMs = Math.min(now, (hour + 1) * HOUR_MS) - Math.max(from, hour * HOUR_MS);
      const ms = Math.floor(ranMs - (recordedMs.get(hour) ?? 0));
      if (ms > 0) pieces.push({ series, workerId: '', hour, ms, gb, amount: (ms * perHour()) / HOUR_MS });
    }
    if (pieces.length === 0) return;
    store.add(pieces, (error) => {
      if (error) logger.warn({ err: error }, 'the usage of a Pod while no engine ran could not be stored');
    });
  }

  return {
    changed(pod, container: PodContainer | null) {
      const runs = container?.running === true;
      const use = useOf(pod, runs);
      const is = use === null ? '' : JSON.stringify([use.series, use.gb, runs, pod.gpuUuids, pod.vcpuCount]);
      if (use && runs && !runningIds.has(pod.id)) {
        runningIds.add(pod.id);
        if (container.startedAt !== null) makeUp(use, container.startedAt);
      }
      if (pod.desiredStatus === 'TERMINATED') runningIds.delete(pod.id);
      if (is === (measured.get(pod.id) ?? '')) return;
      if (use === null) {
        measured.delete(pod.id);
        meter.end(pod.id);
      } else {
        measured.set(pod.id, is);
        meter.begin(pod.id, use);
      }
    },
  };
}
