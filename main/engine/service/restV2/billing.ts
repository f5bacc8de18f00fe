/** The costs of this machine in REST v2: by buckets of time, with the query and the sums beside them. */
import * as z from 'zod';
import { bucketSizes, type BillingRecord, type BucketSize } from '#contract/api/billing.ts';
import { AppError } from '#contract/core/errors.ts';
import { fromKeys } from '#contract/core/keysOf.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { limits } from '#contract/core/limits.ts';
import type { Billing } from '../../domain/billing/report.ts';
import { bucketAt } from '../../domain/billing/buckets.ts';
import type { Clock } from '../../domain/core/ports.ts';
import { operation, type RestV2Operation } from './protocol/operation.ts';
import type { Named } from '../openapi/operation.ts';

export interface BillingParts {
  billing: Billing;
  clock: Pick<Clock, 'now'>;
}

const time = z.iso.datetime({ offset: true }).optional();
const periodQuery = {
  startTime: { schema: time, words: 'From when on; 30 days ago where it is not said. The whole bucket that it is in.' },
  endTime: { schema: time, words: 'Until when; now where it is not said. The whole bucket that it is in.' },
  bucketSize: { schema: z.enum(bucketSizes).optional(), words: 'How long each bucket is: a day where it is not said.' },
  lastN: {
    schema: z.coerce.number().int().min(1).max(limits.billing.records).optional(),
    words: 'The last so many buckets, with the one that lasts; in place of startTime and endTime.',
  },
};
type PeriodQuery = { [K in keyof typeof periodQuery]: z.output<(typeof periodQuery)[K]['schema']> };

const DEFAULT_MS = 30 * 24 * 60 * 60 * 1000;

interface Period {
  readonly startTime: string;
  readonly endTime: string;
  readonly bucketSize: BucketSize;
}

const moment = (at: number): string => new Date(at).toISOString();

/** The whole buckets of a query. Throws BAD_REQUEST where its parameters contradict each other. */
function periodOf({ startTime, endTime, bucketSize = 'day', lastN }: PeriodQuery, now: number): Period {
  if (lastN !== undefined) {
    if (startTime !== undefined || endTime !== undefined) {
      throw new AppError('BAD_REQUEST', 'lastN is in place of startTime and endTime: send one or the other.');
    }
    const { begin: last, end } = bucketAt(bucketSize, now);
    let begin = last;
    for (let bucket = 1; bucket < lastN; bucket++) begin = bucketAt(bucketSize, begin - 1).begin;
    return { startTime: moment(begin), endTime: moment(end), bucketSize };
  }
  const until = endTime === undefined ? now : Date.parse(endTime);
  const from = startTime === undefined ? Math.min(now, until) - DEFAULT_MS : Date.parse(startTime);
  if (from > until) {
    throw new AppError('BAD_REQUEST', `startTime must not be after endTime; got ${moment(from)} and ${moment(until)}.`);
  }
  const last = bucketAt(bucketSize, until);
  return {
    startTime: moment(bucketAt(bucketSize, from).begin),
    bucketSize,
    endTime: moment(last.begin === until ? until : last.end),
  };
}

const amount = z.number().meta({ description: 'US dollars.' });
type Amounts<K extends string> = Record<K, number>;
/** The same value for each key. */
const forEach = <const K extends string, V>(keys: readonly K[], value: V): Record<K, V> =>
  fromKeys<Record<K, V>>(keys, () => value);
const shapeOf = <const K extends string>(keys: readonly K[]): Record<K, typeof amount> => forEach(keys, amount);
const noneOf = <const K extends string>(keys: readonly K[]): Amounts<K> => forEach(keys, 0);

const podKeys = ['totalAmount', 'gpuAmount', 'cpuAmount', 'diskAmount'] as const;
const serverlessKeys = ['totalAmount', 'gpuAmount', 'cpuAmount', 'diskAmount', 'feeAmount'] as const;
const volumeKeys = ['totalAmount', 'standardAmount', 'highPerformanceAmount'] as const;
const publicKeys = ['totalAmount'] as const;
const clusterKeys = ['totalAmount', 'gpuAmount', 'diskAmount', 'networkingAmount'] as const;
const allKeys = [
  'totalAmount',
  'podGpuAmount',
  'podCpuAmount',
  'podDiskAmount',
  'serverlessGpuAmount',
  'serverlessCpuAmount',
  'serverlessDiskAmount',
  'serverlessFeeAmount',
  'storageStandardAmount',
  'storageHighPerformanceAmount',
  'endpointAmount',
  'clusterGpuAmount',
  'clusterDiskAmount',
  'clusterNetworkingAmount',
] as const;

const range = { startTime: z.string(), endTime: z.string() };

/**
 * `idField`: the field with the id of the resource; null without one. `unique`: the field with the number of resources.
 */
