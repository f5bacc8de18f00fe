/** The management API of an account over HTTP: templates, endpoints, and what they refer to. */
import {
  endpointSchema,
  registryAuthSchema,
  templateSchema,
  volumeSchema,
  type Endpoint,
  type EndpointCreate,
  type EndpointUpdate,
  type NetworkVolume,
  type RegistryAuth,
  type RegistryAuthCreate,
  type Template,
  type TemplateCreate,
  type TemplateUpdate,
  type VolumeCreate,
  type VolumeUpdate,
} from '#contract/resources.ts';
import * as z from 'zod';
import { readJson } from './answers.ts';
import type { Call, Outbound } from './outbound.ts';

export interface ManagementApi {
  templates(): Promise<Template[]>;
  createTemplate(template: TemplateCreate): Promise<Template>;
  updateTemplate(id: string, change: TemplateUpdate): Promise<Template>;
  deleteTemplate(id: string): Promise<void>;
  endpoints(): Promise<Endpoint[]>;
  endpoint(id: string): Promise<Endpoint>;
  createEndpoint(endpoint: EndpointCreate): Promise<Endpoint>;
  updateEndpoint(id: string, change: EndpointUpdate): Promise<Endpoint>;
  deleteEndpoint(id: string): Promise<void>;
  volumes(): Promise<NetworkVolume[]>;
  createVolume(volume: VolumeCreate): Promise<NetworkVolume>;
  updateVolume(id: string, change: VolumeUpdate): Promise<NetworkVolume>;
  deleteVolume(id: string): Promise<void>;
  registryAuths(): Promise<RegistryAuth[]>;
  createRegistryAuth(auth: RegistryAuthCreate): Promise<RegistryAuth>;
  deleteRegistryAuth(id: string): Promise<void>;
}

export function createManagementApi(outbound: Outbound): ManagementApi {
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
    templates: () => ask('GET', '/v1/templates?includeEndpointBoundTemplates=true', z.array(templateSchema)),
    createTemplate: (given) => ask('POST', '/v1/templates', templateSchema, given),
    updateTemplate: (id, change) => ask('PATCH', template(id), templateSchema, change),
    deleteTemplate: (id) => remove(template(id)),
    endpoints: () => ask('GET', '/v1/endpoints', z.array(endpointSchema)),
    endpoint: (id) => ask('GET', endpoint(id), endpointSchema),
    createEndpoint: (given) => ask('POST', '/v1/endpoints', endpointSchema, given),
    updateEndpoint: (id, change) => ask('PATCH', endpoint(id), endpointSchema, change),
    deleteEndpoint: (id) => remove(endpoint(id)),
    volumes: () => ask('GET', '/v1/networkvolumes', z.array(volumeSchema)),
    createVolume: (given) => ask('POST', '/v1/networkvolumes', volumeSchema, given),
    updateVolume: (id, change) => ask('PATCH', volume(id), volumeSchema, change),
    deleteVolume: (id) => remove(volume(id)),
    registryAuths: () => ask('GET', '/v1/containerregistryauth', z.array(registryAuthSchema)),
    createRegistryAuth: (given) => ask('POST', '/v1/containerregistryauth', registryAuthSchema, given),
    deleteRegistryAuth: (id) => remove(registryAuth(id)),
  };
}
