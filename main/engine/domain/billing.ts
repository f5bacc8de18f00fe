/** Billing history: what was used, summed up by spans of time and by what it was used of. */
import type * as z from 'zod';
import {
  type endpointBillingQuerySchema,
  type podBillingQuerySchema,
  type volumeBillingQuerySchema,
  type BillingRecord,
  type BucketSize,
  type VolumeBillingRecord,
} from '#contract/billing.ts';
import { cloudDataCenters, LOCAL_DATA_CENTER } from '#contract/cloudNames.ts';
import { AppError } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { bucketsOf } from './billingBuckets.ts';
import { HOUR_MS, type UsageKind, type UsageSeries, type UsageStore } from './usage.ts';

/** Records in the order of their time, of those of one time by their id. Times are whole hours: one that has begun counts. */
export interface Billing {
  pods(query: z.output<typeof podBillingQuerySchema>): BillingRecord[];
  endpoints(query: z.output<typeof endpointBillingQuerySchema>): BillingRecord[];
  volumes(query: z.output<typeof volumeBillingQuerySchema>): VolumeBillingRecord[];
}

interface Period {
  bucketSize: BucketSize;
  startTime?: string | undefined;
  endTime?: string | undefined;
}

interface Asked extends Period {
  kind: UsageKind;
  counts(series: UsageSeries): boolean;
  /** What it is grouped by. */
  groupOf(series: UsageSeries, workerId: string): string;
  perWorker?: boolean;
}

interface Sum {
  begin: number;
  group: string;
  ms: number;
  amount: number;
  /** The most there was of each resource. */
  gb: Map<string, number>;
}

/** Hours that a time can be of, so that an open end is a number as well. */
const FIRST_HOUR = -(2 ** 40);
const LAST_HOUR = 2 ** 40;

function hoursOf({ startTime, endTime }: Period): { fromHour: number; toHour: number } {
  const from = startTime === undefined ? null : Date.parse(startTime);
  const to = endTime === undefined ? null : Date.parse(endTime);
  if (from !== null && to !== null && from > to)
    throw new AppError('BAD_REQUEST', `startTime must not be after endTime; got ${startTime} and ${endTime}.`);
  return {
    fromHour: from === null ? FIRST_HOUR : Math.floor(from / HOUR_MS),
    toHour: to === null ? LAST_HOUR : Math.ceil(to / HOUR_MS),
  };
}

const either = (asked: string | undefined, is: string): boolean => asked === undefined || asked === is;
const among = (asked: readonly string[] | undefined, is: string): boolean => asked?.includes(is) ?? true;
/** Clients that name all regions of the cloud mean everything. */
const isHere = (asked: readonly string[] | undefined): boolean =>
  among(asked, LOCAL_DATA_CENTER) || cloudDataCenters.every((one) => among(asked, one));
const gbOf = ({ gb }: Sum): number => [...gb.values()].reduce((sum, each) => sum + each, 0);
const timeOf = ({ begin }: Sum): string => new Date(begin).toISOString();

export function createBilling(store: UsageStore): Billing {
  function sumsOf({ kind, counts, groupOf, perWorker = false, ...period }: Asked): Sum[] {
    const { unit, beginOf } = bucketsOf(period.bucketSize);
    const series = new Map(
      store
        .series(kind)
        .filter(counts)
        .map((one) => [one.id, one]),
    );
    const found = new Map<string, Sum>();
    for (const row of store.sums({ seriesIds: [...series.keys()], unit, perWorker, ...hoursOf(period) })) {
      const of = series.get(row.seriesId)!;
      const begin = beginOf(row.at);
      const group = groupOf(of, row.workerId);
      const key = `${begin} ${group}`;
      let sum = found.get(key);
      if (!sum && found.size === limits.billing.records) {
        throw new AppError(
          'BAD_REQUEST',
          `These would be more than ${limits.billing.records} records. Ask for a larger bucketSize, or for less time with startTime and endTime.`,
        );
      }
      if (!sum) found.set(key, (sum = { begin, group, ms: 0, amount: 0, gb: new Map() }));
      sum.ms += row.ms;
      sum.amount += row.amount;
      if (row.gb > (sum.gb.get(of.resourceId) ?? 0)) sum.gb.set(of.resourceId, row.gb);
    }
    return [...found.values()].sort((a, b) => a.begin - b.begin || (a.group < b.group ? -1 : 1));
  }

  return {
    pods({ grouping, podId, gpuTypeId, ...period }) {
      const sums = sumsOf({
        ...{ kind: 'pod', ...period },
        counts: (of) => either(podId, of.resourceId) && among(gpuTypeId, of.gpuTypeId),
        groupOf: (of) => (grouping === 'podId' ? of.resourceId : of.gpuTypeId),
      });
      return sums.map((sum) => ({
        ...{ time: timeOf(sum), amount: sum.amount, timeBilledMs: sum.ms, diskSpaceBilledGb: gbOf(sum) },
        [grouping]: sum.group,
      }));
    },

    endpoints({ grouping, endpointId, gpuTypeId, dataCenterId, imageName, templateId, ...period }) {
      const sums = sumsOf({
        ...{ kind: 'endpoint', ...period, perWorker: grouping === 'podId' },
        counts: (of) =>
          either(endpointId, of.resourceId) &&
          among(gpuTypeId, of.gpuTypeId) &&
          isHere(dataCenterId) &&
          either(imageName, of.imageName) &&
          either(templateId, of.templateId),
        groupOf(of, workerId) {
          if (grouping === 'podId') return workerId;
          return grouping === 'gpuTypeId' ? of.gpuTypeId : of.resourceId;
        },
      });
      return sums.map((sum) => ({
        ...{ time: timeOf(sum), amount: sum.amount, timeBilledMs: sum.ms },
        [grouping]: sum.group,
      }));
    },

    volumes({ networkVolumeId, ...period }) {
      const sums = sumsOf({
        ...{ kind: 'volume', ...period },
        counts: (of) => either(networkVolumeId, of.resourceId),
        groupOf: () => '',
      });
      return sums.map((sum) => ({
        ...{ time: timeOf(sum), amount: sum.amount, diskSpaceBilledGb: gbOf(sum) },
        ...{ highPerformanceStorageAmount: 0, highPerformanceStorageDiskSpaceBilledGb: 0 },
      }));
    },
  };
}
