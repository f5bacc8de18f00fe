/** Management in the description's dialect: REST v1. */
import {
  toldEndpointSchema,
  toldRegistryAuthSchema,
  toldTemplateSchema,
  toldVolumeSchema,
  type ToldGpuType,
} from '#contract/api/lenient.ts';
import * as z from 'zod';
import { readJson } from '../http/parsers.ts';
import type { ManagementApi } from '../management.ts';
import type { Call, Outbound } from '../http/outbound.ts';

const GIB = 1024 ** 3;

/** `gpuTypes`: what Pods can have, which endpoints can have as well; null where a machine of ours tells its own. */
export function createManagementV1(outbound: Outbound, gpuTypes: (() => Promise<ToldGpuType[]>) | null): ManagementApi {
  const ask = async <S extends z.ZodType>(
    method: Call['method'],
    path: string,
    answer: S,
    body?: unknown,
  ): Promise<z.output<S>> => {
    const call: Call = { method, path, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return readJson(path, await outbound.send(call), answer);
  };
  const remove = async (path: string): Promise<void> => {
    await outbound.send({ method: 'DELETE', path });
  };
  const template = (id: string): string => `/v1/templates/${encodeURIComponent(id)}`;
  const endpoint = (id: string): string => `/v1/endpoints/${encodeURIComponent(id)}`;
  const volume = (id: string): string => `/v1/networkvolumes/${encodeURIComponent(id)}`;
  const registryAuth = (id: string): string => `/v1/containerregistryauth/${encodeURIComponent(id)}`;

  return {
    // Those of endpoints are templates as well; a service leaves them out unless it is asked.
    templates: () => ask('GET', '/v1/templates?includeEndpointBoundTemplates=true', z.array(toldTemplateSchema)),
    createTemplate: (input) => ask('POST', '/v1/templates', toldTemplateSchema, input),
    updateTemplate: (id, change) => ask('PATCH', template(id), toldTemplateSchema, change),
    deleteTemplate: (id) => remove(template(id)),
    endpoints: () => ask('GET', '/v1/endpoints', z.array(toldEndpointSchema)),
    endpoint: (id) => ask('GET', endpoint(id), toldEndpointSchema),
    createEndpoint: (input) => ask('POST', '/v1/endpoints', toldEndpointSchema, input),
    deploy: null,
    updateEndpoint: (id, change) => ask('PATCH', endpoint(id), toldEndpointSchema, change),
    deleteEndpoint: (id) => remove(endpoint(id)),
    gpuTypes:
      gpuTypes &&
      (async () =>
        (await gpuTypes()).map(({ id, maxGpuCount, memoryInGb }) => ({
          id,
          count: maxGpuCount,
          memoryBytes: memoryInGb * GIB,
        }))),
    volumes: () => ask('GET', '/v1/networkvolumes', z.array(toldVolumeSchema)),
    createVolume: (input) => ask('POST', '/v1/networkvolumes', toldVolumeSchema, input),
    updateVolume: (id, change) => ask('PATCH', volume(id), toldVolumeSchema, change),
    deleteVolume: (id) => remove(volume(id)),
    registryAuths: () => ask('GET', '/v1/containerregistryauth', z.array(toldRegistryAuthSchema)),
    createRegistryAuth: (input) => ask('POST', '/v1/containerregistryauth', toldRegistryAuthSchema, input),
    deleteRegistryAuth: (id) => remove(registryAuth(id)),
  };
}
