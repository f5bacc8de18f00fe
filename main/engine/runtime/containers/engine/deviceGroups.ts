/** The system groups that own the devices of AMD GPUs on this machine. */
import { stat } from 'node:fs/promises';
import type { GpuDevice } from '../../../domain/gpus/device.ts';

/** The group ids of the devices for AMD GPUs; empty without an AMD GPU. */
export async function deviceGroups(gpus: readonly GpuDevice[]): Promise<number[]> {
  if (!gpus.some(({ vendor }) => vendor === 'amd')) return [];
  const stats = await Promise.all(['/dev/kfd', '/dev/dri/renderD128'].map((file) => stat(file).catch(() => null)));
  return [...new Set(stats.flatMap((device) => (device ? [device.gid] : [])))];
}
