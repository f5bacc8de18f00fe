/** Endpoints in the words of REST v2, and back: there, an endpoint holds what its template says. */
import type { Endpoint, EndpointUpdate, Template } from '#contract/api/resources.ts';
import * as z from 'zod';
import { containerFields, containerFrom } from './containers.ts';

/** Stands before the id of an endpoint in that of the template which it holds. */
const OWN = 'endpoint:';
export const ownTemplateId = (endpointId: string): string => `${OWN}${endpointId}`;
/** The endpoint that holds this template; null where it is one by itself. */
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

export function endpointFrom(told: EndpointV2): Endpoint {
  const { gpu, cpu, workers, scaling } = told;
  const isCount = scaling?.type === 'REQUEST_COUNT';
  return {
    // What has no other name is kept as it came.
    ...told,
    templateId: ownTemplateId(told.id),
    type: told.type === 'LOAD_BALANCER' ? 'LB' : 'QB',
    computeType: gpu || !cpu ? 'GPU' : 'CPU',
    gpuTypeIds: gpu ? [...gpu.pools, ...gpu.excludedTypes.map((type) => `-${type}`)] : [],
    gpuCount: gpu?.count ?? 0,
    networkVolumeIds: told.networkVolumes,
    ...{ scalerType: isCount ? 'REQUEST_COUNT' : 'QUEUE_DELAY' },
    scalerValue: (isCount ? scaling?.requestCount : scaling?.queueDelay) ?? 0,
    ...{ idleTimeout: workers.idleTimeout, workersMin: workers.min, workersMax: workers.max },
    executionTimeoutMs: told.timeout,
  };
}

export const heldTemplate = (told: EndpointV2): Template => ({
  ...containerFrom(told),
  ...{ id: ownTemplateId(told.id), name: told.name, category: told.gpu || !told.cpu ? 'NVIDIA' : 'CPU' },
  ...{ isPublic: false, isServerless: true, readme: '', volumeInGb: 0, volumeMountPath: '' },
});

type Said = Omit<EndpointUpdate, 'templateId'>;

/** What is said of workers, of scaling, and of what can be said in the same words. `before`: what is not said stays as it was. */
export function settingsBody(said: Said, before: Pick<Endpoint, 'type' | 'scalerType' | 'scalerValue'>): object {
  const { workersMin, workersMax, idleTimeout, scalerType = before.scalerType } = said;
  // Counting requests of a queue and an idle timeout exclude one another there.
  const hasIdle = idleTimeout !== undefined && !(before.type === 'QB' && scalerType === 'REQUEST_COUNT');
  const workers = {
    ...(workersMin !== undefined && { min: workersMin }),
    ...(workersMax !== undefined && { max: workersMax }),
    ...(hasIdle && { idleTimeout }),
  };
  const value = said.scalerValue ?? before.scalerValue;
  const isScaled = said.scalerType !== undefined || said.scalerValue !== undefined;
  const { networkVolumeIds, networkVolumeId } = said;
  const volumes = networkVolumeIds ?? (networkVolumeId === undefined ? undefined : [networkVolumeId].filter(Boolean));
  return {
    ...(said.name !== undefined && { name: said.name }),
    ...(Object.keys(workers).length > 0 && { workers }),
    ...(isScaled && {
      scaling:
        scalerType === 'REQUEST_COUNT'
          ? { type: scalerType, requestCount: value }
          : { type: scalerType, queueDelay: value },
    }),
    ...(said.executionTimeoutMs !== undefined && { timeout: said.executionTimeoutMs }),
    ...(volumes && { networkVolumes: volumes }),
    ...(said.dataCenterIds && { dataCenterIds: said.dataCenterIds }),
    ...(said.flashboot !== undefined && { flashboot: said.flashboot ? 'FLASHBOOT' : 'OFF' }),
  };
}
