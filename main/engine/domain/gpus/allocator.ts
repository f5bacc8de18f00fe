/** Hands GPUs to workers and Pods: the types in the order they are wanted, all that one wants or none, each to one unless it is shared. */
import type { GpuLoad, MachineGpu, MachineSettings } from '#contract/local/machine.ts';
import type { GpuClaim, GpuClaims, GpuHolder, GpuOutlook, GpuWish } from './claims.ts';
import type { Cancel } from '../core/ports.ts';
import type { GpuDevice } from './device.ts';

/** A GPU of this machine, as its driver reports it. */
export interface KnownGpu extends GpuDevice {
  readonly driverVersion: string | null;
  readonly load: GpuLoad | null;
}

/** The GPUs that this machine has. */
export interface GpuSource {
  /** Null until detection has finished. */
  list(): readonly KnownGpu[] | null;
  /** Why there are none, or why they are not measured; null when all is well. */
  problem(): string | null;
  /** A GPU maker's program is here that cannot tell of its GPUs: there may be some. */
  driverFails(): boolean;
  /** A GPU came or went, or it is known by now which there are. */
  onChange(listener: () => void): Cancel;
}

export interface Placement extends GpuClaims {
  /** To be called when what the person allows has changed. */
  choicesChanged(): void;
}

export interface PlacementOptions {
  source: GpuSource;
  /** What the person allows, by uuid; a GPU that is not named is enabled and not shared. */
  choices(): MachineSettings['gpus'];
}

/** The GPU type that stands for the processor. */
const CPU = 'CPU';
const LOOKED_FOR = 'The GPUs of this machine are being looked for.';
const asId = (typeId: string): string => typeId.trim().toLowerCase();
const list = (names: readonly string[]): string => names.join(', ');

/** "workers a, b, c and 2 more". */
function named(noun: string, ids: readonly string[]): string {
  const ones = ids.length > 3 ? `${list(ids.slice(0, 3))} and ${ids.length - 3} more` : list(ids);
  return ids.length === 0 ? '' : `${noun}${ids.length === 1 ? '' : 's'} ${ones}`;
}

interface Holding {
  readonly holder: GpuHolder;
  readonly uuids: readonly string[];
}

const idOf = (holder: GpuHolder): string => ('podId' in holder ? holder.podId : holder.workerId);

