/** What an account can do, as one client whatever it speaks; what it lacks is null, or rejects with UNSUPPORTED and a sentence. */
import { AppError } from '#contract/core/errors.ts';
import {
  endpointReadinessSchema,
  jobTimelineSchema,
  type EndpointReadiness,
  type JobTimeline,
} from '#contract/local/engine.ts';
import { laneSchema, logPageSchema, type LogFilter, type ToldLogFilter } from '#contract/local/log.ts';
import { webhookDeliverySchema, type WebhookDelivery } from '#contract/api/webhook.ts';
import * as z from 'zod';
import { readJson } from './http/parsers.ts';
import { createApiKeysApi, type ApiKeysApi } from './apiKeys.ts';
import { createFilesApi, type FilesApi } from './files.ts';
import { createFoldersApi, type FoldersApi } from './folders.ts';
import type { BillingApi } from './billing.ts';
import { createBillingV1 } from './v1/billing.ts';
import { createBillingV2 } from './v2/billing.ts';
import { createCatalogV2 } from './v2/catalog.ts';
import { createGraphqlApi, type GraphqlApi } from './graphql.ts';
import { createJobsApi, type JobsApi } from './jobs.ts';
import { createMachineApi, type MachineApi } from './machine.ts';
import { readLogEvents } from './http/logEvents.ts';
import { createLogsV2 } from './v2/logs.ts';
import type { ManagementApi } from './management.ts';
import { createManagementV1 } from './v1/management.ts';
import { createManagementV2 } from './v2/management.ts';
import type { Outbound } from './http/outbound.ts';
import type { PodsApi } from './pods.ts';
import { createPodsV1 } from './v1/pods.ts';
import { createPodsV2 } from './v2/pods.ts';
import { createRestV2 } from './v2/client.ts';
import type { TerminalsApi } from '../platform/terminalPort.ts';
import { createTerminalsApi } from './terminals.ts';
import type { LogsApi, WorkersApi } from './workers.ts';
import { createWorkersV2 } from './v2/workers.ts';

/** The /local/v1 surface. */
export interface LocalApi {
  readiness(): Promise<EndpointReadiness[]>;
  timeline(jobId: string, signal?: AbortSignal): Promise<JobTimeline>;
  /** What was to be called about a job, and how each attempt went. */
  webhooks(jobId: string, signal?: AbortSignal): Promise<WebhookDelivery[]>;
  folders: FoldersApi;
  apiKeys: ApiKeysApi;
}

export interface ComputeApi {
  jobs: JobsApi;
  management: ManagementApi;
  pods: PodsApi;
  graphql: GraphqlApi;
  billing: BillingApi;
  /** Null where the account tells nothing of its workers. */
  workers: WorkersApi | null;
  /** Null where it does not tell what they write. */
  logs: LogsApi | null;
  /** Null where the account is not a machine of ours. */
  local: LocalApi | null;
  /** The computer behind it; null under the same condition. */
  machine: MachineApi | null;
  /** The files of its volumes; null under the same condition. */
  files: FilesApi | null;
  /** Into its containers; null under the same condition. */
  terminals: TerminalsApi | null;
}

/** The query string of the defined fields. */
function query(fields: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) params.set(name, String(value));
  return params.size === 0 ? '' : `?${params.toString()}`;
}

function createLocalApi(outbound: Outbound): LocalApi {
  const read = async <S extends z.ZodType>(path: string, answer: S, signal?: AbortSignal): Promise<z.output<S>> =>
    readJson(path, await outbound.send({ method: 'GET', path: `/local/v1/${path}`, signal }), answer);

  return {
    readiness: () => read('endpoints', z.array(endpointReadinessSchema)),
    timeline: (jobId, signal) => read(`jobs/${encodeURIComponent(jobId)}`, jobTimelineSchema, signal),
    webhooks: (jobId, signal) => read(`webhooks${query({ jobId })}`, z.array(webhookDeliverySchema), signal),
    folders: createFoldersApi(outbound),
    apiKeys: createApiKeysApi(outbound),
  };
}

const lanesSchema = z.array(laneSchema);
const createLocalWorkers = (outbound: Outbound): WorkersApi => ({
  async lanes(endpointId, sinceMs) {
    const path = `/local/v1/workers/lanes${query({ endpointId, sinceMs })}`;
    return readJson('lanes', await outbound.send({ method: 'GET', path }), lanesSchema);
  },
});
/** Lines of Pods are kept nowhere. */
function ofWorkers({ podId, ...filter }: ToldLogFilter): LogFilter {
  if (podId === undefined) return filter;
  throw new AppError('UNSUPPORTED', 'An engine of Hangar keeps no log of a Pod. Look into it in a terminal.');
}
const createLocalLogs = (outbound: Outbound): LogsApi => ({
  async page(filter, page) {
    const path = `/local/v1/logs${query({ ...ofWorkers(filter), ...page })}`;
    return readJson('logs', await outbound.send({ method: 'GET', path }), logPageSchema);
  },
  follow: (filter, after, signal) =>
    readLogEvents(outbound.events({ path: `/local/v1/logs/events${query({ ...ofWorkers(filter), after })}`, signal })),
});

/** One for each address that an account has; this machine has one for all. */
export interface Outbounds {
  jobs: Outbound;
  management: Outbound;
  graphql: Outbound;
}

export interface ComputeOptions {
  /** Whether it has the /local/v1 surface, at the address of its jobs. */
  hasLocal: boolean;
  dialect: 'v1' | 'v2';
  /** Where an http port of a Pod is reached; null where that is not known. */
  httpAddress?: ((podId: string, port: number) => string) | null;
}

type Management = Pick<ComputeApi, 'management' | 'pods' | 'billing' | 'workers' | 'logs'>;

function speakV1({ jobs, management, graphql }: Outbounds, hasLocal: boolean): Management {
  const pods = createPodsV1(management, createGraphqlApi(graphql), hasLocal);
  return {
    management: createManagementV1(management, hasLocal ? null : pods.gpuTypes),
    pods,
    billing: createBillingV1(management, hasLocal),
    workers: hasLocal ? createLocalWorkers(jobs) : null,
    logs: hasLocal ? createLocalLogs(jobs) : null,
  };
}

function speakV2(
  { management }: Outbounds,
  httpAddress: NonNullable<ComputeOptions['httpAddress']> | null,
): Management {
  const rest = createRestV2(management);
  const catalog = createCatalogV2(rest);
  return {
    management: createManagementV2(rest, catalog),
    pods: createPodsV2(rest, catalog, httpAddress),
    billing: createBillingV2(rest),
    workers: createWorkersV2(rest),
    logs: createLogsV2(rest, management),
  };
}

export const createComputeApi = (
  outbounds: Outbounds,
  { hasLocal, dialect, httpAddress = null }: ComputeOptions,
): ComputeApi => ({
  jobs: createJobsApi(outbounds.jobs),
  graphql: createGraphqlApi(outbounds.graphql),
  ...(dialect === 'v1' ? speakV1(outbounds, hasLocal) : speakV2(outbounds, httpAddress)),
  local: hasLocal ? createLocalApi(outbounds.jobs) : null,
  machine: hasLocal ? createMachineApi(outbounds.jobs) : null,
  files: hasLocal ? createFilesApi(outbounds.jobs) : null,
  terminals: hasLocal ? createTerminalsApi(outbounds.jobs) : null,
});
