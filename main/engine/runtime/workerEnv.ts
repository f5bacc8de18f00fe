/** The environment through which a worker finds its engine: the public worker protocol's variables, expanded. */
import { limits } from '#contract/limits.ts';

export interface WorkerAddress {
  /** Base address of the engine, without a trailing slash. */
  engine: string;
  endpointId: string;
  workerId: string;
  key: string;
}

/** Workers append `&…` to each address, so each has a `?` already. `$ID` stays: the worker puts the job's id there. */
export function workerEnv({ engine, endpointId, workerId, key }: WorkerAddress): Record<string, string> {
  const at = `${engine}/v2/${endpointId}`;
  return {
    RUNPOD_WEBHOOK_GET_JOB: `${at}/job-take/${workerId}?gpu=CPU`,
    RUNPOD_WEBHOOK_POST_OUTPUT: `${at}/job-done/${workerId}/$ID?gpu=CPU`,
    RUNPOD_WEBHOOK_POST_STREAM: `${at}/job-stream/${workerId}/$ID?gpu=CPU`,
    RUNPOD_WEBHOOK_PING: `${at}/ping/${workerId}?gpu=CPU`,
    RUNPOD_PING_INTERVAL: String(limits.workerPingMs),
    RUNPOD_AI_API_KEY: key,
    RUNPOD_POD_ID: workerId,
    RUNPOD_ENDPOINT_ID: endpointId,
    // The SDK's start-up checks ask for the internet, a big disk and a GPU; a workstation may have none of them.
    RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
    RUNPOD_SKIP_GPU_CHECK: 'true',
    HANGAR_WORKER: '1',
  };
}
