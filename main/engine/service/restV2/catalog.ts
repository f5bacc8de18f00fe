/** The catalogue of REST v2: the GPUs and the processor of this machine, and the machine as the one data center. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { CPU_TYPE, type GpuType } from '#contract/api/gpuType.ts';
import { limits } from '#contract/core/limits.ts';
import { HERE } from '../../domain/pods/env.ts';
import { poolOf } from '../../domain/gpus/pools.ts';
import type { Prices } from '../../domain/billing/pricing.ts';
import { operation, type QueryTable, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';
import { templateAnswer } from './templates.ts';

export interface CatalogParts {
  prices: Prices;
  computer: { cpuModel: string; cores: number; memoryInGb: number };
}

const NAME = 'This machine';

/** A list with commas, of these names. */
const listed = <const T extends readonly [string, ...string[]]>(names: T) =>
  z
    .string()
    .transform((text) => text.split(',').filter((item) => item !== ''))
    .pipe(z.array(z.enum(names)))
    .optional();
const matching = (pattern: RegExp, words: string) =>
  z
    .string()
    .transform((text) => text.split(',').filter((item) => item !== ''))
    .pipe(z.array(z.string().regex(pattern, words)))
    .optional();

const include = { schema: listed(['AVAILABILITY']), words: '`AVAILABILITY`: with what is free; needs `product`.' };
const gpuQuery = {
  include,
  product: {
    schema: listed(['POD', 'CLUSTER', 'SERVERLESS']),
    words: 'For what; there is one stock for all of it here.',
  },
  count: {
    schema: z.coerce.number().int().min(1).max(limits.endpoint.gpuCount.max).optional(),
    words: 'How many GPUs are wanted at once.',
  },
  cloud: { schema: z.enum(['SECURE', 'COMMUNITY']).optional(), words: 'This machine is SECURE.' },
  countryCodes: {
    schema: matching(/^[A-Z]{2}$/, 'must be country codes, such as FR'),
    words: 'Makes no difference on one machine.',
  },
  cudaVersions: {
    schema: matching(/^\d+\.\d+$/, 'must be versions, such as 12.8'),
    words: 'Makes no difference here.',
  },
  minCudaVersion: {
    schema: z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .optional(),
    words: 'Makes no difference here.',
  },
};
const cpuQuery = {
  include,
  product: { schema: listed(['POD', 'SERVERLESS']), words: 'For what; there is one stock for all of it here.' },
  vcpuCount: { schema: z.coerce.number().int().min(2).optional(), words: 'How many cores are wanted.' },
};

const levels = ['NONE', 'LOW', 'MEDIUM', 'HIGH'] as const;
type Level = (typeof levels)[number];
const level = z.enum(levels);
const place = z.object({ id: z.string(), name: z.string(), availability: level });
const stock = { availability: level.optional(), dataCenters: z.array(place).optional() };
const price = z.number().meta({ description: 'US dollars an hour.' });
const gpuAnswer = {
  name: 'GpuType',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    pool: z
      .string()
      .meta({ description: 'What endpoints name. A type that is in none of the cloud is one by itself.' }),
    manufacturer: z.enum(['NVIDIA', 'AMD', 'UNKNOWN']),
    memory: z.int().meta({ description: 'GB.' }),
    secure: z.boolean(),
    community: z.boolean(),
    price: z.object({ secure: price, community: price, serverless: price }),
    maxCount: z.object({ secure: z.int(), community: z.int() }),
    ...stock,
  }),
} satisfies Named;
const cpuAnswer = {
  name: 'CpuType',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    group: z.string(),
    vcpu: z.object({ min: z.int(), max: z.int() }),
    ramGbPerVcpu: z.number(),
    price: z.object({ securePerVcpu: price, serverlessPerVcpu: price }),
    ...stock,
  }),
} satisfies Named;
const dataCenterAnswer = {
  name: 'DataCenter',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    region: z.literal('UNKNOWN'),
    globalNetwork: z.literal(false),
    networkVolumeTypes: z.array(z.literal('STANDARD')),
    compliance: z.array(z.string()),
    gpuAvailability: z.array(place).optional(),
    cpuAvailability: z.array(place).optional(),
  }),
} satisfies Named;

