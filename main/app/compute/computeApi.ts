/**
 * One client for an account, independent of its dialect. A part that the account lacks is null, or rejects with
 * UNSUPPORTED and a sentence.
 */
import {
  endpointReadinessSchema,
  jobTimelineSchema,
  type EndpointReadiness,
  type JobTimeline,
} from '#contract/local/engine.ts';
import { jobChunksSchema, jobFeedSchema, type JobChunks, type JobFeed } from '#contract/local/jobFeed.ts';
import { laneSchema, logPageSchema, type LogFilter, type PodLogFilter } from '#contract/local/log.ts';
import {
  endpointMetricsSchema,
  endpointTotalSchema,
  type EndpointMetrics,
  type EndpointTotal,
  type MetricPeriod,
} from '#contract/local/metrics.ts';
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
import { readWholeLog } from './http/wholeLog.ts';
import { createLogsV2 } from './v2/logs.ts';
import type { ManagementApi } from './management.ts';
import { createManagementV1 } from './v1/management.ts';
import { createManagementV2 } from './v2/management.ts';
import type { Outbound } from './http/outbound.ts';
import { createOpenaiApi, type OpenaiApi } from './openai.ts';
import type { PodsApi } from './pods.ts';
import { createPodsV1, type PodTunnelAddress } from './v1/pods.ts';
import { createPodsV2 } from './v2/pods.ts';
import { createRestV2 } from './v2/client.ts';
import type { TerminalsApi } from '../platform/terminalPort.ts';
import { createTerminalsApi } from './terminals.ts';
import type { LogsApi, WorkersApi } from './workers.ts';
import { createWorkersV2 } from './v2/workers.ts';

/** The /local/v1 API. */
export interface LocalApi {
  readiness(): Promise<EndpointReadiness[]>;
  timeline(jobId: string, signal?: AbortSignal): Promise<JobTimeline>;
  /** The webhook calls of a job, with the result of each attempt. */
  webhooks(jobId: string, signal?: AbortSignal): Promise<WebhookDelivery[]>;
  /** Has one of them sent again. */
  redeliver(webhookId: string): Promise<void>;
  /** The next changes of all jobs; the answer is held for `waitMs` while there is none. */
  feed(reader: string, after: number, waitMs: number, signal: AbortSignal): Promise<JobFeed>;
  /**
   * The chunks of a job after `after`, the `next` of an earlier answer; its sender still gets them. Held for `waitMs`.
   */
  chunks(jobId: string, after: string | null, waitMs: number, signal: AbortSignal): Promise<JobChunks>;
  /** The request of a job as it was sent. */
  request(jobId: string, signal: AbortSignal): Promise<string>;
  /** Rejects with NOT_FOUND for an unknown endpoint, and where the engine is too old to have metrics. */
  metrics(endpointId: string, period: MetricPeriod): Promise<EndpointMetrics>;
  /** The sums of every endpoint. Rejects with NOT_FOUND where the engine is too old to have metrics. */
  totals(period: MetricPeriod): Promise<EndpointTotal[]>;
  folders: FoldersApi;
  apiKeys: ApiKeysApi;
}

export interface ComputeApi {
  jobs: JobsApi;
  openai: OpenaiApi;
  management: ManagementApi;
  pods: PodsApi;
  graphql: GraphqlApi;
  billing: BillingApi;
  /** Null if the account does not report its workers. */
  workers: WorkersApi | null;
  /** Null if the account has no logs of them. */
  logs: LogsApi | null;
  /** Null if the account is no engine of Hangar. */
  local: LocalApi | null;
  /** The computer of the account; null if the account is no engine of Hangar. */
  machine: MachineApi | null;
  /** The files of its volumes; null if the account is no engine of Hangar. */
  files: FilesApi | null;
  /** Shells in its containers; null if the account is no engine of Hangar. */
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
    async redeliver(id) {
      await outbound.send({ method: 'POST', path: `/local/v1/webhooks/${encodeURIComponent(id)}/redeliver` });
    },
    async feed(reader, after, wait, signal) {
      const path = `/local/v1/jobs${query({ reader, after, wait })}`;
      return readJson('jobs', await outbound.send({ method: 'GET', path, signal, holdMs: wait }), jobFeedSchema);
    },
    async chunks(jobId, after, wait, signal) {
      const path = `/local/v1/jobs/${encodeURIComponent(jobId)}/chunks${query({ after: after ?? undefined, wait })}`;
      return readJson('chunks', await outbound.send({ method: 'GET', path, signal, holdMs: wait }), jobChunksSchema);
    },
    request: (jobId, signal) =>
      outbound.send({ method: 'GET', path: `/local/v1/jobs/${encodeURIComponent(jobId)}/request`, signal }),
    metrics: (endpointId, period) =>
      read(`endpoints/${encodeURIComponent(endpointId)}/metrics${query({ period })}`, endpointMetricsSchema),
    totals: (period) => read(`endpoints/metrics${query({ period })}`, z.array(endpointTotalSchema)),
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
/** The log of a Pod has a path of its own, and the lines of workers are all in one log. */
function logPath({ podId, ...filter }: PodLogFilter): { path: string; filter: LogFilter } {
  return { path: podId === undefined ? '/local/v1/logs' : `/local/v1/pods/${encodeURIComponent(podId)}/logs`, filter };
}
const createLocalLogs = (outbound: Outbound): LogsApi => ({
  async page(wanted, page) {
    const { path, filter } = logPath(wanted);
    const text = await outbound.send({ method: 'GET', path: `${path}${query({ ...filter, ...page })}` });
    return readJson('logs', text, logPageSchema);
  },
  follow(wanted, after, signal) {
    const { path, filter } = logPath(wanted);
    return readLogEvents(outbound.events({ path: `${path}/events${query({ ...filter, after })}`, signal }));
  },
  whole(wanted, signal) {
    return readWholeLog(this, wanted, signal);
  },
});

/** One connection for each address of an account. This machine has one for all areas. */
export interface Outbounds {
  jobs: Outbound;
  management: Outbound;
  graphql: Outbound;
}

export interface ComputeOptions {
  /** Whether it has the /local/v1 API, at the address of its jobs. */
  hasLocal: boolean;
  dialect: 'v1' | 'v2';
  /** The address of an http port of a Pod; null if it is not known. */
  httpAddress?: ((podId: string, port: number) => string) | null;
  /** Opens an http port of a Pod of an engine in a browser on this machine; null to show what the engine tells. */
  tunnel?: PodTunnelAddress | null;
}

type Management = Pick<ComputeApi, 'management' | 'pods' | 'billing' | 'workers' | 'logs'>;

function speakV1({ jobs, management, graphql }: Outbounds, { hasLocal, tunnel = null }: ComputeOptions): Management {
  const pods = createPodsV1(management, createGraphqlApi(graphql), hasLocal, tunnel);
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

export const createComputeApi = (outbounds: Outbounds, options: ComputeOptions): ComputeApi => ({
  jobs: createJobsApi(outbounds.jobs),
  openai: createOpenaiApi(outbounds.jobs),
  graphql: createGraphqlApi(outbounds.graphql),
  ...(options.dialect === 'v1' ? speakV1(outbounds, options) : speakV2(outbounds, options.httpAddress ?? null)),
  local: options.hasLocal ? createLocalApi(outbounds.jobs) : null,
  machine: options.hasLocal ? createMachineApi(outbounds.jobs) : null,
  files: options.hasLocal ? createFilesApi(outbounds.jobs) : null,
  terminals: options.hasLocal ? createTerminalsApi(outbounds.jobs) : null,
});
