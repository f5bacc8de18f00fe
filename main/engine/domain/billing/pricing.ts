/** What GPU types there are on this machine, what is free of them, and what an hour costs. */
import type { PriceSettings } from '#contract/api/billing.ts';
import { CPU_TYPE, type GpuType, type LowestPrice } from '#contract/api/gpuType.ts';
import type { MachineGpu } from '#contract/local/machine.ts';

export interface Prices {
  /** GPUs by product name, then the machine's CPU. */
  gpuTypes(): GpuType[];
  /** Of `gpuCount` GPUs of a type together, or of as many cores of the CPU. Null for a type that is not here. */
  lowestPrice(gpuTypeId: string, gpuCount: number): LowestPrice | null;
  /**
   * US dollars an hour of that many GPUs, or cores of the CPU: what the person set, else the electricity that was last measured while
   * they were used, which is 0 before anything was.
   */
  perHour(gpuTypeId: string, gpuCount: number): number;
  /** US dollars for a GB of volume, kept for an hour. */
  perGbHour(): number;
}

export interface PricesOptions {
  gpus(): readonly MachineGpu[];
  settings(): PriceSettings;
  computer: { cpuModel: string; cores: number; memoryInGb: number };
}

const WATTS = 1000;
const HOURS_OF_MONTH = 30 * 24;
const asId = (typeId: string): string => typeId.trim().toLowerCase();
const isFree = ({ enabled, shared, heldBy }: MachineGpu): boolean => enabled && (shared || heldBy.length === 0);
const manufacturers = { nvidia: 'NVIDIA', amd: 'AMD' } as const;
const makerOfCpu = (model: string): string => /intel|amd|apple|arm/i.exec(model)?.[0] ?? '';
/** Without what every name of its maker begins with. */
const shortName = (typeId: string): string =>
  typeId.replace(/^(NVIDIA|AMD)\s+/i, '').replace(/^(GeForce|Radeon|Instinct)\s+/i, '') || typeId;

function stockOf(free: number, total: number, count: number): LowestPrice['stockStatus'] {
  if (free === 0 || free < count) return 'None';
  if (free === total) return 'High';
  return free * 2 >= total ? 'Medium' : 'Low';
}

export function createPrices({ gpus, settings, computer }: PricesOptions): Prices {
  /** Watts of a GPU when it was last measured in use, by uuid. */
  const inUse = new Map<string, number>();

  function sampleGpus(): readonly MachineGpu[] {
    const all = gpus();
    for (const { uuid, heldBy, load } of all) {
      if (heldBy.length > 0 && load && load.powerW !== null) inUse.set(uuid, load.powerW);
    }
    return all;
  }

  const ofType = (typeId: string): MachineGpu[] => sampleGpus().filter((gpu) => asId(gpu.typeId) === asId(typeId));

  function electricity(typeId: string): number {
    const measured = ofType(typeId).flatMap(({ uuid }) => inUse.get(uuid) ?? []);
    if (measured.length === 0) return 0;
    const watts = measured.reduce((sum, each) => sum + each, 0) / measured.length;
    return (watts * settings().perKwh) / WATTS;
  }

  function perHour(gpuTypeId: string, gpuCount: number): number {
    const { gpuHour, cpuHour } = settings();
    if (asId(gpuTypeId) === asId(CPU_TYPE)) return gpuCount * (cpuHour ?? 0);
    const named = Object.keys(gpuHour).find((typeId) => asId(typeId) === asId(gpuTypeId));
    const price = named === undefined ? null : gpuHour[named];
    return gpuCount * (price ?? electricity(gpuTypeId));
  }

  function gpuType(ofOne: readonly MachineGpu[]): GpuType {
    const { typeId, vendor } = ofOne[0]!;
    const price = perHour(typeId, 1);
    return {
      id: typeId,
      displayName: shortName(typeId),
      manufacturer: manufacturers[vendor],
      // Drivers keep a little of the memory for themselves: 23.99 are 24.
      memoryInGb: Math.round(Math.min(...ofOne.map(({ memoryBytes }) => memoryBytes)) / 2 ** 30),
      cudaCores: null,
      secureCloud: true,
      communityCloud: false,
      securePrice: price,
      communityPrice: price,
      maxGpuCount: ofOne.filter(({ enabled }) => enabled).length,
    };
  }

  function cpuType(): GpuType {
    const { cpuModel, memoryInGb } = computer;
    const price = perHour(CPU_TYPE, 1);
    return {
      id: CPU_TYPE,
      displayName: cpuModel,
      manufacturer: makerOfCpu(cpuModel),
      memoryInGb,
      cudaCores: null,
      secureCloud: true,
      communityCloud: false,
      securePrice: price,
      communityPrice: price,
      maxGpuCount: 0,
    };
  }

  const surroundings = { minMemory: computer.memoryInGb, minVcpu: computer.cores };

  function ofCpu(count: number): LowestPrice {
    const price = perHour(CPU_TYPE, count);
    return {
      gpuTypeId: CPU_TYPE,
      gpuName: computer.cpuModel,
      uninterruptablePrice: price,
      minimumBidPrice: price,
      ...surroundings,
      minVcpu: 1,
      stockStatus: 'High',
      availableGpuCounts: [],
      maxUnreservedGpuCount: 0,
      totalCount: 0,
      rentedCount: 0,
    };
  }

  return {
    gpuTypes() {
      const types = new Map<string, MachineGpu[]>();
      for (const gpu of sampleGpus()) types.set(gpu.typeId, [...(types.get(gpu.typeId) ?? []), gpu]);
      return [...[...types.values()].map(gpuType).sort((a, b) => (a.id < b.id ? -1 : 1)), cpuType()];
    },

    lowestPrice(gpuTypeId, gpuCount) {
      if (asId(gpuTypeId) === asId(CPU_TYPE)) return ofCpu(gpuCount);
      const there = ofType(gpuTypeId);
      if (there.length === 0) return null;
      const enabled = there.filter((gpu) => gpu.enabled);
      const free = there.filter(isFree).length;
      const price = gpuCount > enabled.length ? null : perHour(gpuTypeId, gpuCount);
      const { typeId } = there[0]!;
      return {
        gpuTypeId: typeId,
        gpuName: shortName(typeId),
        uninterruptablePrice: price,
        minimumBidPrice: price,
        ...surroundings,
        stockStatus: stockOf(free, enabled.length, gpuCount),
        availableGpuCounts: Array.from({ length: free }, (_, index) => index + 1),
        maxUnreservedGpuCount: free,
        totalCount: enabled.length,
        rentedCount: enabled.filter(({ heldBy }) => heldBy.length > 0).length,
      };
    },

    perHour,
    perGbHour: () => settings().volumeGbMonth / HOURS_OF_MONTH,
  };
}
