/** The variables that a Pod finds in its container. Those with numbers of its ports are added by who chooses them. */
import { LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import type { PodRecord } from './podInterfaces.ts';

/** Where this machine's Pods are reached, and the region that it is. */
export const POD_IP = '127.0.0.1';
export const HERE = LOCAL_DATA_CENTER;

/**
 * What the person or the template says is under what the machine knows. Secrets are filled in already.
 */
export function podEnv(
  pod: PodRecord,
  has: { cores: number; memoryInGb: number },
  /** SSH keys of the person; a Pod may name others. */
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
