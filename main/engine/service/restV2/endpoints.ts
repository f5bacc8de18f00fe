/** Serverless endpoints in REST v2. An endpoint there holds its container; here that is a template of its own. */
import * as z from 'zod';
import { cudaVersions, endpointCpuFlavorIds, endpointCpuFlavors } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { endpointCreateSchema, type EngineEndpoint, type Template } from '#contract/api/resources.ts';
import type { EndpointChange, Endpoints } from '../../domain/resources/endpoints.ts';
import { poolSelectionOf, typesOfSelection } from '../../domain/gpus/pools.ts';
import type { Container, Management } from '../../domain/resources/resourceService.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import { JOB_PREFIX } from '../http/route.ts';
import { containerAnswer, containerFields, containerFrom, withTemplate, wordsOf } from './container.ts';
import { operation, unprocessable, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { listAnswer, pageOf, pageQuery } from './protocol/pages.ts';

export interface EndpointParts {
  endpoints: Pick<Endpoints, 'list' | 'get'>;
  templates: Pick<Templates, 'get'>;
  management: Pick<Management, 'createBoundEndpoint' | 'updateBoundEndpoint' | 'deleteEndpoint'>;
}

const { shape } = endpointCreateSchema;
const cudaVersion = z.enum(cudaVersions);
const poolsSchema = z
  .array(z.string())
  .min(1)
  .optional()
  .meta({ description: '`pool` of GPU types. Without it, whatever GPU there is; without one, the processor.' });
const gpuFields = {
  excludedTypes: z.array(z.string()).optional().meta({ description: 'GPU types of the pools that are not wanted.' }),
  count: shape.gpuCount,
  allowedCudaVersions: shape.allowedCudaVersions,
};
const createGpu = z.strictObject({ ...gpuFields, pools: poolsSchema, minCudaVersion: cudaVersion.optional() });
const updateGpu = z
  .strictObject({ ...gpuFields, pools: poolsSchema, minCudaVersion: cudaVersion.or(z.literal('')).optional() })
  .refine(
    ({ pools, excludedTypes }) => pools !== undefined || excludedTypes === undefined,
    'has excludedTypes and no pools: they are one choice',
  );
const cpuSchema = z
  .array(
    z.strictObject({
      id: z.enum(endpointCpuFlavorIds),
      vcpuCount: z
        .int()
        .min(2)
        .max(limits.endpoint.vcpuCount.max)
        .refine((count) => Number.isInteger(Math.log2(count)), 'must be a power of two'),
    }),
  )
  .min(1)
  .optional()
  .meta({ description: 'All are kept; the cores of the first count.' });
const scalingSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('QUEUE_DELAY'), queueDelay: shape.scalerValue.unwrap() }),
  z.strictObject({ type: z.literal('REQUEST_COUNT'), requestCount: shape.scalerValue.unwrap() }),
]);
type Scaling = z.output<typeof scalingSchema>;
const flashBoots = ['OFF', 'FLASHBOOT', 'PRIORITY_FLASHBOOT'] as const;
const fields = {
  ...containerFields,
  cpu: cpuSchema,
  dataCenterIds: shape.dataCenterIds,
  flashboot: z
    .enum(flashBoots)
    .optional()
    .meta({ description: 'Makes no difference on one machine; PRIORITY_FLASHBOOT is told as FLASHBOOT.' }),
  networkVolumes: shape.networkVolumeIds,
  timeout: shape.executionTimeoutMs.meta({
    description: 'Of its jobs, milliseconds. Without it, that of the settings.',
  }),
  workers: z
    .strictObject({ min: shape.workersMin, max: shape.workersMax, idleTimeout: shape.idleTimeout })
    .optional()
    .meta({ description: 'Without it, none at least, 3 at most; one without a job is kept for 10 seconds.' }),
};
const createRequest = {
  name: 'CreateEndpointRequest',
  schema: z.strictObject({
    name: shape.name.unwrap(),
    type: z.enum(['QUEUE', 'LOAD_BALANCER']),
    scaling: scalingSchema,
    ...fields,
    gpu: createGpu.optional(),
    templateId: z.string().min(1).optional(),
  }),
} satisfies Named;
type CreateRequest = z.output<typeof createRequest.schema>;
const updateRequest = {
  name: 'UpdateEndpointRequest',
  schema: z.strictObject({
    name: shape.name,
    scaling: scalingSchema.optional(),
    ...fields,
    gpu: updateGpu.optional(),
    templateId: z.string().optional().meta({ description: 'Its workers are made as this template says, from now on.' }),
  }),
} satisfies Named;
type UpdateRequest = z.output<typeof updateRequest.schema>;

