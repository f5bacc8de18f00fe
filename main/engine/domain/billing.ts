/** Billing history: what was used, summed up by spans of time and by what it was used of. */
import {
  type EndpointBillingQuery,
  type PodBillingQuery,
  type VolumeBillingQuery,
  type BillingRecord,
  type BucketSize,
  type VolumeBillingRecord,
} from '#contract/billing.ts';
import { cloudDataCenters, LOCAL_DATA_CENTER } from '#contract/cloudNames.ts';
import { AppError } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { bucketsOf } from './billingBuckets.ts';
import { HOUR_MS, type UsageKind, type UsageSeries, type UsageStore, type UsageTotal } from './usage.ts';

/** Records in the order of their time, of those of one time by their id. Times are whole hours: one that has begun counts. */
export interface Billing {
  pods(query: PodBillingQuery): BillingRecord[];
  endpoints(query: EndpointBillingQuery): BillingRecord[];
  volumes(query: VolumeBillingQuery): VolumeBillingRecord[];
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
  /** A group is of many resources, each of which has one series in it: their hours can be summed up where they are stored. */
  ofMany?: boolean;
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
const tooMany = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    `These would be more than ${limits.billing.records} records. Ask for a larger bucketSize, or for less time with startTime and endTime.`,
  );
const gbOf = ({ gb }: Sum): number => [...gb.values()].reduce((sum, each) => sum + each, 0);
const timeOf = ({ begin }: Sum): string => new Date(begin).toISOString();

export function createBilling(store: UsageStore): Billing {
  function sumsOf({ kind, counts, groupOf, perWorker = false, ofMany = false, ...period }: Asked): Sum[] {
    const { unit, beginOf } = bucketsOf(period.bucketSize);
    const hours = hoursOf(period);
    const series = store.series(kind).filter(counts);
    const found = new Map<string, Sum>();

    function add(begin: number, group: string, resourceId: string, { ms, gb, amount }: Omit<UsageTotal, 'at'>): void {
      const key = `${begin} ${group}`;
      let sum = found.get(key);
      if (!sum) {
        if (found.size === limits.billing.records) throw tooMany();
        found.set(key, (sum = { begin, group, ms: 0, amount: 0, gb: new Map() }));
      }
      sum.ms += ms;
      sum.amount += amount;
      if (gb > (sum.gb.get(resourceId) ?? 0)) sum.gb.set(resourceId, gb);
    }

    if (unit === 'hour' && ofMany) {
      const groups = new Map<string, number[]>();
      for (const one of series) groups.set(groupOf(one, ''), [...(groups.get(groupOf(one, '')) ?? []), one.id]);
      for (const [group, seriesIds] of groups)
        for (const row of store.hourTotals({ seriesIds, ...hours })) add(beginOf(row.at), group, '', row);
    } else {
      const byId = new Map(series.map((one) => [one.id, one]));
      for (const row of store.sums({ seriesIds: [...byId.keys()], unit, perWorker, ...hours })) {
        const of = byId.get(row.seriesId)!;
        add(beginOf(row.at), groupOf(of, row.workerId), of.resourceId, row);
      }
    }
    return [...found.values()].sort((one, other) => one.begin - other.begin || (one.group < other.group ? -1 : 1));
  }

  return {
    pods({ grouping, podId, gpuTypeId, ...period }) {
      const sums = sumsOf({
        ...{ kind: 'pod', ...period, ofMany: grouping !== 'podId' },
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
        ...{ kind: 'endpoint', ...period, perWorker: grouping === 'podId', ofMany: grouping !== 'podId' },
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
        ...{ kind: 'volume', ...period, ofMany: true },
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
