/** Endpoints, their workers and releases as REST v2 of the fake tells of them. */
import { bodyOf, containerFrom, endpointChange, endpointCreate } from './bodies.ts';
import { addEndpoint, removeEndpoint, type RemoteAccount, type RemoteEndpoint } from '../records.ts';
import type { RemoteJobs } from '../jobs.ts';
import { recordOf, noContent, notFound, ok, Refusal, type RemoteCall, type Reply } from '../wire.ts';
import type * as z from 'zod';

export interface ServerlessParts {
  account: RemoteAccount;
  jobs: RemoteJobs;
  now: () => number;
  /** Base of the job API, for the addresses of requests. */
  jobsBase: () => string;
}

function requestUrls({ id, type }: RemoteEndpoint, base: string): object {
  const at = (path: string): string => `${base}/${id}/${path}`;
  if (type === 'LOAD_BALANCER') return { base: at(''), health: at('health') };
  return {
    run: at('run'),
    runSync: at('runsync'),
    status: at('status/{job_id}'),
    stream: at('stream/{job_id}'),
    cancel: at('cancel/{job_id}'),
    retry: at('retry/{job_id}'),
    purgeQueue: at('purge-queue'),
    health: at('health'),
  };
}

const endpointV2 = (endpoint: RemoteEndpoint, jobsBase: string): object => ({
  id: endpoint.id,
  name: endpoint.name,
  type: endpoint.type,
  requestUrls: requestUrls(endpoint, jobsBase),
  image: endpoint.image,
  args: endpoint.args,
  disk: endpoint.disk,
  ports: endpoint.ports,
  env: endpoint.env,
  registry: endpoint.registryId === '' ? null : endpoint.registryId,
  ...(endpoint.gpu
    ? {
        gpu: {
          ...(endpoint.gpu.pools.length > 0 && { pools: endpoint.gpu.pools }),
          ...(endpoint.gpu.excludedTypes.length > 0 && { excludedTypes: endpoint.gpu.excludedTypes }),
          count: endpoint.gpu.count,
          allowedCudaVersions: endpoint.allowedCudaVersions,
          minCudaVersion: endpoint.minCudaVersion,
        },
      }
    : { cpu: endpoint.cpu.map((one) => ({ ...one, memory: one.vcpuCount * 2 })) }),
  workers: { min: endpoint.workersMin, max: endpoint.workersMax, idleTimeout: endpoint.idleTimeout },
  scaling:
    endpoint.scaler.type === 'QUEUE_DELAY'
      ? { type: 'QUEUE_DELAY', queueDelay: endpoint.scaler.value }
      : { type: 'REQUEST_COUNT', requestCount: endpoint.scaler.value },
  dataCenterIds: endpoint.dataCenterIds,
  networkVolumes: endpoint.volumeIds,
  timeout: endpoint.timeoutMs,
  flashboot: endpoint.flashboot,
  createdAt: new Date(endpoint.createdAt).toISOString(),
});

function gpuFrom(account: RemoteAccount, body: z.infer<typeof endpointChange>['gpu'], before: RemoteEndpoint['gpu']) {
  if (!body) return before;
  const pools = body.pools ?? before?.pools ?? [];
  // Pools without exclusions clear those there were.
  const excludedTypes = body.pools ? (body.excludedTypes ?? []) : (before?.excludedTypes ?? []);
  const inPools = account.gpus.filter(({ pool }) => pool !== null && pools.includes(pool)).map(({ id }) => id);
  for (const pool of pools) {
    if (!account.gpus.some((type) => type.pool === pool)) throw new Refusal(400, `unknown gpu pool: ${pool}`);
  }
  for (const type of excludedTypes) {
    if (!inPools.includes(type)) throw new Refusal(400, `excludedTypes: ${type} is not in one of the pools`);
  }
  return {
    pools,
    excludedTypes,
    typeIds: inPools.filter((id) => !excludedTypes.includes(id)),
    count: body.count ?? before?.count ?? 1,
  };
}

type Change = z.infer<typeof endpointChange>;
function settingsFrom(account: RemoteAccount, body: Change, before: RemoteEndpoint | null): Partial<RemoteEndpoint> {
  if (body.gpu && body.cpu) {
    throw new Refusal(422, 'Request validation failed.', { errors: ['exactly one of gpu and cpu is required'] });
  }
  if (before && (before.gpu ? body.cpu : body.gpu)) {
    const errors = ['the compute family of an endpoint cannot be changed'];
    throw new Refusal(422, 'Request validation failed.', { errors });
  }
  for (const id of body.networkVolumes ?? []) recordOf(account.volumes, id, 'network volume');
  const fields: Partial<RemoteEndpoint> = {};
  if (body.name !== undefined) fields.name = body.name;
  if (body.gpu) fields.gpu = gpuFrom(account, body.gpu, before?.gpu ?? null);
  if (body.cpu) Object.assign(fields, { gpu: null, cpu: body.cpu });
  if (body.gpu?.allowedCudaVersions) fields.allowedCudaVersions = body.gpu.allowedCudaVersions;
  if (body.gpu?.minCudaVersion !== undefined) fields.minCudaVersion = body.gpu.minCudaVersion || null;
  if (body.workers?.min !== undefined) fields.workersMin = body.workers.min;
  if (body.workers?.max !== undefined) fields.workersMax = body.workers.max;
  if (body.workers?.idleTimeout !== undefined) fields.idleTimeout = body.workers.idleTimeout;
  if (body.scaling) {
    const { scaling } = body;
    const value = scaling.type === 'QUEUE_DELAY' ? scaling.queueDelay : scaling.requestCount;
    fields.scaler = { type: scaling.type, value };
  }
  if (body.dataCenterIds) fields.dataCenterIds = body.dataCenterIds;
  if (body.networkVolumes) fields.volumeIds = body.networkVolumes;
  if (body.timeout !== undefined) fields.timeoutMs = body.timeout;
  if (body.flashboot) fields.flashboot = body.flashboot;
  return { ...containerFrom(body), ...fields };
}

