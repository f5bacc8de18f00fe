/**
 * The environment variables of a Pod's container, without those for its port numbers: the driver adds these when it chooses the
 * ports.
 */
import { LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import type { PodRecord } from './podInterfaces.ts';

/** The address and the region of this machine's Pods. */
export const POD_IP = '127.0.0.1';
export const HERE = LOCAL_DATA_CENTER;

/** The variables that tell a container how many CPU cores and how many GB of memory it may use. */
export const LIMIT_VARIABLES = ['RUNPOD_CPU_COUNT', 'RUNPOD_MEM_GB'] as const;

/** The variables of a Pod. The machine's own values win over those of the person and the template. Secrets must be filled in before. */
export function podEnv(
  pod: PodRecord,
  has: { cores: number; memoryInGb: number },
  /** SSH keys of the person; a Pod may set others. */
  pubKey: string,
): Record<string, string> {
  return {
    ...(pubKey === '' ? {} : { PUBLIC_KEY: pubKey }),
    ...pod.env,
    RUNPOD_POD_ID: pod.id,
    RUNPOD_POD_HOSTNAME: pod.id,
    RUNPOD_DC_ID: HERE,
    RUNPOD_PUBLIC_IP: POD_IP,
    RUNPOD_GPU_COUNT: String(pod.gpuUuids.length),
    ...(pod.gpuUuids.length === 0 ? {} : { RUNPOD_GPU_NAME: pod.gpuTypeId }),
    RUNPOD_CPU_COUNT: String(pod.vcpuCount > 0 ? pod.vcpuCount : has.cores),
    RUNPOD_MEM_GB: String(pod.memoryInGb > 0 ? pod.memoryInGb : has.memoryInGb),
    ...(pod.networkVolumeId === '' ? {} : { RUNPOD_VOLUME_ID: pod.networkVolumeId }),
  };
}
