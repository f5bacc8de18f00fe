/** GPU types and processors of REST v2: a catalogue with pools of GPUs, from which endpoints choose. */
import { AppError } from '#contract/core/errors.ts';
import type { LenientGpuType } from '#contract/api/lenient.ts';
import * as z from 'zod';
import type { EndpointGpuType } from '../management.ts';
import type { RestV2 } from './client.ts';

const GIB = 1024 ** 3;
const FOR_PODS = '?include=AVAILABILITY&product=POD';

const gpuSchema = z.looseObject({
  id: z.string(),
  name: z.string().catch(''),
  pool: z.string().nullish().catch(null),
  manufacturer: z.string().catch(''),
  /** GB. */
  memory: z.number().catch(0),
  secure: z.boolean().catch(false),
  community: z.boolean().catch(false),
  price: z
    .looseObject({ secure: z.number().catch(0), community: z.number().catch(0) })
    .catch({ secure: 0, community: 0 }),
  maxCount: z
    .looseObject({ secure: z.number().catch(0), community: z.number().catch(0) })
    .catch({ secure: 0, community: 0 }),
  availability: z.string().nullish().catch(null),
});
type Gpu = z.infer<typeof gpuSchema>;

const cpuSchema = z.looseObject({
  id: z.string(),
  name: z.string().catch(''),
  group: z.string().catch(''),
  vcpu: z.object({ min: z.number(), max: z.number() }),
  /** GB. */
  ramGbPerVcpu: z.number().catch(0),
  price: z.looseObject({ securePerVcpu: z.number() }),
  availability: z.string().nullish().catch(null),
});
type Cpu = z.infer<typeof cpuSchema>;

const stockOf = (level: string | null | undefined) => {
  if (level === 'HIGH') return 'High' as const;
  if (level === 'MEDIUM') return 'Medium' as const;
  if (level === 'LOW') return 'Low' as const;
  return level === 'NONE' ? ('None' as const) : null;
};

const mostOf = ({ maxCount }: Gpu): number => Math.max(maxCount.secure, maxCount.community);

function offerOf(gpu: Gpu): LenientGpuType {
  const stockStatus = stockOf(gpu.availability);
  const price = gpu.secure ? gpu.price.secure : gpu.price.community;
  const counts = Array.from({ length: mostOf(gpu) }, (_, at) => at + 1);
  return {
    ...gpu,
    displayName: gpu.name || gpu.id,
    memoryInGb: gpu.memory,
    cudaCores: null,
    secureCloud: gpu.secure,
    communityCloud: gpu.community,
    maxGpuCount: mostOf(gpu),
    securePrice: gpu.price.secure,
    communityPrice: gpu.price.community,
    lowestPrice: {
      uninterruptablePrice: stockStatus === 'None' ? null : price,
      stockStatus,
      // REST v2 has a stock level, but no counts.
      availableGpuCounts: stockStatus === 'None' ? [] : counts,
    },
  };
}

/** Memory and prices are for one core. */
function processorOf(cpu: Cpu): LenientGpuType {
  const stockStatus = stockOf(cpu.availability);
  const { securePerVcpu } = cpu.price;
  return {
    ...cpu,
    displayName: [cpu.name || cpu.id, cpu.group].filter(Boolean).join(', '),
    manufacturer: '',
    memoryInGb: cpu.ramGbPerVcpu,
    cudaCores: null,
    secureCloud: true,
    communityCloud: false,
    securePrice: securePerVcpu,
    communityPrice: 0,
    maxGpuCount: cpu.vcpu.max,
    lowestPrice: {
      uninterruptablePrice: stockStatus === 'None' ? null : securePerVcpu,
      stockStatus,
      availableGpuCounts: [],
    },
  };
}

export interface CatalogV2 {
  /** GPUs, then processors, with price and stock for Pods. */
  offers(): Promise<LenientGpuType[]>;
  /** Pools of GPUs. The memory of a pool is that of its smallest GPU. */
  pools(): Promise<EndpointGpuType[]>;
  /** All pools. In REST v2 an endpoint names its pools; no value stands for any pool. */
  anyPool(): Promise<string[]>;
  /**
   * The pools and excluded types for these names. A pool name stays as it is. A GPU type with the prefix `-` is
   * excluded. A GPU type without prefix becomes its pool without the other types of that pool.
   */
  selection(names: readonly string[]): Promise<{ pools: string[]; excludedTypes: string[] }>;
}

export function createCatalogV2(rest: RestV2): CatalogV2 {
  const gpus = async (query = ''): Promise<Gpu[]> =>
    (await rest.ask('GET', `catalog/gpus${query}`, z.looseObject({ gpus: z.array(gpuSchema) }))).gpus;

  return {
    async offers() {
      const [types, { cpus }] = await Promise.all([
        gpus(FOR_PODS),
        rest.ask('GET', `catalog/cpus${FOR_PODS}`, z.looseObject({ cpus: z.array(cpuSchema) })),
      ]);
      return [...types.map(offerOf), ...cpus.map(processorOf)];
    },
    async pools() {
      const pools = new Map<string, EndpointGpuType>();
      for (const gpu of await gpus()) {
        if (!gpu.pool) continue;
        const pool = pools.get(gpu.pool) ?? { id: gpu.pool, count: 0, memoryBytes: Infinity };
        pools.set(gpu.pool, {
          ...pool,
          count: Math.max(pool.count, mostOf(gpu)),
          memoryBytes: Math.min(pool.memoryBytes, gpu.memory * GIB),
        });
      }
      return [...pools.values()];
    },
    async anyPool() {
      return [...new Set((await gpus()).flatMap(({ pool }) => pool ?? []))];
    },
    async selection(names) {
      const gpuTypes = await gpus();
      const excluded = names.filter((name) => name.startsWith('-')).map((name) => name.slice(1));
      const included = names.filter((name) => !name.startsWith('-'));
      const types = new Set<string>();
      const whole = new Set<string>();
      for (const name of included) {
        if (gpuTypes.some(({ pool }) => pool === name)) whole.add(name);
        else if (gpuTypes.some(({ id, pool }) => id === name && pool)) types.add(name);
        else {
          const pools = [...new Set(gpuTypes.flatMap(({ pool }) => pool ?? []))].join(', ');
          throw new AppError(
            'BAD_REQUEST',
            `Workers cannot have the GPU "${name}" there. It has these pools: ${pools}.`,
          );
        }
      }
      const chosen = gpuTypes.filter(({ id, pool }) => pool && (whole.has(pool) || types.has(id)));
      const pools = [...new Set(chosen.flatMap(({ pool }) => pool ?? []))];
      const others = gpuTypes.filter(
        ({ id, pool }) => pool && pools.includes(pool) && !whole.has(pool) && !types.has(id),
      );
      return { pools, excludedTypes: [...excluded, ...others.map(({ id }) => id)] };
    },
  };
}
