/** Serverless endpoints in the GraphQL API. */
import { regionsOfCountries } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import { endpointCreateSchema, type EngineEndpoint } from '#contract/api/resources.ts';
import type { Endpoints } from '../../../domain/resources/endpoints.ts';
import { gpuIdsOf, gpuPools, gpuTypesOf } from '../../../domain/gpus/pools.ts';
import type { Management } from '../../../domain/resources/resourceService.ts';
import { endpointView } from '../../../domain/resources/views.ts';
import type { Templates } from '../../../domain/resources/templates.ts';
import type { Volumes } from '../../../domain/resources/volumes.ts';
import { instanceOf } from './gpuTypes.ts';
import { newTemplateOf, templateFields, type SaveTemplateInput } from './templates.ts';
import { volumeView } from './volumes.ts';
import type { GraphqlPart } from '../schema.ts';
import { itemsOf, namingFields, pairsOf, omitNull, type FieldNames } from '../values.ts';
import { validate } from '../../http/validate.ts';

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
    "On one machine it makes no difference; PRIORITY_FLASHBOOT is told as FLASHBOOT."
    flashBootType: FlashBootType
    gpuCount: Int
    "Pools of GPU types and GPU types, with commas, as they are wanted."
    gpuIds: String
    idleTimeout: Int
    "On the CPU: flavor, cores and GB of memory, as in cpu3c-2-4."
    instanceIds: [String!]
    "Data centers and countries, with commas. Kept and told; on one machine it makes no difference."
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
    idePodId: String
    "Null here."
    workersPFBTarget: Int
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
    "Taken, and makes no difference."
    workersPFBTarget: Int
    "Given for an endpoint on the CPU: flavor, cores and GB of memory, as in cpu3c-2-4."
    instanceIds: [String!]
    "With commas."
    allowedCudaVersions: String
    flashBootType: FlashBootType
    "Data centers, or countries as in US for all of theirs, with commas; everywhere where it is empty."
    locations: String
    minCudaVersion: String
    "Taken, and makes no difference: this machine has no Hub."
    hubReleaseId: String
    "Refused unless it is empty: this machine keeps no models for endpoints."
    modelReferences: [String!]
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
  name?: string | null;
  modelReferences?: string[] | null;
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

/** Field of /v1 → field in the caller's input. */
const namesIn = ({ networkVolumeIds }: EndpointInput): FieldNames => ({
  gpuTypeIds: 'gpuIds',
  dataCenterIds: 'locations',
  flashboot: 'flashBootType',
  cpuFlavorIds: 'instanceIds',
  vcpuCount: 'instanceIds',
  allowedCudaVersions: 'allowedCudaVersions',
  networkVolumeIds: networkVolumeIds && networkVolumeIds.length > 0 ? 'networkVolumeIds' : 'networkVolumeId',
});

/** `US,EU-RO-1`: regions, and countries for all of their regions. */
const regionsOf = (locations: string): string[] => [
  ...new Set(itemsOf(locations).flatMap((item) => regionsOfCountries[item] ?? [item])),
];

/** Regions as one line. A country stands for its regions where all of several are listed. */
function locationsOf(regions: readonly string[]): string[] {
  const whole = Object.entries(regionsOfCountries).filter(
    ([, own]) => own.length > 1 && own.every((region) => regions.includes(region)),
  );
  const covered = new Set(whole.flatMap(([, own]) => own));
  return [...whole.map(([country]) => country), ...regions.filter((region) => !covered.has(region))];
}

/** Clients ask for FlashBoot by the end of a name as well. */
const FLASHBOOT_NAME = / -fb$/;

/**
 * The input in the words of /v1, without the template. Tools send an empty text for a field that they leave to the
 * service.
 */
