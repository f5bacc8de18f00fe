/** Endpoints: queues or load balancers with their workers. Applies the defaults and rules of the management API. */
import { AppError } from '#contract/core/errors.ts';
import { endpointCpuFlavors } from '#contract/core/cloudNames.ts';
import { limits } from '#contract/core/limits.ts';
import type { EndpointCreate, EndpointUpdate, EngineEndpoint } from '#contract/api/resources.ts';
import { omitUndefined } from '../core/omitUndefined.ts';
import type { Clock, Ids } from '../core/ports.ts';
import type { ComputeLimits } from './ports.ts';
import type { ResourceStore } from './ports.ts';
import type { Templates } from './templates.ts';

type Settings = Omit<EngineEndpoint, 'id' | 'templateId' | 'createdAt' | 'version' | 'name'>;

/** The limits of a worker: none, except on endpoints of the type CPU. */
export function limitsOf({ computeType, cpuFlavorIds, vcpuCount, memoryInGb }: EngineEndpoint): ComputeLimits {
  if (computeType !== 'CPU') return { vcpuCount: 0, memoryInGb: 0 };
  const [flavor] = cpuFlavorIds;
  const ofFlavor = flavor === undefined ? 0 : vcpuCount * endpointCpuFlavors[flavor];
  return { vcpuCount, memoryInGb: memoryInGb > 0 ? memoryInGb : ofFlavor };
}

/** The settings that determine how workers are created. A change of this text replaces the workers. */
const madeOf = (endpoint: EngineEndpoint): string => {
  const { templateId, networkVolumeIds, computeType, gpuTypeIds, gpuCount } = endpoint;
  return JSON.stringify([templateId, networkVolumeIds, computeType, gpuTypeIds, gpuCount, limitsOf(endpoint)]);
};

export const endpointDefaults: Settings = {
  computeType: 'GPU',
  gpuTypeIds: [],
  networkVolumeIds: [],
  type: 'QB',
  gpuCount: limits.endpoint.gpuCount.default,
  scalerType: 'QUEUE_DELAY',
  scalerValue: limits.endpoint.scalerValue.default,
  idleTimeout: limits.endpoint.idleTimeoutS.default,
  executionTimeoutMs: limits.executionTimeoutMs.default,
  workersMin: limits.endpoint.workersMin.default,
  workersMax: limits.endpoint.workersMax.default,
  allowedCudaVersions: [],
  cpuFlavorIds: [],
  vcpuCount: limits.endpoint.vcpuCount.default,
  memoryInGb: 0,
  dataCenterIds: [],
  flashboot: false,
};

/** An empty `minCudaVersion` removes the minimum. */
export type EndpointChange = Omit<EndpointUpdate, 'minCudaVersion'> & {
  minCudaVersion?: EndpointUpdate['minCudaVersion'] | '';
};

export interface Endpoints {
  list(): EngineEndpoint[];
  /** Throws NOT_FOUND for an unknown id. */
  get(id: string): EngineEndpoint;
  find(id: string): EngineEndpoint | undefined;
  create(input: EndpointCreate): EngineEndpoint;
  update(id: string, input: EndpointChange): EngineEndpoint;
  /** Replaces all settings of an endpoint and keeps its id. Fields that `input` omits get their defaults. */
  replace(id: string, input: EndpointCreate): EngineEndpoint;
  delete(id: string): void;
  usingTemplate(templateId: string): EngineEndpoint[];
  usingVolume(volumeId: string): EngineEndpoint[];
  /** Marks the workers of this endpoint as outdated. */
  bumpVersion(endpoint: EngineEndpoint): EngineEndpoint;
}

/** The short form for one volume. An empty id removes the volume; undefined keeps it. */
const oneVolume = (id: string | undefined): { networkVolumeIds?: string[] } =>
  id === undefined ? {} : { networkVolumeIds: id === '' ? [] : [id] };

