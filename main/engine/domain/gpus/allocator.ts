/**
 * Assigns GPUs to workers and Pods: by preferred type, all that the wish needs or none, and each GPU to one holder
 * unless it is shared.
 */
import { isUsedByOthers, type MachineGpu, type MachineSettings } from '#contract/local/machine.ts';
import { cpuMessage, neverClaim, waitingClaim } from './claimMessages.ts';
import type { GpuClaim, GpuClaims, GpuHolder, GpuOutlook, GpuWish, PodGpus } from './claims.ts';
import type { GpuDevice } from './device.ts';
import { createHoldings, idOf, type Holdings } from './holdings.ts';
import { acceptedTypes, asId, device, type GpuSource, type KnownGpu } from './machineGpus.ts';

/** The claims of workers and Pods on the GPUs of this machine. */
export interface GpuAllocator extends GpuClaims {
  /** Call this after a change of `choices`. */
  choicesChanged(): void;
}

export interface GpuAllocatorOptions {
  source: GpuSource;
  /** The person's settings by uuid. A GPU without an entry is enabled and not shared. */
  choices(): MachineSettings['gpus'];
  /** Called when workers and Pods get and return GPUs: whether any of them has one. */
  onUse?(isUsed: boolean): void;
}

/** The GPU type that means the processor. */
const CPU = 'CPU';
const DETECTING = 'Hangar is still looking for the GPUs of this machine.';
const isCpu = (typeId: string): boolean => asId(typeId) === asId(CPU);
const wantsNone = ({ computeType, gpuCount }: GpuWish): boolean => computeType === 'CPU' || gpuCount === 0;

/**
 * Whether workers get the CPU instead of the GPU types of the wish. Tools of the cloud always name GPU types. On a
 * machine without any GPU, the jobs of such an endpoint would wait forever. Workers therefore get the CPU, with a
 * notice for the person.
 */
const usesCpuInstead = (gpus: readonly KnownGpu[], wish: GpuWish, source: GpuSource): boolean =>
  gpus.length === 0 && !source.driverFails() && wish.gpuTypeIds.length > 0 && !wish.gpuTypeIds.some(isCpu);

/**
 * Sorts GPUs of one type, the least used first: a shared GPU, or one that other programs use, is not chosen while
 * another one is free. Among GPUs without a holder, those of `before` go first: a Pod that gets another one loses its
 * container. For the same reason, those that a stopped Pod had (`ofStopped`) go after the other idle ones.
 */
function inOrder(
  gpus: readonly KnownGpu[],
  holdings: Holdings,
  before: readonly string[],
  ofStopped: ReadonlySet<string>,
): KnownGpu[] {
  const isForeign = ({ uuid, load, memoryBytes }: KnownGpu): boolean =>
    isUsedByOthers({ heldBy: holdings.holdersOf(uuid), load, memoryBytes });
  /** Of a GPU that other programs use, bytes; 0 of any other. */
  const foreignBytes = (gpu: KnownGpu): number => (isForeign(gpu) ? (gpu.load?.memoryUsedBytes ?? 0) : 0);
  return [...gpus].sort(
    (a, b) =>
      holdings.holdersOf(a.uuid).length - holdings.holdersOf(b.uuid).length ||
      Number(before.includes(b.uuid)) - Number(before.includes(a.uuid)) ||
      Number(isForeign(a)) - Number(isForeign(b)) ||
      Number(ofStopped.has(a.uuid)) - Number(ofStopped.has(b.uuid)) ||
      foreignBytes(a) - foreignBytes(b) ||
      a.index - b.index ||
      (a.uuid < b.uuid ? -1 : 1),
  );
}

const lastHoldersOf = (uuid: string, stopped: ReturnType<PodGpus['stopped']>): MachineGpu['lastHeldBy'] =>
  stopped.filter(({ uuids }) => uuids.includes(uuid)).map(({ podId, podName }) => ({ podId, podName }));

/** The holder of a GPU as lists show it. */
const withState = (holder: GpuHolder, pods: PodGpus): GpuHolder =>
  'podId' in holder && !pods.isRunning(holder.podId) ? { ...holder, isRunning: false } : holder;

/**
 * Creates the allocator without holders. Holders live in memory only: after a restart, `keep` tells it of running Pods.
 */
