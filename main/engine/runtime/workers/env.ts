/** The environment through which a worker finds its engine and its GPUs: the public worker protocol's variables, expanded. */
import { availableParallelism, totalmem } from 'node:os';
import { limits } from '#contract/core/limits.ts';
import type { GpuDevice } from '../../domain/gpus/device.ts';

export interface WorkerAddress {
  /** Base address of the engine, without a trailing slash. */
  engine: string;
  endpointId: string;
  workerId: string;
  key: string;
  /** What it was given; none on the CPU. */
  gpus: readonly GpuDevice[];
}

const GB = 1024 ** 3;

/** What a template may say otherwise. The SDK's start-up checks ask for the internet, a big disk and a GPU; a workstation may have none of them. */
export const workerDefaults = (gpus: readonly GpuDevice[]): Record<string, string> => ({
  RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
  ...(gpus.length === 0 ? { RUNPOD_SKIP_GPU_CHECK: 'true' } : {}),
});

/** Workers append `&…` to each address, so each has a `?` already. `$ID` stays: the worker puts the job's id there. */
export function workerEnv({ engine, endpointId, workerId, key, gpus }: WorkerAddress): Record<string, string> {
  const at = `${engine}/v2/${endpointId}`;
  const gpuType = gpus[0]?.typeId ?? 'CPU';
  const gpu = new URLSearchParams({ gpu: gpuType }).toString();
  return {
    RUNPOD_WEBHOOK_GET_JOB: `${at}/job-take/${workerId}?${gpu}`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${at}/job-done/${workerId}/$ID?${gpu}`,
    RUNPOD_WEBHOOK_POST_STREAM: `${at}/job-stream/${workerId}/$ID?${gpu}`,
    RUNPOD_WEBHOOK_PING: `${at}/ping/${workerId}?${gpu}`,
    RUNPOD_PING_INTERVAL: String(limits.workerPingMs),
    RUNPOD_AI_API_KEY: key,
    RUNPOD_POD_ID: workerId,
    RUNPOD_ENDPOINT_ID: endpointId,
    RUNPOD_POD_HOSTNAME: workerId,
    RUNPOD_GPU_COUNT: String(gpus.length),
    RUNPOD_GPU_TYPE_ID: gpuType,
    RUNPOD_CPU_COUNT: String(availableParallelism()),
    RUNPOD_MEM_GB: String(Math.round(totalmem() / GB)),
    HANGAR_WORKER: '1',
  };
}

const AMD_NONE = { HIP_VISIBLE_DEVICES: '-1', ROCR_VISIBLE_DEVICES: '' };

/**
 * What lets a process of this machine see just the GPUs that it was given. `hidden`: one that was given none shall see none, on a
 * machine that has some.
 */
export function visibleDevices(gpus: readonly GpuDevice[], hidden: boolean): Record<string, string> {
  if (gpus.length === 0) return hidden ? { CUDA_VISIBLE_DEVICES: '', ...AMD_NONE } : {};
  const uuids = gpus.map(({ uuid }) => uuid).join(',');
  if (gpus[0]!.vendor === 'nvidia') return { CUDA_VISIBLE_DEVICES: uuids, ...(hidden ? AMD_NONE : {}) };
  return {
    // ROCm's runtime takes its own ids where a GPU tells one, and HIP counts what that leaves.
    ROCR_VISIBLE_DEVICES: gpus.map(({ uuid, index }) => (uuid.startsWith('GPU-') ? uuid : String(index))).join(','),
    HIP_VISIBLE_DEVICES: gpus.map((_gpu, place) => place).join(','),
  };
}