function refuseScaling(type: RemoteEndpoint['type'], body: Change): void {
  const wrong = (text: string) => new Refusal(422, 'Request validation failed.', { errors: [text] });
  if (type === 'LOAD_BALANCER' && body.scaling?.type === 'QUEUE_DELAY') {
    throw wrong('scaling: a load balancing endpoint takes REQUEST_COUNT only');
  }
  if (type === 'QUEUE' && body.scaling?.type === 'REQUEST_COUNT' && body.workers?.idleTimeout !== undefined) {
    throw wrong('workers.idleTimeout cannot be combined with scaling by requestCount on a queue endpoint');
  }
}

function made({ account, now }: ServerlessParts, request: RemoteCall): RemoteEndpoint {
  const body = bodyOf(request, endpointCreate);
  const template = body.templateId === undefined ? null : recordOf(account.templates, body.templateId, 'template');
  const wrong = (text: string) => new Refusal(422, 'Request validation failed.', { errors: [text] });
  if (template && !template.isServerless) throw wrong('templateId: not a serverless template');
  if (!template && body.image === undefined) throw wrong('image is required');
  if ((body.gpu === undefined) === (body.cpu === undefined)) throw wrong('exactly one of gpu and cpu is required');
  refuseScaling(body.type, body);
  const own = settingsFrom(account, body, null);
  // The template is copied: what becomes of it later changes no endpoint.
  const copied = template && {
    image: template.image,
    args: template.args,
    disk: template.disk,
    ports: template.ports,
    registryId: template.registryId,
    env: { ...template.env, ...body.env },
  };
  const defaults = { workersMin: 0, workersMax: 3, idleTimeout: 10, timeoutMs: 0 };
  const settings = { ...copied, ...own, ...(template && { env: { ...template.env, ...body.env } }) };
  return addEndpoint(account, { ...defaults, ...settings, name: body.name, type: body.type, createdAt: now() });
}

function workersOf({ account, jobs, now }: ServerlessParts, endpoint: RemoteEndpoint): object {
  const { workers } = jobs.health(endpoint.id);
  const running = jobs.all().filter((job) => job.endpointId === endpoint.id && job.status === 'IN_PROGRESS');
  const worker = (id: string, status: string, startedAt: number): object => ({
    id,
    status,
    isStale: false,
    version: endpoint.version,
    gpuCount: endpoint.gpu?.count ?? 0,
    image: endpoint.image,
    uptimeSeconds: Math.round((now() - startedAt) / 1000),
    gpuTypeId: endpoint.gpu?.typeIds[0] ?? null,
    dataCenterId: 'US-KS-2',
    startedAt: new Date(startedAt).toISOString(),
  });
  const idle = workers?.['idle'] ?? 0;
  const list = [
    ...running.map((job) => worker(job.workerId ?? '', 'RUNNING', job.startedAt ?? now())),
    ...Array.from({ length: idle }, (_, at) => worker(`${endpoint.id}w${at}`, 'IDLE', endpoint.createdAt)),
  ];
  // Others that only logs are known of have ended.
  for (const id of account.logs.keys()) {
    if (id.startsWith(`${endpoint.id}x`)) list.push(worker(id, 'UNHEALTHY', endpoint.createdAt));
  }
  const unhealthy = list.length - running.length - idle;
  return {
    workers: list,
    summary: { running: running.length, idle, initializing: 0, throttled: 0, unhealthy, total: list.length },
    endpointVersion: endpoint.version,
  };
}

function releasesOf(endpoint: RemoteEndpoint): object {
  const release = (version: number): object => ({
    id: `${endpoint.id}-${version}`,
    version,
    source: 'MANUAL',
    buildId: null,
    createdByUserId: 'user_2example',
    workerCount: 0,
    createdAt: new Date(endpoint.createdAt).toISOString(),
    diff: [],
  });
  return {
    endpointVersion: endpoint.version,
    rollout: { inProgress: false, workersOnLatest: 0, workersTotal: 0, percentOnLatest: 100 },
    releases: Array.from({ length: endpoint.version }, (_, at) => release(endpoint.version - at)),
  };
}

export function serverlessV2(parts: ServerlessParts, request: RemoteCall): Reply | { list: object[] } {
  const { account, jobsBase } = parts;
  const [, id, part] = request.path;
  const shown = (endpoint: RemoteEndpoint): object => endpointV2(endpoint, jobsBase());
  if (id === undefined) {
    if (request.method === 'GET') return { list: [...account.endpoints.values()].map(shown) };
    return { status: 201, json: shown(made(parts, request)) };
  }
  const endpoint = recordOf(account.endpoints, id, 'endpoint');
  if (part === 'workers') return ok(workersOf(parts, endpoint));
  if (part === 'releases') return ok(releasesOf(endpoint));
  if (part !== undefined) throw notFound('resource');
  if (request.method === 'DELETE') {
    parts.jobs.purge(id);
    removeEndpoint(account, id);
    return noContent;
  }
  if (request.method === 'PATCH') {
    const body = bodyOf(request, endpointChange);
    refuseScaling(endpoint.type, body);
    Object.assign(endpoint, settingsFrom(account, body, endpoint));
    endpoint.version++;
  }
  return ok(shown(endpoint));
}
