/** Pods under /v1/pods, and what only an engine of ours tells of one. */
import * as z from 'zod';
import {
  podChangeSchema,
  podRequestSchema,
  podQuerySchema,
  podWithSchema,
  type Pod,
  type PodQuery,
} from '#contract/api/pod.ts';
import { HERE } from '../../domain/pods/env.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { Volumes } from '../../domain/resources/volumes.ts';
import type { RequiredScope } from '../http/auth.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface PodRoutesOptions {
  pods: Pods;
  templates: Templates;
  volumes: Volumes;
  /** Workers of endpoints, as the Pods that they are to the cloud. */
  workersAsPods(): Promise<Pod[]>;
}

type Expansions = Pick<PodQuery, 'includeMachine' | 'includeNetworkVolume' | 'includeTemplate'>;

const idParams = z.object({ podId: z.string() });

/** Those that a filter names; a filter that was not given takes all. */
function matching(list: readonly Pod[], query: PodQuery): Pod[] {
  const is = (filter: string | undefined, value: unknown): boolean => filter === undefined || filter === value;
  const isOneOf = (filter: readonly string[] | undefined, value: unknown): boolean =>
    filter === undefined || filter.includes(value as string);
  return list.filter(
    (pod) =>
      is(query.id, pod.id) &&
      is(query.name, pod.name) &&
      is(query.computeType, pod.computeType) &&
      is(query.imageName, pod.imageName) &&
      is(query.networkVolumeId, pod.networkVolumeId) &&
      is(query.templateId, pod.templateId) &&
      is(query.endpointId, pod.endpointId) &&
      is(query.desiredStatus, pod.desiredStatus) &&
      isOneOf(query.gpuTypeId, pod.gpu?.id) &&
      isOneOf(query.dataCenterId, HERE) &&
      isOneOf(query.cpuFlavorId, pod.cpuFlavorId),
  );
}

export function registerPodRoutes(api: Api, options: PodRoutesOptions): void {
  const { pods, templates, volumes, workersAsPods } = options;
  const withId = (need: RequiredScope) => ({ ...needs(need), schema: { params: idParams } });

  function expanded(pod: Pod, { includeMachine, includeNetworkVolume, includeTemplate }: Expansions): object {
    const template = includeTemplate ? templates.find(pod.templateId) : undefined;
    const volumeId = includeNetworkVolume ? pod.networkVolumeId : null;
    return {
      ...pod,
      ...(includeMachine ? { machine: pods.machineOf(pod) } : {}),
      ...(volumeId !== null && volumes.has(volumeId) ? { networkVolume: volumes.get(volumeId) } : {}),
      ...(template ? { template } : {}),
    };
  }

  api.get('/v1/pods', { ...needs('read'), schema: { querystring: podQuerySchema } }, async ({ query }) => {
    const workers = query.includeWorkers ? await workersAsPods() : [];
    return matching([...pods.list(query.desiredStatus), ...workers], query).map((pod) => expanded(pod, query));
  });
  api.get(
    '/v1/pods/:podId',
    { ...needs('read'), schema: { params: idParams, querystring: podWithSchema } },
    async ({ params, query }) => {
      const worker = query.includeWorkers ? (await workersAsPods()).find(({ id }) => id === params.podId) : undefined;
      return expanded(worker ?? pods.get(params.podId), query);
    },
  );
  api.post('/v1/pods', { ...needs('all'), schema: { body: podRequestSchema } }, async ({ body }, reply) => {
    const { dockerArgs, ...input } = body;
    const pod = await pods.create(input, dockerArgs === undefined ? {} : { dockerArgs });
    return reply.code(201).send(pod);
  });
  for (const [method, url] of [
    ['PATCH', '/v1/pods/:podId'],
    ['POST', '/v1/pods/:podId/update'],
  ] as const) {
    api.route({
      method,
      url,
      ...needs('all'),
      schema: { params: idParams, body: podChangeSchema },
      handler: async ({ params, body }) => pods.update(params.podId, body),
    });
  }
  for (const action of ['start', 'stop', 'restart', 'reset'] as const) {
    api.post(`/v1/pods/:podId/${action}`, withId('all'), async ({ params }) => pods[action](params.podId));
  }
  api.delete('/v1/pods/:podId', withId('all'), async ({ params }, reply) => {
    await pods.terminate(params.podId);
    return reply.code(204).send();
  });

  api.get('/local/v1/pods/:podId', withId('read'), async ({ params }) => pods.facts(params.podId));
}
