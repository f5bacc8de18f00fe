/** The billing history: sums of usage, grouped by time and by resource. */
import { requireValue } from '#contract/core/requireValue.ts';
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

/** Records are sorted by time, then by id. Periods consist of whole hours; an hour that has begun counts. */
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
  /** The group that usage belongs to. */
  groupOf(series: UsageSeries, workerId: string): string;
  perWorker?: boolean;
}

interface Sum {
  /** The start of its bucket, hours since the epoch. */
  begin: number;
  group: string;
  ms: number;
  amount: number;
  /**
   * The sum of the maximum GB of each resource. `lastGb` is the maximum of the last resource; it is added to `gb` when
   * the next resource comes.
   */
  gb: number;
  lastResource: string;
  lastGb: number;
}

/** The range of hours when a period has no start or no end. */
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
/** Clients that list all regions of the cloud mean every region. */
const isHere = (regions: readonly string[] | undefined): boolean =>
  among(regions, LOCAL_DATA_CENTER) || cloudDataCenters.every((one) => among(regions, one));
const tooMany = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    `These would be more than ${limits.billing.records} records. Ask for a larger bucketSize, or for less time with startTime and endTime.`,
  );
const gbOf = ({ gb, lastGb }: Sum): number => gb + lastGb;

/** Adds one sum of the store. A report may read half a million of them, so this function allocates nothing. */
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

/** Formats the start of a bucket. It caches the last one, because neighbouring sums mostly share it. */
function timesOf(): (sum: Sum) => string {
  let last = { begin: NaN, time: '' };
  return ({ begin }) => {
    if (begin !== last.begin) last = { begin, time: new Date(begin * HOUR_MS).toISOString() };
    return last.time;
  };
}

/** `saveUsage` adds the usage up to now to the store: a report has what runs while it is read. */
export function createBilling(store: UsageStore, saveUsage: () => void): Billing {
  function sumsOf({ kind, counts, groupOf, perWorker = false, ...period }: ReportQuery): Sum[] {
    const { unit, beginOf } = bucketsOf(period.bucketSize);
    const hours = hoursOf(period);
    saveUsage();
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
        of = requireValue(byId.get(row.seriesId), 'the series of a sum');
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
