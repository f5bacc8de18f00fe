/** Management in REST v2. An endpoint contains its template fields, so it is also listed as a template. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type {
  EndpointCreate,
  NetworkVolume,
  Template,
  TemplateCreate,
  TemplateUpdate,
} from '#contract/api/resources.ts';
import { lenientRegistryAuthSchema } from '#contract/api/lenient.ts';
import * as z from 'zod';
import type { CatalogV2 } from './catalog.ts';
import { containerBody, containerFields, containerFrom, mountsSchema } from './containers.ts';
import { endpointFrom, endpointV2Schema, ownTemplate, holderOf, settingsBody, type EndpointV2 } from './endpoints.ts';
import type { ManagementApi } from '../management.ts';
import type { RestV2 } from './client.ts';

const templateSchema = z
  .looseObject({
    ...containerFields,
    id: z.string(),
    name: z.string().catch(''),
    mounts: mountsSchema,
    serverless: z.boolean().catch(false),
    public: z.boolean().catch(false),
    category: z.enum(['CPU', 'NVIDIA', 'AMD']).catch('NVIDIA'),
  })
  .transform((answer): Template => ({
    ...answer,
    ...containerFrom(answer),
    isServerless: answer.serverless,
    isPublic: answer.public,
    readme: '',
    volumeInGb: answer.mounts.persistent?.size ?? 0,
    volumeMountPath: answer.mounts.persistent?.path ?? '',
  }));

const volumeSchema = z
  .looseObject({
    id: z.string(),
    name: z.string().catch(''),
    size: z.number().catch(0),
    dataCenter: z.string().catch(''),
  })
  .transform((answer): NetworkVolume => ({ ...answer, dataCenterId: answer.dataCenter }));

const enc = encodeURIComponent;

function templateBody(input: TemplateUpdate): object {
  const { volumeInGb, volumeMountPath } = input;
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...containerBody(input),
    ...(input.isPublic !== undefined && { public: input.isPublic }),
    ...(volumeInGb && { mounts: { persistent: { size: volumeInGb, path: volumeMountPath || '/workspace' } } }),
  };
}

export function createManagementV2(rest: RestV2, catalog: CatalogV2): ManagementApi {
  const fetchEndpoint = (id: string): Promise<EndpointV2> => rest.ask('GET', `serverless/${enc(id)}`, endpointV2Schema);
  const endpoints = (): Promise<EndpointV2[]> => rest.list('serverless', 'endpoints', endpointV2Schema);

  /** An empty list means any GPU. REST v2 refuses an empty list, so every pool is named. */
  async function selected(names: readonly string[]): Promise<{ pools: string[]; excludedTypes: string[] }> {
    return names.length > 0 ? catalog.selection(names) : { pools: await catalog.anyPool(), excludedTypes: [] };
  }

  /** The body's hardware fields. */
  async function hardware(fields: Partial<EndpointCreate>): Promise<object> {
    if (fields.computeType === 'CPU') {
      const vcpuCount = fields.vcpuCount ?? limits.endpoint.vcpuCount.default;
      return { cpu: (fields.cpuFlavorIds ?? ['cpu3c']).map((id) => ({ id, vcpuCount })) };
    }
    const chosen = fields.gpuTypeIds && (await selected(fields.gpuTypeIds));
    const { gpuCount, allowedCudaVersions, minCudaVersion } = fields;
    return {
      gpu: {
        // A service without pools accepts a missing list as "any": a private machine uses the GPUs that it has.
        ...(chosen && chosen.pools.length > 0 && { pools: chosen.pools }),
        ...(chosen && chosen.excludedTypes.length > 0 && { excludedTypes: chosen.excludedTypes }),
        ...(gpuCount !== undefined && { count: gpuCount }),
        ...(allowedCudaVersions && { allowedCudaVersions }),
        ...(minCudaVersion && { minCudaVersion }),
      },
    };
  }

  async function create(made: Partial<EndpointCreate>, from: object, name: string) {
    const type = made.type ?? 'QB';
    const scaler = type === 'LB' ? ('REQUEST_COUNT' as const) : ('QUEUE_DELAY' as const);
    const usual = { type, scalerType: scaler, scalerValue: limits.endpoint.scalerValue.default };
    const timeout = limits.executionTimeoutMs.default;
    // Without a timeout the service would let a job run forever.
    const settings = { scalerType: scaler, executionTimeoutMs: timeout, ...made };
    const body = {
      name,
      type: type === 'LB' ? 'LOAD_BALANCER' : 'QUEUE',
      ...from,
      ...settingsBody(settings, usual),
      ...(await hardware({ gpuTypeIds: [], ...made })),
    };
    return endpointFrom(await rest.ask('POST', 'serverless', endpointV2Schema, body));
  }

  return {
    async templates() {
      const [own, holders] = await Promise.all([rest.list('templates', 'templates', templateSchema), endpoints()]);
      return [...own, ...holders.map(ownTemplate)];
    },
    createTemplate(input) {
      const { category, isServerless = false } = input;
      const made = { ...templateBody(input), serverless: isServerless, ...(category && { category }) };
      return rest.ask('POST', 'templates', templateSchema, made);
    },
    async updateTemplate(id, change) {
      const holder = holderOf(id);
      if (holder === null) return rest.ask('PATCH', `templates/${enc(id)}`, templateSchema, templateBody(change));
      const body = containerBody(change);
      return ownTemplate(await rest.ask('PATCH', `serverless/${enc(holder)}`, endpointV2Schema, body));
    },
    async deleteTemplate(id) {
      const holder = holderOf(id);
      if (holder === null) return rest.remove(`templates/${enc(id)}`);
      const still = await fetchEndpoint(holder).catch((thrown: unknown) => {
        if (thrown instanceof AppError && thrown.code === 'NOT_FOUND') return null;
        throw thrown;
      });
      if (still === null) return;
      throw new AppError('CONFLICT', `This template belongs to the endpoint "${still.name}", and goes with it.`);
    },
    endpoints: async () => (await endpoints()).map(endpointFrom),
    endpoint: async (id) => endpointFrom(await fetchEndpoint(id)),
    createEndpoint: ({ templateId, ...made }) => create(made, { templateId }, made.name ?? 'my endpoint'),
    deploy: (template: TemplateCreate, made) => create(made, containerBody(template), made.name ?? template.name),
    async updateEndpoint(id, { templateId, ...change }) {
      const before = endpointFrom(await fetchEndpoint(id));
      const namesGpus = change.gpuTypeIds !== undefined && change.gpuTypeIds.join() !== before.gpuTypeIds.join();
      if (namesGpus && before.computeType === 'CPU') {
        throw new AppError(
          'BAD_REQUEST',
          'This endpoint runs on the CPU, and REST v2 cannot change that. Create another endpoint for GPUs.',
        );
      }
      const { gpuTypeIds, ...others } = change;
      const hardwareChange = namesGpus ? { ...others, gpuTypeIds } : others;
      const changesGpus = namesGpus || (change.gpuCount !== undefined && change.gpuCount !== before.gpuCount);
      const body = {
        ...settingsBody(change, before),
        ...(changesGpus && (await hardware(hardwareChange))),
        ...(templateId !== undefined && templateId !== before.templateId && { templateId }),
      };
      return endpointFrom(await rest.ask('PATCH', `serverless/${enc(id)}`, endpointV2Schema, body));
    },
    deleteEndpoint: (id) => rest.remove(`serverless/${enc(id)}`),
    gpuTypes: () => catalog.pools(),
    volumes: () => rest.list('network-volumes', 'networkVolumes', volumeSchema),
    createVolume: ({ name, size, dataCenterId }) =>
      rest.ask('POST', 'network-volumes', volumeSchema, { name, size, dataCenter: dataCenterId }),
    updateVolume: (id, change) => rest.ask('PATCH', `network-volumes/${enc(id)}`, volumeSchema, change),
    deleteVolume: (id) => rest.remove(`network-volumes/${enc(id)}`),
    registryAuths: () => rest.list('registries', 'registries', lenientRegistryAuthSchema),
    createRegistryAuth: (input) => rest.ask('POST', 'registries', lenientRegistryAuthSchema, input),
    deleteRegistryAuth: (id) => rest.remove(`registries/${enc(id)}`),
  };
}
