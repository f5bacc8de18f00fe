/** Hands GPUs to workers: the types in the order they are wanted, all a worker wants or none, each to one worker unless it is shared. */
import type { GpuLoad, MachineGpu, MachineSettings } from '#contract/machine.ts';
import type { GpuClaim, GpuClaims, GpuWish } from './gpuClaims.ts';
import type { Cancel, GpuDevice } from './ports.ts';

/** A GPU of this machine, as its driver tells of it. */
export interface KnownGpu extends GpuDevice {
  readonly driverVersion: string | null;
  readonly load: GpuLoad | null;
}

/** The GPUs that this machine has. */
export interface GpuSource {
  /** Null until they have been looked for. */
  known(): readonly KnownGpu[] | null;
  /** Why there are none, or why they are not measured; null when all is well. */
  problem(): string | null;
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
const asId = (typeId: string): string => typeId.trim().toLowerCase();
const list = (names: readonly string[]): string => names.join(', ');

interface Holding {
  readonly endpointId: string;
  readonly devices: readonly GpuDevice[];
}

export function createPlacement({ source, choices }: PlacementOptions): Placement {
  /** By worker, in the order in which they were given their GPUs. */
  const held = new Map<string, Holding>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  source.onChange(changed);

  const choiceOf = (uuid: string): { enabled: boolean; shared: boolean } =>
    choices()[uuid] ?? { enabled: true, shared: false };

  const holdersOf = (uuid: string): { workerId: string; endpointId: string }[] =>
    [...held]
      .filter(([, { devices }]) => devices.some((device) => device.uuid === uuid))
      .map(([workerId, { endpointId }]) => ({ workerId, endpointId }));

  const canBeHad = (uuid: string): boolean => {
    const { enabled, shared } = choiceOf(uuid);
    return enabled && (shared || holdersOf(uuid).length === 0);
  };

  const device = ({ uuid, index, vendor, typeId, memoryBytes }: KnownGpu): GpuDevice => ({
    ...{ uuid, index, vendor, typeId, memoryBytes },
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
      return {
        kind: 'wait',
        message: `It waits for ${names}: ${are} of ${candidates.length} ${are === 1 ? 'is' : 'are'} switched off for workers. Switch ${are === 1 ? 'it' : 'them'} on under This computer.`,
      };
    }
    const workers = [...new Set(enabled.flatMap(({ uuid }) => holdersOf(uuid)).map(({ workerId }) => workerId))];
    const others = workers.length > 3 ? `${list(workers.slice(0, 3))} and ${workers.length - 3} more` : list(workers);
    const wanted = count === 1 ? 'a free GPU' : `${count} free GPUs of one type`;
    return {
      kind: 'wait',
      message: `It waits for ${wanted} (${names}); ${workers.length === 1 ? 'worker' : 'workers'} ${others} ${workers.length === 1 ? 'holds' : 'hold'} what is there. A GPU can be shared under This computer.`,
    };
  }

  function never(gpus: readonly KnownGpu[], wish: GpuWish, wantedTypes: readonly string[]): GpuClaim {
    const problem = source.problem();
    const there = gpus.length > 0 ? has(gpus) : `no GPU that can be used${problem === null ? '' : ` (${problem})`}`;
    const ofOne = wish.gpuCount === 1 ? '' : ' of one type';
    const types = wantedTypes.length === 0 ? ofOne : ` of type ${wantedTypes.join(' or ')}`;
    const wanted = `${wish.gpuCount} ${wish.gpuCount === 1 ? 'GPU' : 'GPUs'}${types}`;
    const enough = wantedTypes.some((wantedType) => gpus.some(({ typeId }) => asId(typeId) === asId(wantedType)));
    const change =
      gpus.length > 0 && (enough || wantedTypes.length === 0)
        ? 'lower its gpuCount'
        : gpus.length > 0
          ? 'name one of these in its gpuTypeIds, leave gpuTypeIds empty for any GPU'
          : 'leave its gpuTypeIds empty';
    return {
      kind: 'never',
      message: `Each of its workers wants ${wanted}, and this machine has ${there}. To run it here, ${change}, or name the type CPU.`,
    };
  }

  /** Those of one type, the least used first, so that a shared GPU is not chosen while another one is free. */
  const inOrder = (gpus: readonly KnownGpu[]): KnownGpu[] =>
    [...gpus].sort(
      (a, b) => holdersOf(a.uuid).length - holdersOf(b.uuid).length || a.index - b.index || (a.uuid < b.uuid ? -1 : 1),
    );

  /** The types of this machine, those with the most memory first: what is not particular is served best there. */
  const typesOf = (gpus: readonly KnownGpu[]): string[] => [
    ...new Set([...gpus].sort((a, b) => b.memoryBytes - a.memoryBytes || a.index - b.index).map((gpu) => gpu.typeId)),
  ];

  return {
    claim({ workerId, endpointId }, wish) {
      const before = held.get(workerId);
      if (before) return { kind: 'granted', devices: before.devices };
      const onCpu: GpuClaim = { kind: 'granted', devices: [] };
      if (wish.computeType === 'CPU' || wish.gpuCount === 0) return onCpu;
      const gpus = source.known();
      if (gpus === null) return { kind: 'wait', message: 'The GPUs of this machine are being looked for.' };
      if (gpus.length === 0 && wish.gpuTypeIds.length === 0) return onCpu;

      const types = wish.gpuTypeIds.length > 0 ? wish.gpuTypeIds : typesOf(gpus);
      const couldBeHad: KnownGpu[] = [];
      for (const typeId of types) {
        if (asId(typeId) === asId(CPU)) return onCpu;
        const ofType = gpus.filter((gpu) => asId(gpu.typeId) === asId(typeId));
        const free = inOrder(ofType.filter(({ uuid }) => canBeHad(uuid)));
        if (free.length >= wish.gpuCount) {
          const devices = free.slice(0, wish.gpuCount).map(device);
          held.set(workerId, { endpointId, devices });
          return { kind: 'granted', devices };
        }
        if (ofType.length >= wish.gpuCount) couldBeHad.push(...ofType);
      }
      return couldBeHad.length > 0 ? waits(couldBeHad, wish.gpuCount) : never(gpus, wish, wish.gpuTypeIds);
    },

    release(workerId) {
      if (held.delete(workerId)) changed();
    },

    mustLetGo() {
      const there = source.known();
      if (there === null) return [];
      const isThere = (uuid: string): boolean => there.some((gpu) => gpu.uuid === uuid);
      return [...held]
        .filter(([workerId, { devices }]) =>
          devices.some(({ uuid }) => {
            const { enabled, shared } = choiceOf(uuid);
            // Where sharing has ended, it stays with whoever had it first.
            return !enabled || !isThere(uuid) || (!shared && holdersOf(uuid)[0]?.workerId !== workerId);
          }),
        )
        .map(([workerId]) => workerId);
    },

    list: (): MachineGpu[] =>
      (source.known() ?? []).map((gpu) => ({
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
