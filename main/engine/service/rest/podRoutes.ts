/** Pods under /v1/pods, and the facts of a Pod that only this engine answers. */
import * as z from 'zod';
import {
  podChangeSchema,
  podLimitsChangeSchema,
  podLimitsSchema,
  podFactsSchema,
  podRequestSchema,
  podQuerySchema,
  podSchema,
  podWithSchema,
  type Pod,
  type PodQuery,
} from '#contract/api/pod.ts';
import { autoStopChangeSchema, autoStopSchema } from '#contract/api/autoStop.ts';
import { podEventSchema, podHistoryLimits } from '#contract/local/podEvent.ts';
import { templateDefaults } from '#contract/api/resources.ts';
import { cloudDataCenters } from '#contract/core/cloudNames.ts';
import { HERE } from '../../domain/pods/env.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { Volumes } from '../../domain/resources/volumes.ts';
import type { Api } from '../access/api.ts';
import { keyNameOf } from '../http/auth.ts';
import { named, operation } from '../openapi/operation.ts';
import { flag, several } from '../openapi/queryParameters.ts';
import { UPDATES } from './descriptions.ts';

export interface PodRoutesOptions {
  pods: Pods;
  templates: Templates;
  volumes: Volumes;
  /** Workers of endpoints, as the Pods that they are to the cloud. */
  workersAsPods(): Promise<Pod[]>;
}

type Expansions = Pick<PodQuery, 'includeMachine' | 'includeNetworkVolume' | 'includeTemplate'>;

const idParams = z.object({ podId: z.string() });

const { containerDiskInGb, volumeInGb, volumeMountPath, ports, env, dockerEntrypoint, dockerStartCmd } =
  templateDefaults;

/** The defaults of a Pod that names no template. */
const podDefaults = {
  containerDiskInGb,
  volumeInGb,
  volumeMountPath,
  ports,
  env,
  dockerEntrypoint,
  dockerStartCmd,
  name: 'my pod',
  cloudType: 'SECURE',
  computeType: 'GPU',
  gpuCount: 1,
  interruptible: false,
  locked: false,
  gpuTypePriority: 'availability',
  cpuFlavorPriority: 'availability',
  dataCenterPriority: 'availability',
  dataCenterIds: cloudDataCenters,
  globalNetworking: false,
  vcpuCount: 2,
};
const createInput = named('PodCreateInput', podRequestSchema, { defaults: podDefaults });
const updateInput = named('PodUpdateInput', podChangeSchema);
const podShape = named('Pod', podSchema, { defaults: { env: {} } });
const onePod = { 200: { words: 'The Pod.', shape: podShape } };

const expansions = {
  includeMachine: flag('With the machine.'),
  includeNetworkVolume: flag('With the network volume.'),
  includeSavingsPlans: flag('There are no savings plans here.'),
  includeTemplate: flag('With the template.'),
  includeWorkers: flag('Workers of endpoints, too.'),
};
const filters = {
  id: 'Only the Pod of this id.',
  name: 'Only Pods of this name.',
  imageName: 'Only Pods of this image.',
  templateId: 'Only Pods made from this template.',
  networkVolumeId: 'Only Pods with this network volume.',
  endpointId: 'Only workers of this endpoint.',
  computeType: 'Only Pods with GPUs, or without.',
  desiredStatus: 'Only Pods that are meant to be so.',
  gpuTypeId: several('Only Pods with a GPU of one of these types.'),
  cpuFlavorId: several('Only Pods of one of these CPU flavors.'),
  dataCenterId: several('Only Pods in one of these regions; here that is this machine.'),
};

const actions = [
  ['start', 'StartPod', 'Starts a Pod that was stopped.'],
  ['stop', 'StopPod', 'Stops a Pod: its GPUs are free, its volume is kept. A locked one is refused.'],
  ['restart', 'RestartPod', 'Restarts the container of a Pod.'],
  [
    'reset',
    'ResetPod',
    'Makes the container of a Pod anew: its disk is wiped, its volume is kept. A locked one is refused.',
  ],
] as const;

