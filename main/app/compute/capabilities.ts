/** What an account can do, as one client: jobs and management everywhere, `local` only where a machine of ours answers. */
import {
  apiKeyCreatedSchema,
  endpointReadinessSchema,
  jobTimelineSchema,
  type ApiKeyCreated,
  type EndpointReadiness,
  type JobTimeline,
} from '#contract/local.ts';
import { laneSchema, logPageSchema, type Lane, type LogFilter, type LogLine, type LogPage } from '#contract/log.ts';
import { webhookDeliverySchema, type WebhookDelivery } from '#contract/webhook.ts';
import * as z from 'zod';
import { readJson } from './answers.ts';
import { createFilesApi, type FilesApi } from './files.ts';
import { createBillingApi, type BillingApi } from './billing.ts';
import { createGraphqlApi, type GraphqlApi } from './graphql.ts';
import { createJobsApi, type JobsApi } from './jobs.ts';
import { createMachineApi, type MachineApi } from './machine.ts';
import { readLogEvents } from './logEvents.ts';
import { createManagementApi, type ManagementApi } from './management.ts';
import type { Outbound } from './outbound.ts';
import { createPodsApi, type PodsApi } from './pods.ts';
import type { TerminalsApi } from '../terminalsApi.ts';
import { createTerminalsApi } from './terminals.ts';

/** The /local/v1 surface. */
export interface LocalApi {
  readiness(): Promise<EndpointReadiness[]>;
  timeline(jobId: string, signal?: AbortSignal): Promise<JobTimeline>;
  /** What was to be called about a job, and how each attempt went. */
  webhooks(jobId: string, signal?: AbortSignal): Promise<WebhookDelivery[]>;
  createApiKey(name: string): Promise<ApiKeyCreated>;
  lanes(endpointId: string, sinceMs: number): Promise<Lane[]>;
  logs(filter: LogFilter, page: { before?: number | undefined; limit: number }): Promise<LogPage>;
  /** Every line after the one numbered `after`, until the stream ends or breaks. */
  followLogs(filter: LogFilter, after: number, signal: AbortSignal): AsyncGenerator<LogLine, void, void>;
}

export interface ComputeApi {
  jobs: JobsApi;
  management: ManagementApi;
  pods: PodsApi;
  graphql: GraphqlApi;
  billing: BillingApi;
  /** Null where the account is not a machine of ours. */
  local: LocalApi | null;
  /** The computer behind it; null under the same condition. */
  machine: MachineApi | null;
  /** What is in its volumes; null under the same condition. */
  files: FilesApi | null;
  /** Into its containers; null under the same condition. */
  terminals: TerminalsApi | null;
}

/** A query of what is given. */
function query(fields: Record<string, string | number | undefined>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}

function createLocalApi(outbound: Outbound): LocalApi {
  const read = async <S extends z.ZodType>(path: string, answer: S, signal?: AbortSignal): Promise<z.output<S>> =>
    readJson(path, await outbound.send({ method: 'GET', path: `/local/v1/${path}`, signal }), answer);

  return {
    readiness: () => read('endpoints', z.array(endpointReadinessSchema)),
    timeline: (jobId, signal) => read(`jobs/${encodeURIComponent(jobId)}`, jobTimelineSchema, signal),
    webhooks: (jobId, signal) => read(`webhooks${query({ jobId })}`, z.array(webhookDeliverySchema), signal),
    async createApiKey(name) {
      const body = JSON.stringify({ name });
      const text = await outbound.send({ method: 'POST', path: '/local/v1/api-keys', body });
      return readJson('api-keys', text, apiKeyCreatedSchema);
    },
    lanes: (endpointId, sinceMs) => read(`workers/lanes${query({ endpointId, sinceMs })}`, z.array(laneSchema)),
    logs: (filter, page) => read(`logs${query({ ...filter, ...page })}`, logPageSchema),
    followLogs: (filter, after, signal) =>
      readLogEvents(outbound.events({ path: `/local/v1/logs/events${query({ ...filter, after })}`, signal })),
  };
}

/** One for each address that an account has; this machine has one for all. */
export interface Outbounds {
  jobs: Outbound;
  management: Outbound;
  graphql: Outbound;
}

export const createComputeApi = (
  { jobs, management, graphql }: Outbounds,
  { hasLocal }: { hasLocal: boolean; dialect: 'v1' | 'v2' },
): ComputeApi => ({
  jobs: createJobsApi(jobs),
  management: createManagementApi(management),
  pods: createPodsApi({ management, graphql }, hasLocal),
  graphql: createGraphqlApi(graphql),
  billing: createBillingApi(management, hasLocal),
  local: hasLocal ? createLocalApi(jobs) : null,
  machine: hasLocal ? createMachineApi(jobs) : null,
  files: hasLocal ? createFilesApi(jobs) : null,
  terminals: hasLocal ? createTerminalsApi(jobs) : null,
});
