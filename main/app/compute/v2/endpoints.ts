/** Converts endpoints from and to REST v2, where an endpoint contains the fields of its template. */
import type { Endpoint, EndpointUpdate, Template } from '#contract/api/resources.ts';
import * as z from 'zod';
import { containerFields, containerFrom } from './containers.ts';

/** Prefix of the id of a template that is part of an endpoint; the endpoint's id follows. */
const OWN = 'endpoint:';
export const ownTemplateId = (endpointId: string): string => `${OWN}${endpointId}`;
/** The endpoint that contains this template; null if the template is separate. */
export const holderOf = (templateId: string): string | null =>
  templateId.startsWith(OWN) ? templateId.slice(OWN.length) : null;

const count = z.number().catch(0);
const cudaVersions = z.array(z.string()).catch([]);
export const endpointV2Schema = z.looseObject({
  ...containerFields,
  id: z.string(),
  name: z.string().catch(''),
  type: z.string().catch('QUEUE'),
  gpu: z
    .looseObject({
      pools: z.array(z.string()).catch([]),
      excludedTypes: z.array(z.string()).catch([]),
      count: z.number().catch(1),
      allowedCudaVersions: cudaVersions,
    })
    .nullish()
    .catch(null),
  cpu: z
    .array(z.looseObject({ id: z.string(), vcpuCount: count }))
    .nullish()
    .catch(null),
  workers: z.looseObject({ min: count, max: count, idleTimeout: count }).catch({ min: 0, max: 0, idleTimeout: 0 }),
  scaling: z.looseObject({ type: z.string(), queueDelay: count, requestCount: count }).nullish().catch(null),
  dataCenterIds: z.array(z.string()).catch([]),
  networkVolumes: z.array(z.string()).catch([]),
  timeout: count,
  createdAt: z.string().catch(''),
  version: count,
});
export type EndpointV2 = z.infer<typeof endpointV2Schema>;

export function endpointFrom(answer: EndpointV2): Endpoint {
  const { gpu, cpu, workers, scaling, flashboot } = answer;
  const isCount = scaling?.type === 'REQUEST_COUNT';
  return {
    // Other fields keep their names.
    ...answer,
    templateId: ownTemplateId(answer.id),
    type: answer.type === 'LOAD_BALANCER' ? 'LB' : 'QB',
    computeType: gpu || !cpu ? 'GPU' : 'CPU',
    gpuTypeIds: gpu ? [...gpu.pools, ...gpu.excludedTypes.map((type) => `-${type}`)] : [],
    gpuCount: gpu?.count ?? 0,
    ...(cpu && !gpu && { cpuFlavorIds: [...new Set(cpu.map(({ id }) => id))], vcpuCount: cpu[0]?.vcpuCount ?? 0 }),
    ...(gpu && { allowedCudaVersions: gpu.allowedCudaVersions, minCudaVersion: gpu['minCudaVersion'] }),
    // The requests of other dialects know on and off.
    ...(typeof flashboot === 'string' &&
      flashboot !== 'PRIORITY_FLASHBOOT' && { flashboot: flashboot === 'FLASHBOOT' }),
    networkVolumeIds: answer.networkVolumes,
    scalerType: isCount ? 'REQUEST_COUNT' : 'QUEUE_DELAY',
    scalerValue: (isCount ? scaling?.requestCount : scaling?.queueDelay) ?? 0,
    idleTimeout: workers.idleTimeout,
    workersMin: workers.min,
    workersMax: workers.max,
    executionTimeoutMs: answer.timeout,
  };
}

export const ownTemplate = (answer: EndpointV2): Template => ({
  ...containerFrom(answer),
  id: ownTemplateId(answer.id),
  name: answer.name,
  category: answer.gpu || !answer.cpu ? 'NVIDIA' : 'CPU',
  isPublic: false,
  isServerless: true,
  readme: '',
  volumeInGb: 0,
  volumeMountPath: '',
});

type EndpointSettings = Omit<EndpointUpdate, 'templateId'>;

/**
 * The body's fields for workers, scaling and similar settings. A field that `settings` lacks keeps its value of
 * `before`.
 */
export function settingsBody(
  settings: EndpointSettings,
  before: Pick<Endpoint, 'type' | 'scalerType' | 'scalerValue'>,
): object {
  const { workersMin, workersMax, idleTimeout, scalerType = before.scalerType } = settings;
  // In REST v2, a queue that scales by its request count cannot have an idle timeout.
  const hasIdle = idleTimeout !== undefined && !(before.type === 'QB' && scalerType === 'REQUEST_COUNT');
  const workers = {
    ...(workersMin !== undefined && { min: workersMin }),
    ...(workersMax !== undefined && { max: workersMax }),
    ...(hasIdle && { idleTimeout }),
  };
  const value = settings.scalerValue ?? before.scalerValue;
  const isScaled = settings.scalerType !== undefined || settings.scalerValue !== undefined;
  const { networkVolumeIds, networkVolumeId } = settings;
  const volumes = networkVolumeIds ?? (networkVolumeId === undefined ? undefined : [networkVolumeId].filter(Boolean));
  return {
    ...(settings.name !== undefined && { name: settings.name }),
    ...(Object.keys(workers).length > 0 && { workers }),
    ...(isScaled && {
      scaling:
        scalerType === 'REQUEST_COUNT'
          ? { type: scalerType, requestCount: value }
          : { type: scalerType, queueDelay: value },
    }),
    ...(settings.executionTimeoutMs !== undefined && { timeout: settings.executionTimeoutMs }),
    ...(volumes && { networkVolumes: volumes }),
    ...(settings.dataCenterIds && { dataCenterIds: settings.dataCenterIds }),
    ...(settings.flashboot !== undefined && { flashboot: settings.flashboot ? 'FLASHBOOT' : 'OFF' }),
  };
}