const IDLE_TIMEOUT_S = 10;

const address = z.string();
const queueUrls = z.object({
  run: address,
  runSync: address,
  status: address,
  stream: address,
  cancel: address,
  retry: address,
  purgeQueue: address,
  health: address,
});
const balancerUrls = z.object({ base: address, health: address });
const endpointAnswer = {
  name: 'Endpoint',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['QUEUE', 'LOAD_BALANCER']),
    requestUrls: z.union([queueUrls, balancerUrls]),
    ...containerAnswer,
    gpu: z
      .object({
        pools: z.array(z.string()),
        excludedTypes: z.array(z.string()).optional(),
        count: z.int(),
        allowedCudaVersions: z.array(z.string()),
        minCudaVersion: z.string().nullable(),
      })
      .optional(),
    cpu: z.array(z.object({ id: z.string(), vcpuCount: z.int(), memory: z.int() })).optional(),
    workers: z.object({ min: z.int(), max: z.int(), idleTimeout: z.int().optional() }),
    scaling: scalingSchema,
    dataCenterIds: z.array(z.string()),
    networkVolumes: z.array(z.string()),
    timeout: z.int(),
    flashboot: z.enum(flashBoots),
    createdAt: z.string(),
    version: z.int().meta({ description: 'Of ours: grows with each change of what its workers are made of.' }),
  }),
} satisfies Named;
type EndpointAnswer = z.output<typeof endpointAnswer.schema>;

/** Whether an endpoint has an idle timeout. A queue that is scaled by its requests ends idle workers without one. */
const hasIdleTimeout = (type: EngineEndpoint['type'], scaler: EngineEndpoint['scalerType']): boolean =>
  type === 'LB' || scaler === 'QUEUE_DELAY';

const bad = (message: string): AppError => new AppError('BAD_REQUEST', message);

function checkCuda(gpu: CreateRequest['gpu'] | UpdateRequest['gpu']): void {
  if (!gpu?.minCudaVersion || !gpu.allowedCudaVersions?.length) return;
  throw bad('gpu has allowedCudaVersions and minCudaVersion: one of them says which versions are wanted.');
}

const scalingWords = ({ type: scalerType, ...value }: Scaling) => ({
  scalerType,
  scalerValue: 'queueDelay' in value ? value.queueDelay : value.requestCount,
});

function gpuWords({ pools, excludedTypes = [], count, allowedCudaVersions }: NonNullable<UpdateRequest['gpu']>) {
  return {
    ...(pools !== undefined && { gpuTypeIds: typesOfSelection(pools, excludedTypes, 'gpu.pools') }),
    gpuCount: count,
    allowedCudaVersions,
  };
}