function endpointOf(input: EndpointInput, before: EngineEndpoint | null): Record<string, unknown> {
  const {
    id: _id,
    template: _template,
    gpuIds = '',
    networkVolumeId,
    networkVolumeIds = [],
    ...rest
  } = omitNull(input);
  const {
    executionTimeoutMs,
    instanceIds = [],
    allowedCudaVersions,
    flashBootType,
    locations,
    minCudaVersion,
    ...fields
  } = rest;
  const flashboot =
    flashBootType === undefined ? FLASHBOOT_NAME.test(fields.name ?? before?.name ?? '') : flashBootType !== 'OFF';
  const several = networkVolumeIds.map((one) => one.networkVolumeId);
  return {
    ...fields,
    ...ofInstances(instanceIds),
    gpuTypeIds: gpuTypesOf(gpuIds),
    networkVolumeIds: several.length > 0 ? several : networkVolumeId ? [networkVolumeId] : [],
    ...(executionTimeoutMs && { executionTimeoutMs }),
    ...(allowedCudaVersions !== undefined && { allowedCudaVersions: itemsOf(allowedCudaVersions) }),
    flashboot,
    ...(locations !== undefined && { dataCenterIds: regionsOf(locations) }),
    ...(minCudaVersion && { minCudaVersion }),
  };
}

/** A list with commas; null where it is empty. */
const lined = (items: readonly string[]): string | null => (items.length > 0 ? items.join(',') : null);

export function endpointOperations(parts: Parts): GraphqlPart {
  const { endpoints, templates, volumes, management, workerState } = parts;
  const toView = (endpoint: EngineEndpoint) => {
    const template = templates.find(endpoint.templateId);
    const [first] = endpoint.networkVolumeIds;
    return {
      ...endpointView(endpoint, template),
      allowedCudaVersions: lined(endpoint.allowedCudaVersions),
      flashBootType: endpoint.flashboot ? 'FLASHBOOT' : 'OFF',
      gpuIds: gpuIdsOf(endpoint.gpuTypeIds),
      locations: lined(locationsOf(endpoint.dataCenterIds)),
      env: template && pairsOf(template.env),
      template: template && templateFields(template),
      networkVolumeId: first ?? null,
      networkVolumeIds: endpoint.networkVolumeIds.map((id) => ({
        networkVolumeId: id,
        dataCenterId: volumes.has(id) ? volumes.get(id).dataCenterId : null,
      })),
      networkVolume: first !== undefined && volumes.has(first) ? volumeView(volumes.get(first)) : null,
      workerState: () => [workerState(endpoint.id)],
    };
  };

  /** Makes the template of a new endpoint, if it needs one; removes it again where the endpoint cannot be made. */
  function withTemplate(input: EndpointInput, make: (templateId: string) => EngineEndpoint): EngineEndpoint {
    if (!input.template) return make(input.templateId ?? '');
    const template = templates.create(newTemplateOf(input.template, { isServerless: true }, 'input.template'));
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
        if (input.modelReferences && input.modelReferences.length > 0) {
          throw new AppError(
            'UNSUPPORTED',
            'modelReferences must be empty: this machine keeps no models for endpoints.',
          );
        }
        const before = input.id ? endpoints.get(input.id) : null;
        const fields = endpointOf(input, before);
        const endpoint = withTemplate(input, (newTemplateId) => {
          const templateId = newTemplateId === '' ? (before?.templateId ?? '') : newTemplateId;
          return namingFields(namesIn(input), () => {
            const create = validate(endpointCreateSchema, { ...fields, templateId }, 'input');
            return before ? management.replaceEndpoint(before.id, create) : management.createEndpoint(create);
          });
        });
        return toView(endpoint);
      },
      deleteEndpoint({ id }: { id?: string | null }) {
        management.deleteEndpoint(id ?? '');
      },
      updateEndpointTemplate({ input }: { input?: { endpointId?: string; id?: string; templateId: string } | null }) {
        const id = input?.endpointId ?? input?.id;
        if (!input || !id) throw new AppError('BAD_REQUEST', 'input.endpointId is needed.');
        return toView(management.updateEndpoint(id, { templateId: input.templateId }));
      },
    },
    user: {
      endpoints: () => endpoints.list().map(toView),
      endpoint({ id }: { id?: string | null }) {
        const endpoint = endpoints.find(id ?? '');
        return endpoint ? toView(endpoint) : null;
      },
    },
  };
}
