/** Pods in REST v2. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { podCreateSchema, podUpdateSchema, type Pod, type PodCreate, type PodUpdate } from '#contract/api/pod.ts';
import { cudaVersions } from '#contract/core/cloudNames.ts';
import type { PodRecord, Pods } from '../../domain/pods/podInterfaces.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import { containerFields, withTemplate, wordsOf } from './container.ts';
import { actionNames, allowed, podAnswer, podView, statusOf, type Action, type PodAnswer } from './podAnswer.ts';
import { operation, unprocessable, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { podLogOperation, type PodLogParts } from './podLogs.ts';
import { listAnswer, pageOf, pageQuery } from './protocol/pages.ts';

export interface PodParts extends PodLogParts {
  pods: Pods;
  templates: Pick<Templates, 'get' | 'find'>;
}

const path = podUpdateSchema.shape.volumeMountPath.unwrap();
const size = z.int().min(10).max(limits.pod.diskGb.max);
const mountsSchema = z.strictObject({
  persistent: z.strictObject({ size, path }).optional().meta({ description: 'Its own volume, in GB.' }),
  network: z
    .array(z.strictObject({ volumeId: z.string(), path }))
    .max(1)
    .optional()
    .meta({ description: 'A network volume, in place of its own.' }),
});
type Mounts = z.output<typeof mountsSchema>;

const createRequest = {
  name: 'CreatePodRequest',
  schema: z.strictObject({
    name: podCreateSchema.shape.name.unwrap(),
    ...containerFields,
    cloud: z.enum(['SECURE', 'COMMUNITY']).optional().meta({ description: 'Makes no difference on one machine.' }),
    gpu: z
      .strictObject({
        id: z.string(),
        count: z.int().min(1).max(limits.endpoint.gpuCount.max).optional(),
        allowedCudaVersions: z.array(z.enum(cudaVersions)).optional(),
        minCudaVersion: z.enum(cudaVersions).optional(),
        minRamPerGpu: podCreateSchema.shape.minRAMPerGPU,
        minVcpuCountPerGpu: podCreateSchema.shape.minVCPUPerGPU,
      })
      .optional(),
    cpu: z
      .strictObject({
        id: z.string().min(1).meta({ description: 'Of whatever flavor: it is the processor of this machine.' }),
        vcpuCount: z
          .int()
          .min(2)
          .refine((count) => Number.isInteger(Math.log2(count)), 'must be a power of two'),
      })
      .optional(),
    dataCenterIds: z.array(z.string()).optional().meta({ description: 'Makes no difference on one machine.' }),
    globalNetworking: z.boolean().optional().meta({ description: 'Makes no difference on one machine.' }),
    mounts: mountsSchema.optional(),
    startJupyter: z.boolean().optional().meta({ description: 'Gives it a `JUPYTER_PASSWORD`.' }),
    startSsh: z.boolean().optional().meta({ description: 'Every Pod here is given the SSH keys of the account.' }),
    templateId: z.string().min(1).optional(),
  }),
} satisfies Named;
type CreateRequest = z.output<typeof createRequest.schema>;

const updateRequest = {
  name: 'UpdatePodRequest',
  schema: z.strictObject({
    name: podUpdateSchema.shape.name,
    ...containerFields,
    globalNetworking: z.boolean().optional(),
    locked: z.boolean().optional(),
    mounts: mountsSchema.optional(),
    templateId: z.string().optional().meta({ description: 'Its container is made as this template says, this once.' }),
  }),
} satisfies Named;
type UpdateRequest = z.output<typeof updateRequest.schema>;

const actionRequest = {
  name: 'PodActionRequest',
  schema: z.strictObject({ action: z.enum(actionNames) }),
} satisfies Named;

const bad = (message: string): AppError => new AppError('BAD_REQUEST', message);

function checkOneMount({ persistent, network }: Mounts): void {
  if (persistent && network) throw bad('mounts has persistent and network: a Pod has one of them.');
  if (network?.length === 0) throw bad('mounts.network is empty: a Pod keeps its volume. Leave mounts out.');
}

/** The volume in the words of /v1. */
function mountWords(mounts: Mounts | undefined): {
  volumeInGb?: number;
  volumeMountPath?: string;
  networkVolumeId?: string;
} {
  if (mounts === undefined) return {};
  checkOneMount(mounts);
  const [network] = mounts.network ?? [];
  if (network) return { networkVolumeId: network.volumeId, volumeMountPath: network.path };
  return mounts.persistent ? { volumeInGb: mounts.persistent.size, volumeMountPath: mounts.persistent.path } : {};
}

