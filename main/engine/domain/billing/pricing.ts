/** The GPU types of this machine, how many of each are free, and the price of an hour. */
import type { PriceSettings } from '#contract/api/billing.ts';
import { CPU_TYPE, type GpuType, type LowestPrice } from '#contract/api/gpuType.ts';
import { isUsedByOthers, type MachineGpu } from '#contract/local/machine.ts';

export interface Prices {
  /** GPUs by product name, then the machine's CPU. */
  gpuTypes(): GpuType[];
  /**
   * The lowest price of `gpuCount` GPUs of one type, or of as many CPU cores. Null for a type that this machine does
   * not have.
   */
  lowestPrice(gpuTypeId: string, gpuCount: number): LowestPrice | null;
  /**
   * US dollars per hour for `gpuCount` GPUs or CPU cores. This is the price from the settings. Without one it is the
   * cost of the electricity at the last measurement under load; 0 before the first measurement.
   */
  perHour(gpuTypeId: string, gpuCount: number): number;
  /** US dollars for one GB of a volume for one hour. */
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
const canBeHad = ({ enabled, shared, heldBy }: MachineGpu): boolean => enabled && (shared || heldBy.length === 0);
const isInUse = (gpu: MachineGpu): boolean => gpu.heldBy.length > 0 || isUsedByOthers(gpu);
const manufacturers = { nvidia: 'NVIDIA', amd: 'AMD' } as const;
const makerOfCpu = (model: string): string => /intel|amd|apple|arm/i.exec(model)?.[0] ?? '';
/** The name without the prefix that all products of its vendor share. */
const shortName = (typeId: string): string =>
  typeId.replace(/^(NVIDIA|AMD)\s+/i, '').replace(/^(GeForce|Radeon|Instinct)\s+/i, '') || typeId;

/** `available`: all that a Pod can have; `idle`: those of them that no other program uses. */
function stockOf(available: number, idle: number, total: number, count: number): LowestPrice['stockStatus'] {
  if (available === 0 || available < count) return 'None';
  if (idle === total) return 'High';
  return idle * 2 >= total ? 'Medium' : 'Low';
}

export function createPrices({ gpus, settings, computer }: PricesOptions): Prices {
  /** Watts of each GPU at its last measurement under load, by uuid. */
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

  /** `ofOne`: all GPUs of one type. */
  function gpuType(ofOne: readonly [MachineGpu, ...MachineGpu[]]): GpuType {
    const [{ typeId, vendor }] = ofOne;
    const price = perHour(typeId, 1);
    return {
      id: typeId,
      displayName: shortName(typeId),
      manufacturer: manufacturers[vendor],
      // Drivers reserve a little of the memory: 23.99 GB count as 24.
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
      const types = new Map<string, [MachineGpu, ...MachineGpu[]]>();
      for (const gpu of sampleGpus()) types.set(gpu.typeId, [gpu, ...(types.get(gpu.typeId) ?? [])]);
      return [...[...types.values()].map(gpuType).sort((a, b) => (a.id < b.id ? -1 : 1)), cpuType()];
    },

    lowestPrice(gpuTypeId, gpuCount) {
      if (asId(gpuTypeId) === asId(CPU_TYPE)) return ofCpu(gpuCount);
      const gpusOfType = ofType(gpuTypeId);
      const [first] = gpusOfType;
      if (!first) return null;
      const enabled = gpusOfType.filter((gpu) => gpu.enabled);
      const available = gpusOfType.filter(canBeHad);
      const idle = available.filter((gpu) => !isUsedByOthers(gpu)).length;
      const price = gpuCount > enabled.length ? null : perHour(gpuTypeId, gpuCount);
      return {
        gpuTypeId: first.typeId,
        gpuName: shortName(first.typeId),
        uninterruptablePrice: price,
        minimumBidPrice: price,
        ...surroundings,
        stockStatus: stockOf(available.length, idle, enabled.length, gpuCount),
        availableGpuCounts: Array.from({ length: available.length }, (_, index) => index + 1),
        maxUnreservedGpuCount: available.length,
        totalCount: enabled.length,
        rentedCount: enabled.filter(isInUse).length,
      };
    },

    perHour,
    perGbHour: () => settings().volumeGbMonth / HOURS_OF_MONTH,
  };
}
