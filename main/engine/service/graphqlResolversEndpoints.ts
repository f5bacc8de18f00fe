/** Serverless endpoints in the GraphQL API. */
import { AppError } from '#contract/errors.ts';
import { endpointCreateSchema, templateCreateSchema, type KeptEndpoint } from '#contract/resources.ts';
import type { Endpoints } from '../domain/endpoints.ts';
import { gpuIdsOf, gpuPools, gpuTypesOf } from '../domain/gpuPools.ts';
import type { Management } from '../domain/management.ts';
import { endpointTold } from '../domain/resourceViews.ts';
import type { Templates } from '../domain/templates.ts';
import type { Volumes } from '../domain/volumes.ts';
import { instanceOf } from './graphqlResolversGpuTypes.ts';
import { templateOf, templateTold, type SaveTemplateInput } from './graphqlResolversTemplates.ts';
import type { GraphqlPart } from './graphqlSchema.ts';
import { itemsOf, pairsOf, said } from './graphqlValues.ts';
import { shaped } from './shape.ts';

const types = /* GraphQL */ `
  enum FlashBootType {
    OFF
    FLASHBOOT
    PRIORITY_FLASHBOOT
  }

  type EndpointNetworkVolume {
    networkVolumeId: String
    dataCenterId: String
  }
  "How many workers there are just now, by what they do."
  type WorkerState {
    time: DateTime
    initialized: Int
    ready: Int
    running: Int
    throttled: Int
  }
  type Endpoint {
    id: String!
    name: String!
    "With commas. Kept and told; on one machine it makes no difference."
    allowedCudaVersions: String
    computeType: ComputeType
    createdAt: DateTime
    "The variables of its template."
    env: [EnvironmentVariable!]
    executionTimeoutMs: Int
    "Kept and told; on one machine it makes no difference."
    flashBootType: FlashBootType
    gpuCount: Int
    "Pools of GPU types and GPU types, with commas, as they are wanted."
    gpuIds: String
    idleTimeout: Int
    "On the CPU: flavor, cores and GB of memory, as in cpu3c-2-4."
    instanceIds: [String!]
    "Data centers, with commas. Kept and told; on one machine it makes no difference."
    locations: String
    "Kept and told; on one machine it makes no difference."
    minCudaVersion: String
    networkVolume: NetworkVolume
    networkVolumeId: String
    networkVolumeIds: [EndpointNetworkVolume!]
    scalerType: String
    scalerValue: Int
    template: PodTemplate
    templateId: String
    "QB: queue-based. LB: load balancing."
    type: String
    userId: String
    version: Int
    workerState: [WorkerState!]
    workersMax: Int
    workersMin: Int
    "Null here."
    aiKey: String
    "Null here."
    modelReferences: [String!]
    "Null here."
    workersStandby: Int
  }
  type ServerlessGpuPool {
    id: String!
    gpuTypeIds: [String!]!
  }

  input NetworkVolumeIdInput {
    networkVolumeId: String!
  }
  input EndpointInput {
    "The endpoint that is to be as said here, all of it; a new one is made without."
    id: String
    name: String
    templateId: String
    "Makes a template for it, in place of templateId."
    template: SaveTemplateInput
    executionTimeoutMs: Int
    gpuCount: Int
    gpuIds: String
    idleTimeout: Int
    networkVolumeId: String
    networkVolumeIds: [NetworkVolumeIdInput!]
    scalerType: String
    scalerValue: Int
    type: String
    workersMax: Int
    workersMin: Int
    "Given for an endpoint on the CPU: flavor, cores and GB of memory, as in cpu3c-2-4."
    instanceIds: [String!]
    "With commas."
    allowedCudaVersions: String
    flashBootType: FlashBootType
    "Data centers, with commas."
    locations: String
    minCudaVersion: String
  }
  input UpdateEndpointTemplateInput {
    endpointId: String
    "The same as endpointId."
    id: String
    templateId: String!
  }

  extend type Query {
    serverlessGpuPools: [ServerlessGpuPool!]
  }
  extend type Mutation {
    saveEndpoint(input: EndpointInput): Endpoint
    deleteEndpoint(id: String): Void
    updateEndpointTemplate(input: UpdateEndpointTemplateInput): Endpoint
  }
  extend type User {
    endpoints: [Endpoint!]
    endpoint(id: String): Endpoint
  }
`;

interface EndpointInput {
  id?: string | null;
  templateId?: string | null;
  template?: SaveTemplateInput | null;
  gpuIds?: string | null;
  networkVolumeId?: string | null;
  networkVolumeIds?: { networkVolumeId: string }[] | null;
  executionTimeoutMs?: number | null;
  instanceIds?: string[] | null;
  allowedCudaVersions?: string | null;
  flashBootType?: string | null;
  locations?: string | null;
  minCudaVersion?: string | null;
}

export interface WorkerState {
  time: string;
  initialized: number;
  ready: number;
  running: number;
  throttled: number;
}

interface Parts {
  endpoints: Endpoints;
  templates: Templates;
  volumes: Volumes;
  management: Management;
  workerState(endpointId: string): WorkerState;
}

