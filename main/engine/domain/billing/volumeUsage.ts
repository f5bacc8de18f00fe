/** Meters network volumes from their creation to their deletion. A new size counts from the moment of the change. */
import type { NetworkVolume } from '#contract/api/resources.ts';
import type { Prices } from './pricing.ts';
import type { UsageMeter } from './meter.ts';

/** Returns the function to call after each change of the volumes. */
export function createVolumeUsage(
  meter: UsageMeter,
  prices: Prices,
  volumes: () => readonly Pick<NetworkVolume, 'id' | 'size'>[],
): () => void {
  const measured = new Map<string, number>();

  function measure(): void {
    const sizes = new Map(volumes().map(({ id, size }) => [id, size]));
    for (const id of measured.keys()) {
      if (sizes.has(id)) continue;
      measured.delete(id);
      meter.end(id);
    }
    for (const [id, gb] of sizes) {
      if (measured.get(id) === gb) continue;
      measured.set(id, gb);
      meter.begin(id, {
        workerId: '',
        gb,
        diskOnly: false,
        perHour: () => gb * prices.perGbHour(),
        series: { kind: 'volume', resourceId: id, templateId: '', imageName: '', gpuTypeId: '' },
      });
    }
  }

  measure();
  return measure;
}
