/** Management in the description's dialect: REST v1. */
import {
  lenientEndpointSchema,
  lenientRegistryAuthSchema,
  lenientTemplateSchema,
  lenientVolumeSchema,
  type LenientGpuType,
} from '#contract/api/lenient.ts';
import * as z from 'zod';
import { createSendJson } from '../http/jsonRequests.ts';
import type { ManagementApi } from '../management.ts';
import type { Outbound } from '../http/outbound.ts';

const GIB = 1024 ** 3;

/** `gpuTypes`: the GPU types of Pods, which endpoints can have, too; null if an engine of Hangar lists its own. */
export function createManagementV1(
  outbound: Outbound,
  gpuTypes: (() => Promise<LenientGpuType[]>) | null,
): ManagementApi {
  const ask = createSendJson(outbound);
  const remove = async (path: string): Promise<void> => {
    await outbound.send({ method: 'DELETE', path });
  };
  const template = (id: string): string => `/v1/templates/${encodeURIComponent(id)}`;
  const endpoint = (id: string): string => `/v1/endpoints/${encodeURIComponent(id)}`;
  const volume = (id: string): string => `/v1/networkvolumes/${encodeURIComponent(id)}`;
  const registryAuth = (id: string): string => `/v1/containerregistryauth/${encodeURIComponent(id)}`;

  return {
    // Templates of endpoints are included, which a service omits by default.
    templates: () => ask('GET', '/v1/templates?includeEndpointBoundTemplates=true', z.array(lenientTemplateSchema)),
    createTemplate: (input) => ask('POST', '/v1/templates', lenientTemplateSchema, input),
    updateTemplate: (id, change) => ask('PATCH', template(id), lenientTemplateSchema, change),
    deleteTemplate: (id) => remove(template(id)),
    endpoints: () => ask('GET', '/v1/endpoints', z.array(lenientEndpointSchema)),
    endpoint: (id) => ask('GET', endpoint(id), lenientEndpointSchema),
    createEndpoint: (input) => ask('POST', '/v1/endpoints', lenientEndpointSchema, input),
    deploy: null,
    updateEndpoint: (id, change) => ask('PATCH', endpoint(id), lenientEndpointSchema, change),
    deleteEndpoint: (id) => remove(endpoint(id)),
    gpuTypes:
      gpuTypes &&
      (async () =>
        (await gpuTypes()).map(({ id, maxGpuCount, memoryInGb }) => ({
          id,
          count: maxGpuCount,
          memoryBytes: memoryInGb * GIB,
        }))),
    volumes: () => ask('GET', '/v1/networkvolumes', z.array(lenientVolumeSchema)),
    createVolume: (input) => ask('POST', '/v1/networkvolumes', lenientVolumeSchema, input),
    updateVolume: (id, change) => ask('PATCH', volume(id), lenientVolumeSchema, change),
    deleteVolume: (id) => remove(volume(id)),
    registryAuths: () => ask('GET', '/v1/containerregistryauth', z.array(lenientRegistryAuthSchema)),
    createRegistryAuth: (input) => ask('POST', '/v1/containerregistryauth', lenientRegistryAuthSchema, input),
    deleteRegistryAuth: (id) => remove(registryAuth(id)),
  };
}