const LEVELS: Readonly<Record<string, Level>> = { High: 'HIGH', Medium: 'MEDIUM', Low: 'LOW' };
const makers = ['NVIDIA', 'AMD'] as const;

/**
 * Whether the caller asks for the stock. Throws BAD_REQUEST for include without product, and for a filter without
 * include.
 */
function wantsStock({ include: included, ...filters }: Readonly<Record<string, unknown>>): boolean {
  const wants = Array.isArray(included) && included.length > 0;
  const { product, ...others } = filters;
  if (wants && product === undefined) throw new AppError('BAD_REQUEST', 'include=AVAILABILITY needs product.');
  const idle = Object.entries({ product, ...others }).find(([, value]) => value !== undefined);
  if (!wants && idle) throw new AppError('BAD_REQUEST', `${idle[0]} means nothing without include=AVAILABILITY.`);
  return wants;
}

const stockView = (availability: Level) => ({
  availability,
  ...(availability !== 'NONE' && { dataCenters: [{ id: HERE, name: NAME, availability }] }),
});

type GpuQuery = { [K in keyof typeof gpuQuery]: z.output<(typeof gpuQuery)[K]['schema']> };
type CpuQuery = { [K in keyof typeof cpuQuery]: z.output<(typeof cpuQuery)[K]['schema']> };
const stockOfDataCenter = listed(['GPU_AVAILABILITY', 'CPU_AVAILABILITY']);
const missing = (noun: string, id: string): AppError =>
  new AppError('NOT_FOUND', `There is no ${noun} ${JSON.stringify(id)} on this machine.`);
const all = (listName: string, name: string, record: Named) => ({
  200: { words: 'All of them.', shape: { name: listName, schema: z.object({ [name]: z.array(record.schema) }) } },
});
const withStock: { include: QueryTable[string] & { schema: typeof stockOfDataCenter } } = {
  include: { schema: stockOfDataCenter, words: '`GPU_AVAILABILITY` and `CPU_AVAILABILITY`: with what is free.' },
};
/** The hardware of this machine, as the catalogue answers it. */
function createViews({ prices, computer }: CatalogParts) {
  const { cores } = computer;
  const gpuTypes = (): GpuType[] => prices.gpuTypes().filter(({ id }) => id !== CPU_TYPE);
  const levelOfGpu = (id: string, count: number): Level =>
    LEVELS[prices.lowestPrice(id, count)?.stockStatus ?? ''] ?? 'NONE';
  const levelOfCpu = (count: number): Level => (count > cores ? 'NONE' : 'HIGH');

  function gpuView(type: GpuType, query: GpuQuery): z.output<typeof gpuAnswer.schema> {
    const { id, displayName: name, memoryInGb: memory, maxGpuCount, securePrice } = type;
    const isHere = query.cloud !== 'COMMUNITY';
    return {
      id,
      name,
      memory,
      pool: poolOf(id),
      manufacturer: makers.find((maker) => maker === type.manufacturer) ?? 'UNKNOWN',
      secure: type.secureCloud,
      community: type.communityCloud,
      price: { secure: securePrice, community: type.communityPrice, serverless: securePrice },
      maxCount: { secure: maxGpuCount, community: 0 },
      ...(wantsStock(query) && stockView(isHere ? levelOfGpu(id, query.count ?? 1) : 'NONE')),
    };
  }

  function cpuView(query: CpuQuery): z.output<typeof cpuAnswer.schema> {
    const each = prices.perHour(CPU_TYPE, 1);
    return {
      id: CPU_TYPE,
      name: computer.cpuModel,
      group: CPU_TYPE,
      vcpu: { min: 1, max: cores },
      ramGbPerVcpu: computer.memoryInGb / cores,
      price: { securePerVcpu: each, serverlessPerVcpu: each },
      ...(wantsStock(query) && stockView(levelOfCpu(query.vcpuCount ?? 1))),
    };
  }

  const dataCenterView = (included: z.output<typeof stockOfDataCenter>): z.output<typeof dataCenterAnswer.schema> => ({
    id: HERE,
    name: NAME,
    region: 'UNKNOWN',
    globalNetwork: false,
    networkVolumeTypes: ['STANDARD'],
    compliance: [],
    ...(included?.includes('GPU_AVAILABILITY') && {
      gpuAvailability: gpuTypes().map(({ id, displayName }) => ({
        id,
        name: displayName,
        availability: levelOfGpu(id, 1),
      })),
    }),
    ...(included?.includes('CPU_AVAILABILITY') && {
      cpuAvailability: [{ id: CPU_TYPE, name: computer.cpuModel, availability: levelOfCpu(1) }],
    }),
  });

  return { gpuTypes, gpuView, cpuView, dataCenterView };
}