/**
 * A change of the volume. Throws BAD_REQUEST for another kind of volume, or for another network volume: both are fixed.
 */
function changedMounts(mounts: Mounts | undefined, record: PodRecord): PodUpdate {
  const { networkVolumeId, ...words } = mountWords(mounts);
  const has = record.networkVolumeId !== '' ? 'network' : record.volumeInGb > 0 ? 'persistent' : 'none';
  const named = networkVolumeId !== undefined ? 'network' : words.volumeInGb !== undefined ? 'persistent' : null;
  if (named !== null && named !== has) {
    throw bad(`mounts.${named}: the kind of a Pod's volume is fixed when it is made; this one's is ${has}.`);
  }
  if (networkVolumeId !== undefined && networkVolumeId !== record.networkVolumeId) {
    throw bad(
      `mounts.network: the network volume of a Pod is fixed when it is made; this one's is ${record.networkVolumeId}.`,
    );
  }
  return words;
}

/** The hardware in the words of /v1. Throws BAD_REQUEST unless the request names either GPUs or the processor. */
function hardwareWords({ gpu, cpu }: CreateRequest): Partial<PodCreate> {
  if (gpu && !cpu) {
    return {
      computeType: 'GPU',
      gpuTypeIds: [gpu.id],
      gpuCount: gpu.count ?? 1,
      allowedCudaVersions: gpu.allowedCudaVersions,
      minRAMPerGPU: gpu.minRamPerGpu,
      minVCPUPerGPU: gpu.minVcpuCountPerGpu,
    };
  }
  if (cpu && !gpu) return { computeType: 'CPU', cpuFlavorIds: [cpu.id], vcpuCount: cpu.vcpuCount };
  throw bad('A Pod has either gpu or cpu: send exactly one of them.');
}

async function create({ pods, templates }: PodParts, body: CreateRequest): Promise<Pod> {
  const { name, mounts, templateId, cloud: cloudType, dataCenterIds, globalNetworking } = body;
  const hardware = hardwareWords(body);
  if (body.image === undefined && templateId === undefined) throw unprocessable('image: is needed without templateId');
  const template = templateId === undefined ? undefined : templates.get(templateId);
  const { dockerStartCmd, ...words } = wordsOf(body);
  return pods.create(
    {
      // The defaults: no ports and no volume, unless a template has them.
      ...(template ? {} : { ports: [], volumeInGb: 0 }),
      ...words,
      ...mountWords(mounts),
      name,
      templateId: templateId ?? '',
      ...(body.cmd && dockerStartCmd && { dockerStartCmd }),
      ...hardware,
      cloudType,
      dataCenterIds,
      globalNetworking,
    },
    {
      ...(body.args !== undefined && { dockerArgs: body.args }),
      ...(body.startJupyter !== undefined && { startJupyter: body.startJupyter }),
      ...(body.gpu?.minCudaVersion && { ineffectiveFields: ['gpu.minCudaVersion'] }),
    },
  );
}