/** Flavors of instances on the CPU; cores and memory of the first. */
function ofInstances(instanceIds: readonly string[]): object {
  const [first, ...others] = instanceIds.map(instanceOf);
  if (!first) return {};
  const { flavor, vcpuCount, memoryInGb } = first;
  const cpuFlavorIds = [...new Set([flavor, ...others.map((other) => other.flavor)])];
  return { computeType: 'CPU', cpuFlavorIds, vcpuCount, memoryInGb };
}

/** What is asked for, in the words of /v1, but for its template. Tools send an empty text for what they leave to the service. */
function endpointOf(input: EndpointInput): Record<string, unknown> {
  const { id: _id, template: _template, gpuIds = '', networkVolumeId, networkVolumeIds = [], ...rest } = said(input);
  const {
    executionTimeoutMs,
    instanceIds = [],
    allowedCudaVersions,
    flashBootType,
    locations,
    minCudaVersion,
    ...kept
  } = rest;
  const several = networkVolumeIds.map((one) => one.networkVolumeId);
  return {
    ...kept,
    ...ofInstances(instanceIds),
    gpuTypeIds: gpuTypesOf(gpuIds),
    networkVolumeIds: several.length > 0 ? several : networkVolumeId ? [networkVolumeId] : [],
    ...(executionTimeoutMs && { executionTimeoutMs }),
    ...(allowedCudaVersions !== undefined && { allowedCudaVersions: itemsOf(allowedCudaVersions) }),
    ...(flashBootType !== undefined && { flashboot: flashBootType !== 'OFF' }),
    ...(locations !== undefined && { dataCenterIds: itemsOf(locations) }),
    ...(minCudaVersion && { minCudaVersion }),
  };
}

/** A list with commas; null where it is empty. */
const lined = (items: readonly string[]): string | null => (items.length > 0 ? items.join(',') : null);

export function endpointOperations(parts: Parts): GraphqlPart {
  const { endpoints, templates, volumes, management, workerState } = parts;
  const told = (endpoint: KeptEndpoint) => {
    const template = templates.find(endpoint.templateId);
    const [first] = endpoint.networkVolumeIds;
    return {
      ...endpointTold(endpoint, template),
      allowedCudaVersions: lined(endpoint.allowedCudaVersions),
      flashBootType: endpoint.flashboot ? 'FLASHBOOT' : 'OFF',
      gpuIds: gpuIdsOf(endpoint.gpuTypeIds),
      locations: lined(endpoint.dataCenterIds),
      env: template && pairsOf(template.env),
      template: template && templateTold(template),
      networkVolumeId: first ?? null,
      networkVolumeIds: endpoint.networkVolumeIds.map((id) => ({
        networkVolumeId: id,
        dataCenterId: volumes.has(id) ? volumes.get(id).dataCenterId : null,
      })),
      networkVolume: first !== undefined && volumes.has(first) ? volumes.get(first) : null,
      workerState: () => [workerState(endpoint.id)],
    };
  };

  /** The template that is made for it, if one is; gone again where the endpoint cannot be made. */
  function withTemplate(input: EndpointInput, make: (templateId: string) => KeptEndpoint): KeptEndpoint {
    if (!input.template) return make(input.templateId ?? '');
    const fields = { isServerless: true, ...templateOf(input.template) };
    const template = templates.create(shaped(templateCreateSchema, fields, 'input.template'));
    try {
      return make(template.id);
    } catch (error) {
      management.deleteTemplate(template.id);
      throw error;
    }
  }

  return {
    types,
    withoutKey: ['serverlessGpuPools'],
    queries: {
      serverlessGpuPools: () => Object.entries(gpuPools).map(([id, gpuTypeIds]) => ({ id, gpuTypeIds })),
    },
    mutations: {
      saveEndpoint({ input }: { input?: EndpointInput | null }) {
        if (!input) throw new AppError('BAD_REQUEST', 'input is needed: the fields of the endpoint.');
        const fields = endpointOf(input);
        const before = input.id ? endpoints.get(input.id) : null;
        const endpoint = withTemplate(input, (given) => {
          const templateId = given === '' ? (before?.templateId ?? '') : given;
          const wanted = shaped(endpointCreateSchema, { ...fields, templateId }, 'input');
          return before ? management.replaceEndpoint(before.id, wanted) : management.createEndpoint(wanted);
        });
        return told(endpoint);
      },
      deleteEndpoint({ id }: { id?: string | null }) {
        management.deleteEndpoint(id ?? '');
      },
      updateEndpointTemplate({ input }: { input?: { endpointId?: string; id?: string; templateId: string } | null }) {
        const id = input?.endpointId ?? input?.id;
        if (!input || !id) throw new AppError('BAD_REQUEST', 'input.endpointId is needed.');
        return told(management.updateEndpoint(id, { templateId: input.templateId }));
      },
    },
    user: {
      endpoints: () => endpoints.list().map(told),
      endpoint({ id }: { id?: string | null }) {
        const found = endpoints.find(id ?? '');
        return found ? told(found) : null;
      },
    },
  };
}