export function createEndpoints(
  store: ResourceStore,
  templates: Templates,
  ids: Ids,
  clock: Clock,
  /** The default execution timeout, milliseconds. */
  executionTimeoutMs: () => number = () => limits.executionTimeoutMs.default,
  /** Whether a network volume with this id exists. */
  hasVolume: (id: string) => boolean = () => true,
): Endpoints {
  const endpoints = new Map(store.loadEndpoints().map((endpoint) => [endpoint.id, endpoint]));

  function get(id: string): EngineEndpoint {
    const endpoint = endpoints.get(id);
    if (!endpoint) throw new AppError('NOT_FOUND', `There is no endpoint ${JSON.stringify(id)}.`);
    return endpoint;
  }

  function save(endpoint: EngineEndpoint): EngineEndpoint {
    if (!templates.find(endpoint.templateId)) {
      throw new AppError('BAD_REQUEST', `templateId ${JSON.stringify(endpoint.templateId)} names no template.`);
    }
    const unknown = endpoint.networkVolumeIds.find((id) => !hasVolume(id));
    if (unknown !== undefined) {
      throw new AppError('BAD_REQUEST', `networkVolumeIds: ${JSON.stringify(unknown)} names no network volume.`);
    }
    if (endpoint.workersMin > endpoint.workersMax) {
      throw new AppError(
        'BAD_REQUEST',
        `workersMin (${endpoint.workersMin}) must not be greater than workersMax (${endpoint.workersMax}).`,
      );
    }
    if (endpoint.type === 'LB' && endpoint.scalerType !== 'REQUEST_COUNT') {
      throw new AppError(
        'BAD_REQUEST',
        `scalerType of a load-balancing endpoint must be REQUEST_COUNT: nothing is queued there. It is ${endpoint.scalerType}.`,
      );
    }
    store.saveEndpoint(endpoint);
    endpoints.set(endpoint.id, endpoint);
    return endpoint;
  }

  /** The input with defaults for missing fields. */
  function filled({ networkVolumeId, ...input }: EndpointCreate): Settings & { templateId: string } {
    return {
      ...endpointDefaults,
      ...(input.type === 'LB' && { scalerType: 'REQUEST_COUNT' as const }),
      executionTimeoutMs: executionTimeoutMs(),
      ...omitUndefined(input),
      ...oneVolume(networkVolumeId),
      templateId: input.templateId,
    };
  }

  function change(before: EngineEndpoint, fields: Partial<EngineEndpoint>): EngineEndpoint {
    if (fields.type !== undefined && fields.type !== before.type) {
      throw new AppError(
        'BAD_REQUEST',
        `type is fixed when an endpoint is made: this one is ${before.type}. Make another endpoint of type ${fields.type}.`,
      );
    }
    if (fields.computeType !== undefined && fields.computeType !== before.computeType) {
      throw new AppError(
        'BAD_REQUEST',
        `computeType is fixed when an endpoint is made: this one's is ${before.computeType}. Make another endpoint for ${fields.computeType}.`,
      );
    }
    // The old memory size does not apply to another instance type.
    const isOther = fields.vcpuCount !== undefined || fields.cpuFlavorIds !== undefined;
    const after = { ...before, ...(isOther ? { memoryInGb: 0 } : {}), ...fields };
    const isSame = madeOf(after) === madeOf(before);
    return save({ ...after, version: before.version + (isSame ? 0 : 1) });
  }

  return {
    list: () => [...endpoints.values()],
    get,
    find: (id) => endpoints.get(id),
    create(input) {
      const id = ids.random(7);
      return save({
        ...filled(input),
        id,
        name: input.name ?? `endpoint-${id}`,
        createdAt: new Date(clock.now()).toISOString(),
        version: 1,
      });
    },
    update(id, { networkVolumeId, minCudaVersion, ...input }) {
      const { minCudaVersion: floorBefore, ...before } = get(id);
      const floor = minCudaVersion ?? floorBefore ?? '';
      return change(floor === '' ? before : { ...before, minCudaVersion: floor }, {
        ...omitUndefined(input),
        ...oneVolume(networkVolumeId),
      });
    },
    replace(id, input) {
      const { minCudaVersion: _noMore, ...before } = get(id);
      return change(before, {
        ...filled({ type: before.type, computeType: before.computeType, ...input }),
        ...omitUndefined({ name: input.name }),
      });
    },
    delete(id) {
      get(id);
      store.deleteEndpoint(id);
      endpoints.delete(id);
    },
    usingTemplate: (templateId) => [...endpoints.values()].filter((endpoint) => endpoint.templateId === templateId),
    usingVolume: (volumeId) => [...endpoints.values()].filter((one) => one.networkVolumeIds.includes(volumeId)),
    bumpVersion: (endpoint) => save({ ...endpoint, version: endpoint.version + 1 }),
  };
}