function answerShape(name: string, keys: readonly string[], idField: string | null, unique: string | null): Named {
  const id = idField === null ? {} : { [idField]: z.string() };
  return {
    name: `List${name}Response`,
    schema: z.object({
      records: z.array(z.object({ ...range, ...shapeOf(keys), ...id })),
      metadata: z.object({
        query: z.object({
          ...range,
          bucketSize: z.enum(bucketSizes),
          ...(idField !== null && { [idField]: z.string().nullable() }),
        }),
        recordCount: z.int(),
        ...(unique !== null && { [unique]: z.int() }),
        totals: z.object(shapeOf(keys)),
      }),
    }),
  };
}

interface Spent<K extends string> {
  /** The begin of its bucket. */
  time: string;
  /** The resource; empty where records are of no resource. */
  id: string;
  amounts: Amounts<K>;
}

function answerOf<K extends string>(
  period: Period,
  keys: readonly K[],
  spent: readonly Spent<K>[],
  of: { idField: string; unique: string; filter: string | undefined } | null,
): object {
  const totals = noneOf(keys);
  for (const { amounts } of spent) for (const key of keys) totals[key] += amounts[key];
  return {
    records: spent.map((record) => ({
      startTime: record.time,
      endTime: moment(bucketAt(period.bucketSize, Date.parse(record.time)).end),
      ...record.amounts,
      ...(of && { [of.idField]: record.id }),
    })),
    metadata: {
      query: { ...period, ...(of && { [of.idField]: of.filter ?? null }) },
      recordCount: spent.length,
      ...(of && { [of.unique]: new Set(spent.map(({ id }) => id)).size }),
      totals,
    },
  };
}

/**
 * Splits costs into those of GPUs and of the processor. The engine keeps one sum for a Pod with its volume, so disks
 * have no amount of their own.
 */
function splitByHardware(
  all: readonly BillingRecord[],
  onCpu: readonly BillingRecord[],
  idField: 'podId' | 'endpointId',
) {
  const keyOf = (record: BillingRecord): string => JSON.stringify([record.time, record[idField]]);
  const cpu = new Map(onCpu.map((record) => [keyOf(record), record.amount]));
  return all.map((record) => {
    const cpuAmount = cpu.get(keyOf(record)) ?? 0;
    const amounts = { totalAmount: record.amount, gpuAmount: Math.max(0, record.amount - cpuAmount), cpuAmount };
    return { time: record.time, id: record[idField] ?? '', amounts };
  });
}

/** The costs in each bucket of a period. */
interface Spending {
  pods(period: Period, podId?: string): Spent<(typeof podKeys)[number]>[];
  endpoints(period: Period, endpointId?: string): Spent<(typeof serverlessKeys)[number]>[];
  volumes(period: Period, networkVolumeId?: string): Spent<(typeof volumeKeys)[number]>[];
  everything(period: Period): Spent<(typeof allKeys)[number]>[];
}

function createSpending(billing: Billing): Spending {
  function podsSpent(period: Period, podId?: string): Spent<(typeof podKeys)[number]>[] {
    const query = { ...period, podId, grouping: 'podId' } as const;
    const [all, cpu] = [
      billing.pods({ ...query, gpuTypeId: undefined }),
      billing.pods({ ...query, gpuTypeId: [CPU_TYPE] }),
    ];
    return splitByHardware(all, cpu, 'podId').map((one) => ({ ...one, amounts: { ...one.amounts, diskAmount: 0 } }));
  }
  function endpointsSpent(period: Period, endpointId?: string): Spent<(typeof serverlessKeys)[number]>[] {
    const query = { ...period, endpointId, grouping: 'endpointId', dataCenterId: undefined } as const;
    const all = billing.endpoints({ ...query, gpuTypeId: undefined });
    const cpu = billing.endpoints({ ...query, gpuTypeId: [CPU_TYPE] });
    return splitByHardware(all, cpu, 'endpointId').map((one) => ({
      ...one,
      amounts: { ...one.amounts, diskAmount: 0, feeAmount: 0 },
    }));
  }
  const volumesSpent = (period: Period, networkVolumeId?: string): Spent<(typeof volumeKeys)[number]>[] =>
    billing.volumes({ ...period, networkVolumeId, grouping: 'networkVolumeId' }).map((record) => ({
      time: record.time,
      id: record.networkVolumeId ?? '',
      amounts: { totalAmount: record.amount, standardAmount: record.amount, highPerformanceAmount: 0 },
    }));

  function everything(period: Period): Spent<(typeof allKeys)[number]>[] {
    const buckets = new Map<string, Amounts<(typeof allKeys)[number]>>();
    const add = (at: string, amounts: Partial<Amounts<(typeof allKeys)[number]>>): void => {
      const sums = buckets.get(at) ?? noneOf(allKeys);
      buckets.set(at, sums);
      for (const key of allKeys) sums[key] += amounts[key] ?? 0;
    };
    for (const { time: at, amounts } of podsSpent(period)) {
      const { totalAmount, gpuAmount: podGpuAmount, cpuAmount: podCpuAmount } = amounts;
      add(at, { totalAmount, podGpuAmount, podCpuAmount });
    }
    for (const { time: at, amounts } of endpointsSpent(period)) {
      const { totalAmount, gpuAmount: serverlessGpuAmount, cpuAmount: serverlessCpuAmount } = amounts;
      add(at, { totalAmount, serverlessGpuAmount, serverlessCpuAmount });
    }
    for (const { time: at, amounts } of volumesSpent(period)) {
      add(at, { totalAmount: amounts.totalAmount, storageStandardAmount: amounts.standardAmount });
    }
    return [...buckets]
      .map(([at, amounts]) => ({ time: at, id: '', amounts }))
      .sort((a, b) => (a.time < b.time ? -1 : 1));
  }

  return { pods: podsSpent, endpoints: endpointsSpent, volumes: volumesSpent, everything };
}