/** The Pods that fit every filter. A missing filter fits all. */
function matching(list: readonly Pod[], query: PodQuery): Pod[] {
  const is = (filter: string | undefined, value: unknown): boolean => filter === undefined || filter === value;
  const isOneOf = (filter: readonly string[] | undefined, value: unknown): boolean =>
    filter === undefined || filter.some((one) => one === value);
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

function registerReads(api: Api, { pods, templates, volumes, workersAsPods }: PodRoutesOptions): void {
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

  api.get(
    '/v1/pods',
    operation({
      id: 'ListPods',
      group: 'pods',
      need: 'read',
      summary: 'Lists Pods.',
      querystring: podQuerySchema,
      query: { ...filters, ...expansions },
      answers: { 200: { words: 'The Pods that fit every filter.', shape: { listOf: podShape } } },
      refusals: ['BAD_REQUEST'],
    }),
    async ({ query }) => {
      const workers = query.includeWorkers ? await workersAsPods() : [];
      return matching([...pods.list(query.desiredStatus), ...workers], query).map((pod) => expanded(pod, query));
    },
  );
  api.get(
    '/v1/pods/:podId',
    operation({
      id: 'GetPod',
      group: 'pods',
      need: 'read',
      summary: 'Tells of one Pod.',
      params: idParams,
      querystring: podWithSchema,
      query: expansions,
      answers: onePod,
      refusals: ['BAD_REQUEST'],
    }),
    async ({ params, query }) => {
      const worker = query.includeWorkers ? (await workersAsPods()).find(({ id }) => id === params.podId) : undefined;
      return expanded(worker ?? pods.get(params.podId), query);
    },
  );
  api.get(
    '/local/v1/pods/:podId',
    operation({
      id: 'podFacts',
      group: 'pods',
      need: 'read',
      summary:
        'Tells what a Pod does just now: what is prepared, why it does not run, and where its ports are reached.',
      params: idParams,
      answers: { 200: { words: 'The facts.', shape: named('PodFacts', podFactsSchema) } },
    }),
    async ({ params }) => pods.facts(params.podId),
  );
  api.get(
    '/local/v1/pods/:podId/events',
    operation({
      id: 'podEvents',
      group: 'pods',
      need: 'read',
      summary: `Tells what happened to a Pod, oldest first: the newest ${podHistoryLimits.events} events.`,
      params: idParams,
      answers: { 200: { words: 'The events.', shape: { listOf: named('PodEvent', podEventSchema) } } },
    }),
    async ({ params }) => [...pods.events(params.podId)],
  );
}

function registerChanges(api: Api, { pods }: Pick<PodRoutesOptions, 'pods'>): void {
  api.post(
    '/v1/pods',
    operation({
      id: 'CreatePod',
      group: 'pods',
      need: 'all',
      summary: 'Makes a Pod and starts it.',
      body: createInput,
      answers: { 201: { words: 'The Pod.', shape: podShape } },
      refusals: ['UNAVAILABLE'],
    }),
    async ({ body, caller }, reply) => {
      const { dockerArgs, ...input } = body;
      const pod = await pods.create(input, dockerArgs === undefined ? {} : { dockerArgs }, keyNameOf(caller));
      return reply.code(201).send(pod);
    },
  );
  for (const { method, tail, idTail, summary } of UPDATES) {
    api.route({
      method,
      url: `/v1/pods/:podId${tail}`,
      ...operation({
        id: `UpdatePod${idTail}`,
        group: 'pods',
        need: 'all',
        summary: method === 'PATCH' ? `${summary} All but name and locked make its container anew.` : summary,
        params: idParams,
        body: updateInput,
        answers: onePod,
        refusals: ['UNAVAILABLE'],
      }),
      handler: async ({ params, body, caller }) => pods.update(params.podId, body, keyNameOf(caller)),
    });
  }
  for (const [action, id, summary] of actions) {
    api.post(
      `/v1/pods/:podId/${action}`,
      operation({
        id,
        group: 'pods',
        need: 'all',
        summary,
        params: idParams,
        answers: onePod,
        refusals: ['BAD_REQUEST', 'UNAVAILABLE'],
      }),
      async ({ params, caller }) =>
        action === 'start'
          ? pods.start(params.podId, undefined, keyNameOf(caller))
          : pods[action](params.podId, keyNameOf(caller)),
    );
  }
  api.delete(
    '/v1/pods/:podId',
    operation({
      id: 'DeletePod',
      group: 'pods',
      need: 'all',
      summary: 'Deletes a Pod with its container and its volume.',
      params: idParams,
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST', 'UNAVAILABLE'],
    }),
    async ({ params, caller }, reply) => {
      await pods.terminate(params.podId, keyNameOf(caller));
      return reply.code(204).send();
    },
  );
}

function registerInPlace(api: Api, { pods }: Pick<PodRoutesOptions, 'pods'>): void {
  api.patch(
    '/local/v1/pods/:podId/limits',
    operation({
      id: 'changePodLimits',
      group: 'pods',
      need: 'all',
      summary:
        'Changes how many CPU cores and how much memory a Pod may use. Its container runs on. Null: as much as the machine has.',
      params: idParams,
      body: named('PodLimitsChange', podLimitsChangeSchema),
      answers: { 200: { words: 'Its limits.', shape: named('PodLimits', podLimitsSchema) } },
      refusals: ['UNAVAILABLE'],
    }),
    async ({ params, body, caller }) => pods.changeLimits(params.podId, body, keyNameOf(caller)),
  );
  api.patch(
    '/local/v1/pods/:podId/auto-stop',
    operation({
      id: 'changePodAutoStop',
      group: 'pods',
      need: 'all',
      summary:
        'Changes when a Pod stops by itself: once it was idle for some minutes, or has cost some money. Null: never.',
      params: idParams,
      body: named('PodAutoStopChange', autoStopChangeSchema),
      answers: {
        200: { words: 'Its rules, and what they make of it now.', shape: named('PodAutoStop', autoStopSchema) },
      },
    }),
    async ({ params, body }) => pods.changeAutoStop(params.podId, body),
  );
}

export function registerPodRoutes(api: Api, options: PodRoutesOptions): void {
  registerReads(api, options);
  registerChanges(api, options);
  registerInPlace(api, options);
}