export function createGpuAllocator({ source, choices, onUse }: GpuAllocatorOptions): GpuAllocator {
  const holdings = createHoldings(onUse);
  const listeners = new Set<() => void>();
  let pods: PodGpus = { isRunning: () => true, stopped: () => [] };
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  source.onChange(changed);

  const choiceOf = (uuid: string): { enabled: boolean; shared: boolean } =>
    choices()[uuid] ?? { enabled: true, shared: false };

  const isAvailable = (uuid: string): boolean => {
    const { enabled, shared } = choiceOf(uuid);
    return enabled && (shared || holdings.holdersOf(uuid).length === 0);
  };

  /** Null while detection is running, or where one of them no longer exists. */
  function devicesOf(uuids: readonly string[]): GpuDevice[] | null {
    const matches = uuids.flatMap((uuid) => source.list()?.find((gpu) => gpu.uuid === uuid) ?? []);
    return matches.length === uuids.length ? matches.map(device) : null;
  }

  return {
    readPods(source) {
      pods = source;
    },

    outlook(wish): GpuOutlook | null {
      const gpus = source.list();
      if (gpus === null || wantsNone(wish) || wish.gpuTypeIds.some(isCpu)) return null;
      if (usesCpuInstead(gpus, wish, source)) return { kind: 'cpu', message: cpuMessage(wish) };
      if (gpus.length === 0 && wish.gpuTypeIds.length === 0) return null;
      const types = acceptedTypes(wish, gpus);
      const count = (type: string): number => gpus.filter(({ typeId }) => asId(typeId) === asId(type)).length;
      if (types.some((type) => count(type) >= wish.gpuCount)) return null;
      return { kind: 'never', message: neverClaim(gpus, wish, source.problem()).message };
    },

    claim(holder, wish, before = []) {
      const ownUuids = holdings.uuidsOf(idOf(holder));
      const own = ownUuids && devicesOf(ownUuids);
      if (own?.length === wish.gpuCount) return { kind: 'granted', devices: own };
      const gpus = source.list();
      // One of its GPUs no longer exists, or the wish has another number of GPUs.
      if (ownUuids && gpus !== null) holdings.delete(idOf(holder));
      const onCpu: Extract<GpuClaim, { kind: 'granted' }> = { kind: 'granted', devices: [] };
      if (wantsNone(wish)) return onCpu;
      if (gpus === null) return { kind: 'wait', message: DETECTING, lacking: DETECTING };
      if (gpus.length === 0 && wish.gpuTypeIds.length === 0) return onCpu;
      if ('workerId' in holder && usesCpuInstead(gpus, wish, source)) return { ...onCpu, notice: cpuMessage(wish) };

      const ofStopped = new Set(pods.stopped().flatMap(({ podId, uuids }) => (podId === idOf(holder) ? [] : uuids)));
      const types = acceptedTypes(wish, gpus);
      const candidates: KnownGpu[] = [];
      for (const typeId of types) {
        if (isCpu(typeId)) return onCpu;
        const ofType = gpus.filter((gpu) => asId(gpu.typeId) === asId(typeId));
        const available = ofType.filter(({ uuid }) => isAvailable(uuid));
        const free = inOrder(available, holdings, before, ofStopped);
        if (free.length >= wish.gpuCount) {
          const devices = free.slice(0, wish.gpuCount).map(device);
          const uuids = devices.map(({ uuid }) => uuid);
          holdings.set(holder, uuids);
          return { kind: 'granted', devices };
        }
        if (ofType.length >= wish.gpuCount) candidates.push(...ofType);
      }
      if (candidates.length === 0) return neverClaim(gpus, wish, source.problem());
      const enabled = candidates.filter(({ uuid }) => choiceOf(uuid).enabled);
      const holders = enabled.flatMap(({ uuid }) => holdings.holdersOf(uuid));
      return waitingClaim(candidates, enabled, holders, wish.gpuCount);
    },

    keep(pod, uuids) {
      if (uuids.length > 0) holdings.set(pod, uuids);
    },

    release(holderId) {
      if (holdings.delete(holderId)) changed();
    },

    revokedHolders() {
      const present = source.list();
      if (present === null) return [];
      const isPresent = (uuid: string): boolean => present.some((gpu) => gpu.uuid === uuid);
      return holdings.all().flatMap(({ holder, uuids }) => {
        if ('podId' in holder) return [];
        const isRevoked = uuids.some((uuid) => {
          const { enabled, shared } = choiceOf(uuid);
          return !enabled || !isPresent(uuid) || (!shared && !holdings.mayStay(uuid, holder.workerId));
        });
        return isRevoked ? [holder.workerId] : [];
      });
    },

    list(): MachineGpu[] {
      const stopped = pods.stopped();
      return (source.list() ?? []).map((gpu) => ({
        ...device(gpu),
        driverVersion: gpu.driverVersion,
        ...choiceOf(gpu.uuid),
        heldBy: holdings.holdersOf(gpu.uuid).map((holder) => withState(holder, pods)),
        lastHeldBy: lastHoldersOf(gpu.uuid, stopped),
        load: gpu.load,
      }));
    },

    onChange(listener) {
      // A function of its own, so that a listener that was added twice is also removed twice.
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },

    choicesChanged: changed,
  };
}
