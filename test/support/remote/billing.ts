/** What was used at the fake, summed up as each dialect tells it. */
import type { RemoteAccount, RemoteCharge } from './records.ts';
import { Refusal } from './wire.ts';

const spanMs = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000, year: 31_536_000_000 };
type Bucket = keyof typeof spanMs;

interface Period {
  from: number;
  to: number;
  bucket: Bucket;
}

function periodOf(query: URLSearchParams, now: number): Period {
  const bucket = (query.get('bucketSize') ?? 'day') as Bucket;
  if (!(bucket in spanMs)) throw new Refusal(400, 'bucketSize must be one of hour, day, week, month, year');
  const at = (name: string, otherwise: number): number => {
    const value = query.get(name);
    const parsed = value === null ? otherwise : Date.parse(value);
    if (Number.isNaN(parsed)) throw new Refusal(400, `${name} must be an RFC 3339 date-time`);
    return parsed;
  };
  const to = at('endTime', now);
  const lastN = Number(query.get('lastN') ?? 30);
  return { bucket, to, from: at('startTime', to - lastN * spanMs[bucket]) };
}

interface Sum {
  readonly start: number;
  readonly key: string;
  amount: number;
  timeMs: number;
  gb: number;
}

function sums(charges: readonly RemoteCharge[], { from, to, bucket }: Period, keyOf: (charge: RemoteCharge) => string) {
  const made = new Map<string, Sum>();
  for (const charge of charges) {
    if (charge.at < from || charge.at >= to) continue;
    const start = Math.floor(charge.at / spanMs[bucket]) * spanMs[bucket];
    const key = keyOf(charge);
    const sum = made.get(`${start} ${key}`) ?? { start, key, amount: 0, timeMs: 0, gb: 0 };
    made.set(`${start} ${key}`, {
      ...sum,
      amount: sum.amount + charge.amount,
      timeMs: sum.timeMs + charge.timeMs,
      gb: Math.max(sum.gb, charge.gb),
    });
  }
  return [...made.values()].toSorted((a, b) => a.start - b.start);
}

const kinds = { pods: 'pod', endpoints: 'endpoint', networkvolumes: 'volume' } as const;

export function billingV1(account: RemoteAccount, what: string, query: URLSearchParams, now: number): object[] {
  const kind = kinds[what as keyof typeof kinds] as (typeof kinds)[keyof typeof kinds] | undefined;
  if (kind === undefined) throw new Refusal(404, 'route not found');
  const period = periodOf(query, now);
  const charges = account.charges.filter((charge) => charge.kind === kind);
  if (kind === 'volume') {
    return sums(charges, period, () => '').map(({ start, amount, gb }) => ({
      time: new Date(start).toISOString(),
      amount,
      diskSpaceBilledGb: gb,
      highPerformanceStorageAmount: 0,
      highPerformanceStorageDiskSpaceBilledGb: 0,
    }));
  }
  const grouping = query.get('grouping') ?? (kind === 'pod' ? 'gpuTypeId' : 'endpointId');
  const keyOf = (charge: RemoteCharge): string => (grouping === 'gpuTypeId' ? charge.gpuTypeId : charge.id);
  return sums(charges, period, keyOf).map(({ start, key, amount, timeMs, gb }) => ({
    time: new Date(start).toISOString(),
    amount,
    timeBilledMs: timeMs,
    diskSpaceBilledGb: gb,
    [grouping]: key,
  }));
}

const iso = (at: number): string => new Date(at).toISOString();
const total = (list: readonly Sum[]): number => list.reduce((sum, { amount }) => sum + amount, 0);

export function billingV2(
  account: RemoteAccount,
  what: string | undefined,
  query: URLSearchParams,
  now: number,
): object {
  const period = periodOf(query, now);
  const times = { startTime: iso(period.from), endTime: iso(period.to), bucketSize: period.bucket };
  const span = (start: number) => ({ startTime: iso(start), endTime: iso(start + spanMs[period.bucket]) });
  const of = (kind: RemoteCharge['kind'], filter: string): Sum[] => {
    const id = query.get(filter);
    const charges = account.charges.filter((charge) => charge.kind === kind && (id === null || charge.id === id));
    return sums(charges, period, (charge) => charge.id);
  };
  const answer = (
    list: readonly Sum[],
    filter: string,
    unique: string,
    amounts: (amount: number) => object,
  ): object => ({
    records: list.map(({ start, key, amount }) => ({ ...span(start), ...amounts(amount), [filter]: key })),
    metadata: {
      query: { ...times, [filter]: query.get(filter) },
      recordCount: list.length,
      [unique]: new Set(list.map(({ key }) => key)).size,
      totals: amounts(total(list)),
    },
  });
  switch (what) {
    case 'pods':
      return answer(of('pod', 'podId'), 'podId', 'uniquePodCount', (amount) => ({
        totalAmount: amount,
        gpuAmount: amount * 0.9,
        cpuAmount: 0,
        diskAmount: amount * 0.1,
      }));
    case 'serverless':
      return answer(of('endpoint', 'serverlessId'), 'serverlessId', 'uniqueServerlessCount', (amount) => ({
        totalAmount: amount,
        gpuAmount: amount * 0.9,
        cpuAmount: 0,
        diskAmount: amount * 0.1,
        feeAmount: 0,
      }));
    case 'network-volumes':
      return answer(of('volume', 'networkVolumeId'), 'networkVolumeId', 'uniqueNetworkVolumeCount', (amount) => ({
        totalAmount: amount,
        standardAmount: amount,
        highPerformanceAmount: 0,
      }));
    // Not the endpoints of the account: what it spent at public ones.
    case 'endpoints':
      return { records: [], metadata: { query: times, recordCount: 0, totals: { totalAmount: 0 } } };
    case undefined: {
      const every = sums(account.charges, period, () => '');
      const none = ['podCpu', 'podDisk', 'serverlessCpu', 'serverlessDisk', 'serverlessFee', 'storageHighPerformance'];
      const others = ['serverlessGpu', 'storageStandard', 'endpoint', 'clusterGpu', 'clusterDisk', 'clusterNetworking'];
      const amounts = (amount: number): object => ({
        totalAmount: amount,
        podGpuAmount: amount,
        ...Object.fromEntries([...none, ...others].map((name) => [`${name}Amount`, 0])),
      });
      return {
        records: every.map(({ start, amount }) => ({ ...span(start), ...amounts(amount) })),
        metadata: { query: times, recordCount: every.length, totals: amounts(total(every)) },
      };
    }
    default:
      throw new Refusal(404, 'resource not found');
  }
}
