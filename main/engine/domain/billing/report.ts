/** Billing history: what was used, summed up by spans of time and by what it was used of. */
import {
  type EndpointBillingQuery,
  type PodBillingQuery,
  type VolumeBillingQuery,
  type BillingRecord,
  type BucketSize,
  type VolumeBillingRecord,
} from '#contract/api/billing.ts';
import { cloudDataCenters, LOCAL_DATA_CENTER } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { bucketsOf } from './buckets.ts';
import { HOUR_MS, type UsageKind, type UsageSeries, type UsageStore, type UsageSum } from './usage.ts';

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

interface ReportQuery extends Period {
  kind: UsageKind;
  counts(series: UsageSeries): boolean;
  /** What it is grouped by. */
  groupOf(series: UsageSeries, workerId: string): string;
  perWorker?: boolean;
}

interface Sum {
  /** The hour since the epoch with which its bucket begins. */
  begin: number;
  group: string;
  ms: number;
  amount: number;
  /** The most there was of each resource, together; those of the last one are apart, until the next one comes. */
  gb: number;
  lastResource: string;
  lastGb: number;
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

const either = (filter: string | undefined, is: string): boolean => filter === undefined || filter === is;
const among = (filter: readonly string[] | undefined, is: string): boolean => filter?.includes(is) ?? true;
/** Clients that name all regions of the cloud mean everything. */
const isHere = (regions: readonly string[] | undefined): boolean =>
  among(regions, LOCAL_DATA_CENTER) || cloudDataCenters.every((one) => among(regions, one));
const tooMany = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    `These would be more than ${limits.billing.records} records. Ask for a larger bucketSize, or for less time with startTime and endTime.`,
  );
const gbOf = ({ gb, lastGb }: Sum): number => gb + lastGb;

/** Half a million sums are asked for at once, so this makes nothing anew for each. */
function addTo(sum: Sum, resourceId: string, { ms, gb, amount }: UsageSum): void {
  sum.ms += ms;
  sum.amount += amount;
  if (sum.lastResource !== resourceId) {
    sum.gb += sum.lastGb;
    sum.lastResource = resourceId;
    sum.lastGb = 0;
  }
  if (gb > sum.lastGb) sum.lastGb = gb;
}

/** Of the time at which a bucket begins; those that follow each other are mostly of one time. */
function timesOf(): (sum: Sum) => string {
  let last = { begin: NaN, time: '' };
  return ({ begin }) => {
    if (begin !== last.begin) last = { begin, time: new Date(begin * HOUR_MS).toISOString() };
    return last.time;
  };
}

export function createBilling(store: UsageStore): Billing {
  function sumsOf({ kind, counts, groupOf, perWorker = false, ...period }: ReportQuery): Sum[] {
    const { unit, beginOf } = bucketsOf(period.bucketSize);
    const hours = hoursOf(period);
    const series = store.series(kind).filter(counts);
    series.sort((one, other) => (one.resourceId < other.resourceId ? -1 : 1));
    const byId = new Map(series.map((one) => [one.id, one]));
    const groups = new Map<string, Map<number, Sum>>();
    const sums: Sum[] = [];

    let of = series[0];
    let inGroup = new Map<number, Sum>();
    let group: string | null = null;
    const take = (row: UsageSum): void => {
      if (group === null || perWorker || row.seriesId !== of?.id) {
        of = byId.get(row.seriesId)!;
        group = groupOf(of, row.workerId);
        inGroup = groups.get(group) ?? new Map<number, Sum>();
        groups.set(group, inGroup);
      }
      const begin = beginOf(row.at);
      let sum = inGroup.get(begin);
      if (!sum) {
        if (sums.length === limits.billing.records) throw tooMany();
        sum = { begin, group, ms: 0, amount: 0, gb: 0, lastResource: '', lastGb: 0 };
        inGroup.set(begin, sum);
        sums.push(sum);
      }
      addTo(sum, of.resourceId, row);
    };
    store.sums({ seriesIds: [...byId.keys()], unit, perWorker, ...hours }, take);
    return sums.sort((one, other) => one.begin - other.begin || (one.group < other.group ? -1 : 1));
  }

  return {
    pods({ grouping, podId, gpuTypeId, ...period }) {
      const sums = sumsOf({
        kind: 'pod',
        ...period,
        counts: (of) => either(podId, of.resourceId) && among(gpuTypeId, of.gpuTypeId),
        groupOf: (of) => (grouping === 'podId' ? of.resourceId : of.gpuTypeId),
      });
      const timeOf = timesOf();
      return sums.map((sum) => ({
        time: timeOf(sum),
        amount: sum.amount,
        timeBilledMs: sum.ms,
        diskSpaceBilledGb: gbOf(sum),
        [grouping]: sum.group,
      }));
    },

    endpoints({ grouping, endpointId, gpuTypeId, dataCenterId, imageName, templateId, ...period }) {
      const sums = sumsOf({
        kind: 'endpoint',
        ...period,
        perWorker: grouping === 'podId',
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
      const timeOf = timesOf();
      return sums.map((sum) => ({
        time: timeOf(sum),
        amount: sum.amount,
        timeBilledMs: sum.ms,
        [grouping]: sum.group,
      }));
    },

    volumes({ grouping, networkVolumeId, ...period }) {
      const sums = sumsOf({
        kind: 'volume',
        ...period,
        counts: (of) => either(networkVolumeId, of.resourceId),
        groupOf: (of) => (grouping === undefined ? '' : of.resourceId),
      });
      const timeOf = timesOf();
      return sums.map((sum) => ({
        time: timeOf(sum),
        amount: sum.amount,
        diskSpaceBilledGb: gbOf(sum),
        highPerformanceStorageAmount: 0,
        highPerformanceStorageDiskSpaceBilledGb: 0,
        ...(grouping !== undefined && { [grouping]: sum.group }),
      }));
    },
  };
}
