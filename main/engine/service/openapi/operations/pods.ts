/** Pods as a table: what /v1/openapi.json and /v1/docs tell of them. */
import * as z from 'zod';
import { cloudDataCenters } from '#contract/core/cloudNames.ts';
import { podRequestSchema, podQuerySchema, podSchema, podChangeSchema } from '#contract/api/pod.ts';
import { templateDefaults } from '#contract/api/resources.ts';
import type { Operation, QueryParameter } from '../document.ts';

export const podRequests = { PodCreateInput: podRequestSchema, PodUpdateInput: podChangeSchema };
export const podAnswers = { Pod: podSchema };
type Name = keyof typeof podRequests | keyof typeof podAnswers;

const flag = (words: string): QueryParameter => ({ schema: z.boolean().default(false), words });
const only = (words: string): QueryParameter => ({ schema: z.string(), words });
const several = (words: string): QueryParameter => ({ schema: z.array(z.string()), words });

const expansions = {
  includeMachine: flag('With the machine.'),
  includeNetworkVolume: flag('With the network volume.'),
  includeSavingsPlans: flag('There are no savings plans here.'),
  includeTemplate: flag('With the template.'),
  includeWorkers: flag('Workers of endpoints, too.'),
};
const filters = {
  id: only('Only the Pod of this id.'),
  name: { schema: podQuerySchema.shape.name.unwrap(), words: 'Only Pods of this name.' },
  imageName: only('Only Pods of this image.'),
  templateId: only('Only Pods made from this template.'),
  networkVolumeId: only('Only Pods with this network volume.'),
  endpointId: { schema: podQuerySchema.shape.endpointId.unwrap(), words: 'Only workers of this endpoint.' },
  computeType: { schema: podQuerySchema.shape.computeType.unwrap(), words: 'Only Pods with GPUs, or without.' },
  desiredStatus: { schema: podQuerySchema.shape.desiredStatus.unwrap(), words: 'Only Pods that are meant to be so.' },
  gpuTypeId: several('Only Pods with a GPU of one of these types.'),
  cpuFlavorId: several('Only Pods of one of these CPU flavors.'),
  dataCenterId: several('Only Pods in one of these regions; here that is this machine.'),
};

const ONE = '/v1/pods/{podId}';
const podAnswer = { 200: { words: 'The Pod.', shape: 'Pod' } } as const;

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

export const podOperations: readonly Operation<Name>[] = [
  {
    methods: ['get'],
    path: '/v1/pods',
    id: 'ListPods',
    group: 'pods',
    need: 'read',
    summary: 'Lists Pods.',
    query: { ...filters, ...expansions },
    answers: { 200: { words: 'The Pods that fit every filter.', shape: { listOf: 'Pod' } } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['post'],
    path: '/v1/pods',
    id: 'CreatePod',
    group: 'pods',
    need: 'all',
    summary: 'Makes a Pod and starts it.',
    body: { shape: 'PodCreateInput', required: true },
    answers: { 201: { words: 'The Pod.', shape: 'Pod' } },
    refusals: ['UNAVAILABLE'],
  },
  {
    methods: ['get'],
    path: ONE,
    id: 'GetPod',
    group: 'pods',
    need: 'read',
    query: expansions,
    summary: 'Tells of one Pod.',
    answers: podAnswer,
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['patch'],
    path: ONE,
    id: 'UpdatePod',
    group: 'pods',
    need: 'all',
    summary: 'Changes the fields that are named. All but name and locked make its container anew.',
    body: { shape: 'PodUpdateInput', required: true },
    answers: podAnswer,
    refusals: ['UNAVAILABLE'],
  },
  {
    methods: ['post'],
    path: `${ONE}/update`,
    id: 'UpdatePodByUpdate',
    group: 'pods',
    need: 'all',
    summary: 'The same, for clients that cannot send PATCH.',
    body: { shape: 'PodUpdateInput', required: true },
    answers: podAnswer,
    refusals: ['UNAVAILABLE'],
  },
  ...actions.map(([action, id, summary]): Operation<Name> => ({
    methods: ['post'],
    path: `${ONE}/${action}`,
    id,
    group: 'pods',
    need: 'all',
    summary,
    answers: podAnswer,
    refusals: ['BAD_REQUEST', 'UNAVAILABLE'],
  })),
  {
    methods: ['delete'],
    path: ONE,
    id: 'DeletePod',
    group: 'pods',
    need: 'all',
    summary: 'Deletes a Pod with its container and its volume.',
    answers: { 204: { words: 'It is gone.', shape: null } },
    refusals: ['BAD_REQUEST', 'UNAVAILABLE'],
  },
];

const { containerDiskInGb, volumeInGb, volumeMountPath, ports, env, dockerEntrypoint, dockerStartCmd } =
  templateDefaults;

/** As of a Pod that names no template. */
export const podDefaults = {
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