/** The settings of an endpoint besides its container, in the words of /v1. */
function settingsOf(body: CreateRequest | UpdateRequest): Omit<EndpointChange, 'templateId'> {
  const { name, gpu, cpu, workers, scaling, networkVolumes, dataCenterIds, timeout, flashboot } = body;
  checkCuda(gpu);
  return {
    name,
    dataCenterIds,
    executionTimeoutMs: timeout,
    networkVolumeIds: networkVolumes,
    ...(gpu && { computeType: 'GPU', ...gpuWords(gpu), minCudaVersion: gpu.minCudaVersion }),
    ...(cpu && {
      computeType: 'CPU',
      cpuFlavorIds: [...new Set(cpu.map(({ id }) => id))],
      vcpuCount: cpu[0]?.vcpuCount,
    }),
    ...(workers && { workersMin: workers.min, workersMax: workers.max, idleTimeout: workers.idleTimeout }),
    ...(scaling && scalingWords(scaling)),
    ...(flashboot && { flashboot: flashboot !== 'OFF' }),
  };
}

function refuseIdleTimeout(
  type: EngineEndpoint['type'],
  scaler: EngineEndpoint['scalerType'],
  { workers }: CreateRequest | UpdateRequest,
): void {
  if (workers?.idleTimeout === undefined || hasIdleTimeout(type, scaler)) return;
  throw unprocessable('workers.idleTimeout: is not for a queue that is scaled by requestCount');
}

