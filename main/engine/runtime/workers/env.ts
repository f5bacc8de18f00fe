/**
 * The environment variables by which a worker finds its engine and its GPUs, as in the public worker protocol, with
 * expanded values.
 */
import { availableParallelism, totalmem } from 'node:os';
import { limits } from '#contract/core/limits.ts';
import type { GpuDevice } from '../../domain/gpus/device.ts';

export interface WorkerAddress {
  /** The base address of the engine, without a trailing slash. */
  engine: string;
  endpointId: string;
  workerId: string;
  key: string;
  /** The GPUs of the worker; empty on the CPU. */
  gpus: readonly GpuDevice[];
}

const GB = 1024 ** 3;

/**
 * Defaults that a template may override. The checks of the SDK at its start require internet access, a big disk and a
 * GPU, which a workstation may lack.
 */
export const workerDefaults = (gpus: readonly GpuDevice[]): Record<string, string> => ({
  RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
  ...(gpus.length === 0 ? { RUNPOD_SKIP_GPU_CHECK: 'true' } : {}),
});

/**
 * Workers append `&…` to each address, so each one contains a `?`. `$ID` stays: the worker replaces it with the id of
 * the job.
 */
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
 * The variables that limit a process of this machine to its GPUs. `hidden`: a worker without GPUs must see none, on a
 * machine with GPUs.
 */
export function visibleDevices(gpus: readonly GpuDevice[], hidden: boolean): Record<string, string> {
  const [first] = gpus;
  if (!first) return hidden ? { CUDA_VISIBLE_DEVICES: '', ...AMD_NONE } : {};
  const uuids = gpus.map(({ uuid }) => uuid).join(',');
  if (first.vendor === 'nvidia') return { CUDA_VISIBLE_DEVICES: uuids, ...(hidden ? AMD_NONE : {}) };
  return {
    // ROCm's runtime accepts its own ids, or indexes for GPUs without one. HIP numbers the remaining GPUs.
    ROCR_VISIBLE_DEVICES: gpus.map(({ uuid, index }) => (uuid.startsWith('GPU-') ? uuid : String(index))).join(','),
    HIP_VISIBLE_DEVICES: gpus.map((_gpu, place) => place).join(','),
  };
}