export function billingOperations({ billing, clock }: BillingParts): RestV2Operation[] {
  const spending = createSpending(billing);
  const group = 'Billing';
  const read = { method: 'get', group, need: 'read', refusals: ['BAD_REQUEST'] } as const;
  const words = 'The records, oldest first.';
  const only = (noun: string) => ({ schema: z.string().optional(), words: `Only this ${noun}.` });
  const periodNow = (query: PeriodQuery): Period => periodOf(query, clock.now());
  return [
    operation({
      ...read,
      path: '/billing',
      id: 'listBilling',
      summary: 'Tells what everything cost.',
      query: periodQuery,
      answers: { 200: { words, shape: answerShape('Billing', allKeys, null, null) } },
      run({ query }) {
        const period = periodNow(query);
        return answerOf(period, allKeys, spending.everything(period), null);
      },
    }),
    operation({
      ...read,
      path: '/billing/pods',
      id: 'listPodBilling',
      summary: 'Tells what Pods cost. Their volumes are part of what they run on.',
      query: { ...periodQuery, podId: only('Pod') },
      answers: { 200: { words, shape: answerShape('PodBilling', podKeys, 'podId', 'uniquePodCount') } },
      run({ query: { podId, ...query } }) {
        const period = periodNow(query);
        const of = { idField: 'podId', unique: 'uniquePodCount', filter: podId };
        return answerOf(period, podKeys, spending.pods(period, podId), of);
      },
    }),
    operation({
      ...read,
      path: '/billing/serverless',
      id: 'listServerlessBilling',
      summary: 'Tells what workers of endpoints cost.',
      query: { ...periodQuery, serverlessId: only('endpoint') },
      answers: {
        200: {
          words,
          shape: answerShape('ServerlessBilling', serverlessKeys, 'serverlessId', 'uniqueServerlessCount'),
        },
      },
      run({ query: { serverlessId, ...query } }) {
        const period = periodNow(query);
        const of = { idField: 'serverlessId', unique: 'uniqueServerlessCount', filter: serverlessId };
        return answerOf(period, serverlessKeys, spending.endpoints(period, serverlessId), of);
      },
    }),
    operation({
      ...read,
      path: '/billing/endpoints',
      id: 'listEndpointBilling',
      query: periodQuery,
      summary: 'Tells what public endpoints of the cloud cost: nothing is there.',
      answers: { 200: { words, shape: answerShape('EndpointBilling', publicKeys, null, null) } },
      run: ({ query }) => answerOf(periodNow(query), publicKeys, [], null),
    }),
    operation({
      ...read,
      path: '/billing/network-volumes',
      id: 'listNetworkVolumeBilling',
      summary: 'Tells what network volumes cost.',
      query: { ...periodQuery, networkVolumeId: only('network volume') },
      answers: {
        200: {
          words,
          shape: answerShape('NetworkVolumeBilling', volumeKeys, 'networkVolumeId', 'uniqueNetworkVolumeCount'),
        },
      },
      run({ query: { networkVolumeId, ...query } }) {
        const period = periodNow(query);
        const of = { idField: 'networkVolumeId', unique: 'uniqueNetworkVolumeCount', filter: networkVolumeId };
        return answerOf(period, volumeKeys, spending.volumes(period, networkVolumeId), of);
      },
    }),
    operation({
      ...read,
      path: '/billing/clusters',
      id: 'listClusterBilling',
      summary: 'Tells what clusters cost: there are none here.',
      query: { ...periodQuery, clusterId: only('cluster') },
      answers: { 200: { words, shape: answerShape('ClusterBilling', clusterKeys, 'clusterId', 'uniqueClusterCount') } },
      run({ query: { clusterId, ...query } }) {
        const of = { idField: 'clusterId', unique: 'uniqueClusterCount', filter: clusterId };
        return answerOf(periodNow(query), clusterKeys, [], of);
      },
    }),
  ];
}
