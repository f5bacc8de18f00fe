/** Pods in REST v2. */
import { AppError } from '#contract/core/errors.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { Pod, PodCreate, PodUpdate } from '#contract/api/pod.ts';
import type { PodLack } from '#contract/bridge/pod.ts';
import { afterChange } from '../../platform/partialChange.ts';
import type { CatalogV2 } from './catalog.ts';
import { containerBody } from './containers.ts';
import type { PodsApi } from '../pods.ts';
import { factsFrom, podFrom, podV2Schema, type PodV2 } from './podFields.ts';
import { unsupported, type RestV2 } from './client.ts';

const enc = encodeURIComponent;
const DEFAULT_MOUNT = '/workspace';
const DEFAULT_FLAVOR = 'cpu3c';
const SSHD = '22/tcp';

const lacks: readonly PodLack[] = [
  {
    what: 'dockerEntrypoint',
    reason: 'This account does not take an entrypoint: REST v2 has none, so the entrypoint of the image is used.',
  },
  { what: 'reset', reason: 'This account does not reset Pods: stop and start it instead.' },
  { what: 'events', reason: 'REST v2 does not report what happened to a Pod.' },
  { what: 'metrics', reason: 'REST v2 does not keep the load of a Pod.' },
];

/** The body's hardware fields: in REST v2 a Pod names one GPU type, or one kind of processor. */
function hardware({ computeType, gpuTypeIds = [], gpuCount, cpuFlavorIds, vcpuCount, ...rest }: PodCreate): object {
  if (computeType === 'CPU' || gpuCount === 0 || gpuTypeIds[0] === CPU_TYPE) {
    return { cpu: { id: cpuFlavorIds?.[0] ?? DEFAULT_FLAVOR, vcpuCount: vcpuCount ?? 2 } };
  }
  const [id, ...others] = gpuTypeIds;
  if (id === undefined) throw new AppError('BAD_REQUEST', 'A Pod of this account needs a GPU type. Choose one.');
  if (others.length > 0) throw unsupported('A choice among several GPU types', 'Choose one of them.');
  return {
    gpu: {
      id,
      ...(gpuCount !== undefined && { count: gpuCount }),
      ...(rest.allowedCudaVersions && { allowedCudaVersions: rest.allowedCudaVersions }),
    },
  };
}

function mountsBody(input: Pick<PodCreate, 'networkVolumeId' | 'volumeInGb' | 'volumeMountPath'>): object | undefined {
  const path = input.volumeMountPath ?? DEFAULT_MOUNT;
  if (input.networkVolumeId) return { network: [{ volumeId: input.networkVolumeId, path }] };
  return input.volumeInGb ? { persistent: { size: input.volumeInGb, path } } : undefined;
}

function createBody(input: PodCreate): object {
  if (input.interruptible) throw unsupported('An interruptible (spot) Pod', 'Deploy it without that.');
  const mounts = mountsBody(input);
  return {
    name: input.name ?? 'my pod',
    ...hardware(input),
    ...containerBody(input),
    ...(mounts && { mounts }),
    ...(input.templateId && { templateId: input.templateId }),
    ...((input.cloudType === 'SECURE' || input.cloudType === 'COMMUNITY') && { cloud: input.cloudType }),
    ...(input.dataCenterIds && { dataCenterIds: input.dataCenterIds }),
    ...(input.globalNetworking !== undefined && { globalNetworking: input.globalNetworking }),
    // Without this field, no SSH key is accepted.
    ...(input.ports?.includes(SSHD) && { startSsh: true }),
  };
}

function changeBody(change: PodUpdate, before: PodV2): object {
  const { name, locked, globalNetworking, volumeInGb, volumeMountPath } = change;
  const { persistent } = before.mounts;
  const size = volumeInGb ?? persistent?.size;
  const isMounted = (volumeInGb != null || volumeMountPath !== undefined) && size !== undefined;
  const mounts = { persistent: { size, path: volumeMountPath ?? persistent?.path ?? DEFAULT_MOUNT } };
  return {
    ...containerBody(change),
    ...(name !== undefined && { name }),
    ...(locked !== undefined && { locked }),
    ...(globalNetworking !== undefined && { globalNetworking }),
    ...(isMounted && { mounts }),
  };
}

/** `httpAddress`: the address of an http port of a Pod; null if it is not known. */
export function createPodsV2(
  rest: RestV2,
  catalog: CatalogV2,
  httpAddress: ((podId: string, port: number) => string) | null,
): PodsApi {
  const at = (id: string): string => `pods/${enc(id)}`;
  const fetchPods = (): Promise<PodV2[]> => rest.list('pods', 'pods', podV2Schema);

  return {
    lacks,
    list: async () => (await fetchPods()).map(podFrom),
    async rows() {
      const pods = await fetchPods();
      return {
        rows: pods.map((pod) => ({ pod: podFrom(pod), facts: factsFrom(pod, httpAddress) })),
        factsProblem: null,
      };
    },
    async create(input) {
      const made = await rest.ask('POST', 'pods', podV2Schema, createBody(input));
      if (!input.locked) return podFrom(made);
      const lock = () => rest.ask('PATCH', at(made.id), podV2Schema, { locked: true });
      return podFrom(await afterChange(`The Pod "${made.name}" was created, but it is not locked.`, lock));
    },
    async update(id, change): Promise<Pod> {
      const before = await rest.ask('GET', at(id), podV2Schema);
      return podFrom(await rest.ask('PATCH', at(id), podV2Schema, changeBody(change, before)));
    },
    async act(id, action) {
      if (action === 'reset') {
        throw unsupported('Resetting a Pod', 'Stop and start it, or delete it and deploy it again.');
      }
      return podFrom(await rest.ask('POST', `${at(id)}/action`, podV2Schema, { action }));
    },
    changeAutoStop: () => Promise.reject(unsupported('Stopping a Pod automatically', 'Stop it yourself.')),
    changeLimits: () => Promise.reject(unsupported('Changing the cores and the memory of a Pod', 'Make another Pod.')),
    events: () => Promise.reject(unsupported('The history of a Pod', 'Its log has messages of the service.')),
    checkPort: () => Promise.reject(unsupported('A check of a port', 'Open its address.')),
    connectPort: () =>
      Promise.reject(unsupported('Connections by the service itself', 'Use the SSH server of the Pod.')),
    ssh: () => Promise.reject(unsupported('SSH by the service itself', 'Use the SSH server of the Pod.')),
    allowKey: () => Promise.reject(unsupported('SSH by the service itself', 'Use the SSH server of the Pod.')),
    async *samples() {
      yield await Promise.reject(unsupported('The load of Pods as events', 'Read the Pods again.'));
    },
    metrics: () => Promise.reject(unsupported('The load of a Pod over time', 'Its overview has the load of now.')),
    remove: (id) => rest.remove(at(id)),
    gpuTypes: () => catalog.offers(),
  };
}