async function update({ pods, templates }: PodParts, id: string, body: UpdateRequest): Promise<Pod> {
  const { name, locked, globalNetworking, mounts, templateId, args } = body;
  const record = pods.record(id);
  const words = wordsOf(body);
  const container = templateId ? withTemplate(templates.get(templateId), words) : words;
  const { dockerStartCmd, ...others } = container;
  return pods.update(id, {
    name,
    locked,
    globalNetworking,
    ...others,
    ...changedMounts(mounts, record),
    ...(args === undefined ? dockerStartCmd && { dockerStartCmd } : { dockerArgs: args }),
  });
}

/**
 * Does one action. Returns the Pod; null for one that was terminated. Throws CONFLICT where its status forbids the
 * action.
 */
async function act({ pods }: PodParts, id: string, action: Action): Promise<Pod | null> {
  const record = pods.record(id);
  const status = statusOf(record, await pods.facts(id));
  if (!allowed[status].includes(action)) {
    const may = allowed[status].join(', ') || 'nothing';
    throw new AppError(
      'CONFLICT',
      `The Pod ${JSON.stringify(record.name)} (${id}) is ${status}, which does not allow ${action}. It allows ${may}.`,
    );
  }
  if (action !== 'terminate') return pods[action](id);
  await pods.terminate(id);
  return null;
}

export function podOperations(parts: PodParts): RestV2Operation[] {
  const { pods } = parts;
  const answerOf = async (pod: Pod): Promise<PodAnswer> =>
    podView(pod, pods.record(pod.id), await pods.measuredFacts(pod.id));
  const one = { 200: { words: 'The Pod.', shape: podAnswer } };
  const group = 'Pods';
  return [
    operation({
      method: 'get',
      path: '/pods',
      id: 'listPods',
      group,
      need: 'read',
      summary: 'Lists Pods.',
      query: {
        ...pageQuery,
        includeClusterPods: {
          schema: z.string().optional(),
          words: 'Makes no difference: there are no clusters here.',
        },
      },
      answers: { 200: listAnswer('ListPodsResponse', 'pods', podAnswer) },
      async run({ query }) {
        const { page, pagination } = pageOf(pods.list(), query);
        return { pods: await Promise.all(page.map(answerOf)), pagination };
      },
    }),
    operation({
      method: 'post',
      path: '/pods',
      id: 'createPod',
      group,
      need: 'all',
      summary: 'Makes a Pod and starts it.',
      body: createRequest,
      answers: { 201: one[200] },
      refusals: ['NOT_FOUND', 'UNAVAILABLE'],
      run: async ({ body }) => answerOf(await create(parts, body)),
    }),
    operation({
      method: 'get',
      path: '/pods/{id}',
      id: 'getPod',
      group,
      need: 'read',
      summary: 'Tells of one Pod.',
      answers: one,
      run: ({ params }) => answerOf(pods.get(params.id)),
    }),
    operation({
      method: 'patch',
      path: '/pods/{id}',
      id: 'updatePod',
      group,
      need: 'all',
      summary: 'Changes the fields that are named. All but name and locked make its container anew.',
      body: updateRequest,
      answers: one,
      refusals: ['UNAVAILABLE'],
      run: async ({ params, body }) => answerOf(await update(parts, params.id, body)),
    }),
    operation({
      method: 'delete',
      path: '/pods/{id}',
      id: 'deletePod',
      group,
      need: 'all',
      summary: 'Deletes a Pod with its container and its own volume.',
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['BAD_REQUEST', 'UNAVAILABLE'],
      async run({ params }) {
        await pods.terminate(params.id);
        return undefined;
      },
    }),
    operation({
      method: 'post',
      path: '/pods/{id}/action',
      id: 'podAction',
      group,
      need: 'all',
      summary: 'Starts, stops, restarts or deletes a Pod.',
      body: actionRequest,
      answers: { ...one, 204: { words: 'It was terminated.', shape: null } },
      refusals: ['CONFLICT', 'UNAVAILABLE'],
      async run({ params, body }) {
        const pod = await act(parts, params.id, body.action);
        return pod === null ? undefined : answerOf(pod);
      },
    }),
    podLogOperation(parts),
  ];
}
