/** The workers of an endpoint in REST v2: their states, their versions and their logs. */
import * as z from 'zod';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { EngineEndpoint } from '#contract/api/resources.ts';
import { HERE } from '../../domain/pods/env.ts';
import type { Clock } from '../../domain/core/ports.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import { operation, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { workerLogOperation, type WorkerLogParts } from './workerLogs.ts';

export interface WorkerParts extends WorkerLogParts {
  templates: Pick<Templates, 'get'>;
  /** The type of a GPU of this machine; null for an unknown uuid. */
  gpuTypeOf(uuid: string): string | null;
  clock: Pick<Clock, 'now'>;
}

const statuses = ['RUNNING', 'IDLE', 'INITIALIZING', 'THROTTLED', 'UNHEALTHY'] as const;
/** Null: a stopping worker is no longer listed. */
const statusOf: Readonly<Record<WorkerRecord['state'], (typeof statuses)[number] | null>> = {
  running: 'RUNNING',
  idle: 'IDLE',
  initializing: 'INITIALIZING',
  stopping: null,
  unhealthy: 'UNHEALTHY',
};

const workerSchema = z.object({
  id: z.string(),
  status: z.enum(statuses),
  isStale: z.boolean().meta({ description: 'Its endpoint has been changed since it was started.' }),
  version: z.int().nullable(),
  gpuCount: z.int(),
  image: z.string(),
  uptimeSeconds: z.int().nullable(),
  gpuTypeId: z.string().nullable(),
  dataCenterId: z.string(),
  startedAt: z.string().nullable(),
});
type WorkerAnswer = z.output<typeof workerSchema>;
const count = z.int();
const workersAnswer = {
  name: 'ListEndpointWorkersResponse',
  schema: z.object({
    workers: z.array(workerSchema),
    summary: z.object({
      running: count,
      idle: count,
      initializing: count,
      throttled: count,
      unhealthy: count,
      total: count,
    }),
    endpointVersion: count,
  }),
} satisfies Named;
const releasesAnswer = {
  name: 'ListEndpointReleasesResponse',
  schema: z.object({
    endpointVersion: count,
    rollout: z.object({
      inProgress: z.boolean(),
      workersOnLatest: count,
      workersTotal: count,
      percentOnLatest: count,
    }),
    releases: z.array(z.never()).meta({ description: 'Empty: earlier versions of an endpoint are not kept here.' }),
  }),
} satisfies Named;

async function workersOf(
  { templates, workers, gpuTypeOf, clock }: WorkerParts,
  { id, version, templateId }: EngineEndpoint,
): Promise<WorkerAnswer[]> {
  const image = templates.get(templateId).imageName;
  return (await workers()).flatMap((worker): WorkerAnswer[] => {
    const status = statusOf[worker.state];
    if (worker.endpointId !== id || status === null) return [];
    const startedAt = worker.preparing === null ? worker.startedAt : null;
    const [gpu] = worker.gpus;
    return [
      {
        id: worker.id,
        status,
        image,
        startedAt,
        dataCenterId: HERE,
        gpuCount: worker.gpus.length,
        version: worker.version ?? null,
        isStale: worker.version !== undefined && worker.version !== version,
        uptimeSeconds:
          startedAt === null ? null : Math.max(0, Math.floor((clock.now() - Date.parse(startedAt)) / 1000)),
        gpuTypeId: gpu === undefined ? null : gpuTypeOf(gpu),
      },
    ];
  });
}

export function workerOperations(parts: WorkerParts): RestV2Operation[] {
  const { endpoints } = parts;
  const group = 'Serverless';
  const read = { method: 'get', group, need: 'read' } as const;
  return [
    operation({
      ...read,
      path: '/serverless/{id}/workers',
      id: 'listEndpointWorkers',
      summary: 'Lists the workers there are.',
      answers: { 200: { words: 'The workers, and how many there are of each kind.', shape: workersAnswer } },
      async run({ params }) {
        const endpoint = endpoints.get(params.id);
        const list = await workersOf(parts, endpoint);
        const of = (status: WorkerAnswer['status']): number => list.filter((worker) => worker.status === status).length;
        return {
          workers: list,
          summary: {
            running: of('RUNNING'),
            idle: of('IDLE'),
            initializing: of('INITIALIZING'),
            throttled: of('THROTTLED'),
            unhealthy: of('UNHEALTHY'),
            total: list.length,
          },
          endpointVersion: endpoint.version,
        };
      },
    }),
    operation({
      ...read,
      path: '/serverless/{id}/releases',
      id: 'listEndpointReleases',
      summary: 'Tells how many workers have been replaced since the endpoint was changed.',
      answers: { 200: { words: 'How far the newest version has come.', shape: releasesAnswer } },
      async run({ params }) {
        const endpoint = endpoints.get(params.id);
        const list = await workersOf(parts, endpoint);
        const workersOnLatest = list.filter(({ isStale }) => !isStale).length;
        return {
          endpointVersion: endpoint.version,
          rollout: {
            inProgress: workersOnLatest < list.length,
            workersOnLatest,
            workersTotal: list.length,
            percentOnLatest: list.length === 0 ? 0 : Math.floor((100 * workersOnLatest) / list.length),
          },
          releases: [],
        };
      },
    }),
    workerLogOperation(parts),
  ];
}