export function createPlacement({ source, choices }: PlacementOptions): Placement {
  /** By the id of their worker or Pod, in the order in which they were given their GPUs. */
  const holdings = new Map<string, Holding>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  source.onChange(changed);

  const choiceOf = (uuid: string): { enabled: boolean; shared: boolean } =>
    choices()[uuid] ?? { enabled: true, shared: false };

  const holdersOf = (uuid: string): GpuHolder[] =>
    [...holdings.values()].filter(({ uuids }) => uuids.includes(uuid)).map(({ holder }) => holder);

  const canBeHad = (uuid: string): boolean => {
    const { enabled, shared } = choiceOf(uuid);
    return enabled && (shared || holdersOf(uuid).length === 0);
  };

  const device = ({ uuid, index, vendor, typeId, memoryBytes }: KnownGpu): GpuDevice => ({
    uuid,
    index,
    vendor,
    typeId,
    memoryBytes,
  });

  /** What the machine has, for a person: "1 NVIDIA L4, 2 NVIDIA A40". */
  function has(gpus: readonly KnownGpu[]): string {
    const counts = new Map<string, number>();
    for (const { typeId } of gpus) counts.set(typeId, (counts.get(typeId) ?? 0) + 1);
    return list([...counts].map(([typeId, count]) => `${count} ${typeId}`));
  }

  function waits(candidates: readonly KnownGpu[], count: number): GpuClaim {
    const enabled = candidates.filter(({ uuid }) => choiceOf(uuid).enabled);
    const names = list([...new Set(candidates.map(({ typeId }) => typeId))]);
    if (enabled.length < candidates.length && enabled.length < count) {
      const are = candidates.length - enabled.length;
      const off = `${are} of ${candidates.length} ${are === 1 ? 'is' : 'are'} switched off for workers. Switch ${are === 1 ? 'it' : 'them'} on under This computer.`;
      return { kind: 'wait', message: `It waits for ${names}: ${off}`, lacking: `of ${names} ${off}` };
    }
    const holders = enabled.flatMap(({ uuid }) => holdersOf(uuid));
    const workers = [...new Set(holders.flatMap((holder) => ('podId' in holder ? [] : [holder.workerId])))];
    const pods = [...new Set(holders.flatMap((holder) => ('podId' in holder ? [holder.podId] : [])))];
    const who = [named('worker', workers), named('Pod', pods)].filter((text) => text !== '').join(' and ');
    const wish = count === 1 ? 'a free GPU' : `${count} free GPUs of one type`;
    const holdersText = `${who} ${holders.length > 0 && workers.length + pods.length === 1 ? 'holds' : 'hold'}`;
    return {
      kind: 'wait',
      message: `It waits for ${wish} (${names}); ${holdersText} what is there. A GPU can be shared under This computer.`,
      lacking: `${holdersText} ${names}. A GPU can be shared under This computer.`,
    };
  }

  function describeWish({ gpuCount, gpuTypeIds }: GpuWish): string {
    const ofOne = gpuCount === 1 ? '' : ' of one type';
    const types = gpuTypeIds.length === 0 ? ofOne : ` of type ${gpuTypeIds.join(' or ')}`;
    return `${gpuCount} ${gpuCount === 1 ? 'GPU' : 'GPUs'}${types}`;
  }

  function never(gpus: readonly KnownGpu[], wish: GpuWish): Extract<GpuClaim, { kind: 'never' }> {
    const problem = source.problem();
    const there = gpus.length > 0 ? has(gpus) : `no GPU that can be used${problem === null ? '' : ` (${problem})`}`;
    const wantedTypes = wish.gpuTypeIds;
    const wishText = describeWish(wish);
    const enough = wantedTypes.some((wantedType) => gpus.some(({ typeId }) => asId(typeId) === asId(wantedType)));
    const change =
      gpus.length > 0 && (enough || wantedTypes.length === 0)
        ? 'lower its gpuCount'
        : gpus.length > 0
          ? 'name one of these in its gpuTypeIds, leave gpuTypeIds empty for any GPU'
          : 'leave its gpuTypeIds empty';
    return {
      kind: 'never',
      message: `Each of its workers wants ${wishText}, and this machine has ${there}. To run it here, ${change}, or name the type CPU.`,
      lacking: `${wishText} ${wish.gpuCount === 1 ? 'is' : 'are'} wanted, and this machine has ${there}. Ask for what it has, or for gpuCount 0 to use the CPU.`,
    };
  }

  /** Those of one type, the least used first, so that a shared GPU is not chosen while another one is free. */
  const inOrder = (gpus: readonly KnownGpu[], before: readonly string[]): KnownGpu[] =>
    [...gpus].sort(
      (a, b) =>
        holdersOf(a.uuid).length - holdersOf(b.uuid).length ||
        Number(before.includes(b.uuid)) - Number(before.includes(a.uuid)) ||
        a.index - b.index ||
        (a.uuid < b.uuid ? -1 : 1),
    );

  /** Null while it is not known, or one of them is not there any more. */
  function devicesOf(uuids: readonly string[]): GpuDevice[] | null {
    const matches = uuids.flatMap((uuid) => source.list()?.find((gpu) => gpu.uuid === uuid) ?? []);
    return matches.length === uuids.length ? matches.map(device) : null;
  }

  /** Where sharing has ended, a GPU stays with its Pod, else with its first holder. */
  function mayStay(uuid: string, workerId: string): boolean {
    const holders = holdersOf(uuid);
    const first = holders.find((holder) => 'podId' in holder) ?? holders[0];
    return first !== undefined && idOf(first) === workerId;
  }

  /** The types of this machine, those with the most memory first: what is not particular is served best there. */
  const typesOf = (gpus: readonly KnownGpu[]): string[] => [
    ...new Set([...gpus].sort((a, b) => b.memoryBytes - a.memoryBytes || a.index - b.index).map((gpu) => gpu.typeId)),
  ];

  const isCpu = (typeId: string): boolean => asId(typeId) === asId(CPU);
  const wantsNone = ({ computeType, gpuCount }: GpuWish): boolean => computeType === 'CPU' || gpuCount === 0;

  /**
   * Tools of the cloud name GPU types whether or not anybody asked for them. On a machine without any GPU the alternative to the
   * CPU is a queue that never moves, so workers get the CPU, and a person is told. Null where that is not so.
   */
  function cpuInstead(gpus: readonly KnownGpu[], wish: GpuWish): string | null {
    if (gpus.length > 0 || source.driverFails() || wish.gpuTypeIds.length === 0 || wish.gpuTypeIds.some(isCpu))
      return null;
    return `It asks for ${describeWish(wish)}, and this machine has no GPU: its workers run on the CPU.`;
  }

  return {
    outlook(wish): GpuOutlook | null {
      const gpus = source.list();
      if (gpus === null || wantsNone(wish) || wish.gpuTypeIds.some(isCpu)) return null;
      const instead = cpuInstead(gpus, wish);
      if (instead !== null) return { kind: 'cpu', message: instead };
      if (gpus.length === 0 && wish.gpuTypeIds.length === 0) return null;
      const types = wish.gpuTypeIds.length > 0 ? wish.gpuTypeIds : typesOf(gpus);
      const count = (type: string): number => gpus.filter(({ typeId }) => asId(typeId) === asId(type)).length;
      if (types.some((type) => count(type) >= wish.gpuCount)) return null;
      return { kind: 'never', message: never(gpus, wish).message };
    },

    claim(holder, wish, before = []) {
      const holding = holdings.get(idOf(holder));
      const own = holding && devicesOf(holding.uuids);
      if (own?.length === wish.gpuCount) return { kind: 'granted', devices: own };
      const gpus = source.list();
      // One of those it held has gone, or it wants another number of them.
      if (holding && gpus !== null) holdings.delete(idOf(holder));
      const onCpu: Extract<GpuClaim, { kind: 'granted' }> = { kind: 'granted', devices: [] };
      if (wantsNone(wish)) return onCpu;
      if (gpus === null) return { kind: 'wait', message: LOOKED_FOR, lacking: LOOKED_FOR };
      if (gpus.length === 0 && wish.gpuTypeIds.length === 0) return onCpu;
      const instead = 'workerId' in holder ? cpuInstead(gpus, wish) : null;
      if (instead !== null) return { ...onCpu, notice: instead };

      const types = wish.gpuTypeIds.length > 0 ? wish.gpuTypeIds : typesOf(gpus);
      const couldBeHad: KnownGpu[] = [];
      for (const typeId of types) {
        if (isCpu(typeId)) return onCpu;
        const ofType = gpus.filter((gpu) => asId(gpu.typeId) === asId(typeId));
        const free = inOrder(
          ofType.filter(({ uuid }) => canBeHad(uuid)),
          before,
        );
        if (free.length >= wish.gpuCount) {
          const devices = free.slice(0, wish.gpuCount).map(device);
          holdings.set(idOf(holder), { holder, uuids: devices.map(({ uuid }) => uuid) });
          return { kind: 'granted', devices };
        }
        if (ofType.length >= wish.gpuCount) couldBeHad.push(...ofType);
      }
      return couldBeHad.length > 0 ? waits(couldBeHad, wish.gpuCount) : never(gpus, wish);
    },

    keep(podId, uuids) {
      if (uuids.length > 0) holdings.set(podId, { holder: { podId }, uuids });
    },

    release(holderId) {
      if (holdings.delete(holderId)) changed();
    },

    revokedHolders() {
      const there = source.list();
      if (there === null) return [];
      const isThere = (uuid: string): boolean => there.some((gpu) => gpu.uuid === uuid);
      return [...holdings.values()].flatMap(({ holder, uuids }) => {
        if ('podId' in holder) return [];
        const mustGo = uuids.some((uuid) => {
          const { enabled, shared } = choiceOf(uuid);
          return !enabled || !isThere(uuid) || (!shared && !mayStay(uuid, holder.workerId));
        });
        return mustGo ? [holder.workerId] : [];
      });
    },

    list: (): MachineGpu[] =>
      (source.list() ?? []).map((gpu) => ({
        ...device(gpu),
        driverVersion: gpu.driverVersion,
        ...choiceOf(gpu.uuid),
        heldBy: holdersOf(gpu.uuid),
        load: gpu.load,
      })),

    onChange(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },

    choicesChanged: changed,
  };
}
