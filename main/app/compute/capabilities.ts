/** What an account can do, as one client: jobs and management everywhere, `local` only where a machine of ours answers. */
import {
  apiKeyCreatedSchema,
  endpointReadinessSchema,
  jobTimelineSchema,
  type ApiKeyCreated,
  type EndpointReadiness,
  type JobTimeline,
} from '#contract/local.ts';
import * as z from 'zod';
import { readJson } from './answers.ts';
import { createJobsApi, type JobsApi } from './jobs.ts';
import { createMachineApi, type MachineApi } from './machine.ts';
import { createManagementApi, type ManagementApi } from './management.ts';
import type { Outbound } from './outbound.ts';

/** The /local/v1 surface. */
export interface LocalApi {
  readiness(): Promise<EndpointReadiness[]>;
  timeline(jobId: string, signal?: AbortSignal): Promise<JobTimeline>;
  createApiKey(name: string): Promise<ApiKeyCreated>;
}

export interface ComputeApi {
  jobs: JobsApi;
  management: ManagementApi;
  /** Null where the account is not a machine of ours. */
  local: LocalApi | null;
  /** The computer behind it; null under the same condition. */
  machine: MachineApi | null;
}

function createLocalApi(outbound: Outbound): LocalApi {
  return {
    async readiness() {
      const text = await outbound.send({ method: 'GET', path: '/local/v1/endpoints' });
      return readJson('endpoints', text, z.array(endpointReadinessSchema));
    },
    async timeline(jobId, signal) {
      const path = `/local/v1/jobs/${encodeURIComponent(jobId)}`;
      return readJson('timeline', await outbound.send({ method: 'GET', path, signal }), jobTimelineSchema);
    },
    async createApiKey(name) {
      const body = JSON.stringify({ name });
      const text = await outbound.send({ method: 'POST', path: '/local/v1/api-keys', body });
      return readJson('api-keys', text, apiKeyCreatedSchema);
    },
  };
}

export const createComputeApi = (outbound: Outbound, { hasLocal }: { hasLocal: boolean }): ComputeApi => ({
  jobs: createJobsApi(outbound),
  management: createManagementApi(outbound),
  local: hasLocal ? createLocalApi(outbound) : null,
  machine: hasLocal ? createMachineApi(outbound) : null,
});
