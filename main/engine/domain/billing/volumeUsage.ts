/** Has network volumes measured for as long as they are there, each change of their size from then on. */
import type { NetworkVolume } from '#contract/api/resources.ts';
import type { Prices } from './pricing.ts';
import type { UsageMeter } from './meter.ts';

/** Answers with what is to be called when volumes have changed. */
export function createVolumeUsage(
  meter: UsageMeter,
  prices: Prices,
  volumes: () => readonly Pick<NetworkVolume, 'id' | 'size'>[],
): () => void {
  const measured = new Map<string, number>();

  function measure(): void {
    const there = new Map(volumes().map(({ id, size }) => [id, size]));
    for (const id of measured.keys()) {
      if (there.has(id)) continue;
      measured.delete(id);
      meter.end(id);
    }
    for (const [id, gb] of there) {
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