function requestUrls({ id, type }: EngineEndpoint, origin: string): EndpointAnswer['requestUrls'] {
  const at = (step: string): string => `${origin}${JOB_PREFIX}${id}/${step}`;
  if (type === 'LB') return { base: `${origin}/lb/${id}/`, health: at('health') };
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

function hardwareOf(endpoint: EngineEndpoint): Pick<EndpointAnswer, 'gpu' | 'cpu'> {
  const { computeType, cpuFlavorIds, vcpuCount, gpuTypeIds, gpuCount: count } = endpoint;
  if (computeType === 'CPU') {
    // An endpoint without flavors takes any of them.
    const flavors = cpuFlavorIds.length > 0 ? cpuFlavorIds : endpointCpuFlavorIds;
    return { cpu: flavors.map((id) => ({ id, vcpuCount, memory: vcpuCount * endpointCpuFlavors[id] })) };
  }
  const { pools, excludedTypes } = poolSelectionOf(gpuTypeIds);
  const { allowedCudaVersions, minCudaVersion = null } = endpoint;
  return {
    gpu: {
      pools,
      ...(excludedTypes.length > 0 && { excludedTypes }),
      count,
      allowedCudaVersions,
      minCudaVersion,
    },
  };
}

/** The answer with an endpoint. `origin`: the base address in its URLs. */
function endpointView(endpoint: EngineEndpoint, template: Template, origin: string): EndpointAnswer {
  const { id, name, type, scalerType, scalerValue, workersMin: min, workersMax: max, idleTimeout } = endpoint;
  return {
    id,
    name,
    type: type === 'LB' ? 'LOAD_BALANCER' : 'QUEUE',
    requestUrls: requestUrls(endpoint, origin),
    ...containerFrom(template),
    ...hardwareOf(endpoint),
    workers: { min, max, ...(hasIdleTimeout(type, scalerType) && { idleTimeout }) },
    scaling:
      scalerType === 'QUEUE_DELAY'
        ? { type: scalerType, queueDelay: scalerValue }
        : { type: scalerType, requestCount: scalerValue },
    dataCenterIds: endpoint.dataCenterIds,
    networkVolumes: endpoint.networkVolumeIds,
    timeout: endpoint.executionTimeoutMs,
    flashboot: endpoint.flashboot ? 'FLASHBOOT' : 'OFF',
    createdAt: endpoint.createdAt,
    version: endpoint.version,
  };
}

function create({ templates, management }: EndpointParts, body: CreateRequest): EngineEndpoint {
  const { name, type: typeName, gpu, cpu, scaling, templateId, workers } = body;
  if ((gpu === undefined) === (cpu === undefined)) {
    throw bad('An endpoint has either gpu or cpu: send exactly one of them.');
  }
  const type = typeName === 'LOAD_BALANCER' ? 'LB' : 'QB';
  if (type === 'LB' && scaling.type === 'QUEUE_DELAY') {
    throw unprocessable('scaling: must be REQUEST_COUNT for a LOAD_BALANCER, where nothing is queued');
  }
  refuseIdleTimeout(type, scaling.type, body);
  const words = wordsOf(body);
  const category = cpu ? 'CPU' : 'NVIDIA';
  let container: Container;
  if (templateId === undefined) {
    const { imageName, ...others } = words;
    if (imageName === undefined) throw unprocessable('image: is needed without templateId');
    container = { ports: [], volumeInGb: 0, category, ...others, imageName };
  } else container = { volumeInGb: 0, category, ...withTemplate(templates.get(templateId), words) };
  const { minCudaVersion, ...settings } = settingsOf(body);
  return management.createBoundEndpoint(container, {
    idleTimeout: IDLE_TIMEOUT_S,
    ...settings,
    name,
    type,
    ...(workers?.idleTimeout === undefined && { idleTimeout: IDLE_TIMEOUT_S }),
    ...(minCudaVersion && { minCudaVersion }),
  });
}

function update({ endpoints, templates, management }: EndpointParts, id: string, body: UpdateRequest): EngineEndpoint {
  const { type, scalerType } = endpoints.get(id);
  if (body.gpu && body.cpu) throw bad('An endpoint has either gpu or cpu: send one of them.');
  refuseIdleTimeout(type, body.scaling?.type ?? scalerType, body);
  const words = wordsOf(body);
  const container = body.templateId ? withTemplate(templates.get(body.templateId), words) : words;
  return management.updateBoundEndpoint(id, container, settingsOf(body));
}

export function endpointOperations(parts: EndpointParts): RestV2Operation[] {
  const { endpoints, templates, management } = parts;
  const answerOf = (endpoint: EngineEndpoint, origin: string): EndpointAnswer =>
    endpointView(endpoint, templates.get(endpoint.templateId), origin);
  const group = 'Serverless';
  const one = { 200: { words: 'The endpoint.', shape: endpointAnswer } };
  return [
    operation({
      method: 'get',
      path: '/serverless',
      id: 'listEndpoints',
      group,
      need: 'read',
      summary: 'Lists endpoints.',
      query: pageQuery,
      answers: { 200: listAnswer('ListEndpointsResponse', 'endpoints', endpointAnswer) },
      run({ query, origin }) {
        const { page, pagination } = pageOf(endpoints.list(), query);
        return { endpoints: page.map((endpoint) => answerOf(endpoint, origin)), pagination };
      },
    }),
    operation({
      method: 'post',
      path: '/serverless',
      id: 'createEndpoint',
      group,
      need: 'all',
      summary: 'Makes an endpoint. A template that is named is copied: what becomes of it later changes nothing here.',
      body: createRequest,
      answers: { 201: one[200] },
      refusals: ['NOT_FOUND'],
      run: ({ body, origin }) => answerOf(create(parts, body), origin),
    }),
    operation({
      method: 'get',
      path: '/serverless/{id}',
      id: 'getEndpoint',
      group,
      need: 'read',
      summary: 'Tells of one endpoint.',
      answers: one,
      run: ({ params, origin }) => answerOf(endpoints.get(params.id), origin),
    }),
    operation({
      method: 'patch',
      path: '/serverless/{id}',
      id: 'updateEndpoint',
      group,
      need: 'all',
      summary: 'Changes the fields that are named.',
      body: updateRequest,
      answers: one,
      run: ({ params, body, origin }) => answerOf(update(parts, params.id, body), origin),
    }),
    operation({
      method: 'delete',
      path: '/serverless/{id}',
      id: 'deleteEndpoint',
      group,
      need: 'all',
      summary: 'Deletes an endpoint, with its jobs and the template that was made for it.',
      answers: { 204: { words: 'It is gone.', shape: null } },
      run({ params }) {
        management.deleteEndpoint(params.id);
        return undefined;
      },
    }),
  ];
}