export function catalogOperations(parts: CatalogParts): RestV2Operation[] {
  const { gpuTypes, gpuView, cpuView, dataCenterView } = createViews(parts);
  const group = 'Catalog';
  const read = { method: 'get', group, need: 'read' } as const;
  return [
    operation({
      ...read,
      path: '/catalog/gpus',
      id: 'listGpuTypes',
      summary: 'Lists the GPU types of this machine.',
      query: gpuQuery,
      answers: all('ListGpuTypesResponse', 'gpus', gpuAnswer),
      refusals: ['BAD_REQUEST'],
      run({ query }) {
        wantsStock(query);
        return { gpus: gpuTypes().map((type) => gpuView(type, query)) };
      },
    }),
    operation({
      ...read,
      path: '/catalog/gpus/{id}',
      id: 'getGpuType',
      summary: 'Tells of one GPU type.',
      query: gpuQuery,
      answers: { 200: { words: 'The GPU type.', shape: gpuAnswer } },
      refusals: ['BAD_REQUEST'],
      run({ params, query }) {
        const { id } = params;
        const type = gpuTypes().find((one) => one.id === id);
        if (!type) throw missing('GPU type', id);
        return gpuView(type, query);
      },
    }),
    operation({
      ...read,
      path: '/catalog/cpus',
      id: 'listCpuTypes',
      summary: 'Tells of the processor of this machine.',
      query: cpuQuery,
      answers: all('ListCpuTypesResponse', 'cpus', cpuAnswer),
      refusals: ['BAD_REQUEST'],
      run: ({ query }) => ({ cpus: [cpuView(query)] }),
    }),
    operation({
      ...read,
      path: '/catalog/cpus/{id}',
      id: 'getCpuType',
      summary: 'The same by its id.',
      query: cpuQuery,
      answers: { 200: { words: 'The processor.', shape: cpuAnswer } },
      refusals: ['BAD_REQUEST'],
      run({ params, query }) {
        if (params.id !== CPU_TYPE) throw missing('processor', params.id);
        return cpuView(query);
      },
    }),
    operation({
      ...read,
      path: '/catalog/datacenters',
      id: 'listDataCenters',
      query: withStock,
      summary: 'Tells of this machine, which is the one data center.',
      answers: all('ListDataCentersResponse', 'dataCenters', dataCenterAnswer),
      run: ({ query }) => ({ dataCenters: [dataCenterView(query.include)] }),
    }),
    operation({
      ...read,
      path: '/catalog/datacenters/{id}',
      id: 'getDataCenter',
      query: withStock,
      summary: 'The same by its id.',
      answers: { 200: { words: 'This machine.', shape: dataCenterAnswer } },
      run({ params, query }) {
        if (params.id !== HERE) throw missing('data center', params.id);
        return dataCenterView(query.include);
      },
    }),
    operation({
      ...read,
      path: '/catalog/templates',
      id: 'listPublicTemplates',
      summary: 'Lists templates of others; there are none here.',
      answers: all('ListPublicTemplatesResponse', 'templates', templateAnswer),
      run: () => ({ templates: [] }),
    }),
  ];
}
