/** Stored usage in a real SQLite file, and the billing history from it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bucketSizes, endpointBillingQuerySchema, podBillingQuerySchema } from '#contract/api/billing.ts';
import { limits } from '#contract/core/limits.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { seriesOf } from '../../../../test/support/billing/fakeUsage.ts';
import { LONG_USAGE, writeLongUsage } from '../../../../test/support/billing/longUsage.ts';
import { planOf, statementsOf } from '../../../../test/support/disk/statements.ts';
import { createBilling } from '../../domain/billing/report.ts';
import { HOUR_MS, type UsagePiece } from '../../domain/billing/usage.ts';
import { openDatabase } from '../sqlite/database.ts';
import { createGroupCommit } from '../sqlite/groupCommit.ts';
import { migrations } from '../sqlite/migrations/index.ts';
import { usageOfDays } from '../sqlite/migrations/usageOfDays.ts';
import { createUsageStore } from './usage.ts';

let dir: string;
let database: DatabaseSync;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-usage-'));
  database = openDatabase(dir);
});
afterEach(() => {
  database.close();
  rmSync(dir, { recursive: true });
});

/** New Year's Eve of 2025, a Wednesday. */
const FIRST_HOUR = Date.UTC(2025, 11, 31) / HOUR_MS;
const piece = (over: Partial<UsagePiece>): UsagePiece => ({
  series: seriesOf('pod', 'p'),
  workerId: '',
  hour: FIRST_HOUR,
  ms: 1000,
  gb: 0,
  amount: 0.5,
  ...over,
});

function openStore() {
  const commits = createGroupCommit(database, silentLogger);
  const store = createUsageStore(database, commits);
  const billing = createBilling(store, () => undefined);
  const add = (...pieces: UsagePiece[]): void => {
    store.add(pieces, (error) => expect(error).toBeNull());
    commits.flush();
  };
  return { add, billing, store };
}
const podQuery = (over: object = {}) => podBillingQuerySchema.parse(over);
const endpointQuery = (over: object = {}) => endpointBillingQuerySchema.parse(over);

test('what is added within an hour is summed up, and of its disk the most is kept', () => {
  const { add, billing } = openStore();
  add(piece({ gb: 20 }), piece({ gb: 10, ms: 500, amount: 0.25 }));
  expect(billing.pods(podQuery({ bucketSize: 'hour', grouping: 'podId' }))).toEqual([
    { time: '2025-12-31T00:00:00.000Z', podId: 'p', amount: 0.75, timeBilledMs: 1500, diskSpaceBilledGb: 20 },
  ]);
});

test('of pieces of which one cannot be stored none is', () => {
  const { store, billing } = openStore();
  let failure: unknown = null;
  const commits = createGroupCommit(database, silentLogger);
  const own = createUsageStore(database, commits);
  own.add([piece({}), piece({ ms: null as unknown as number })], (error) => (failure = error));
  commits.flush();
  expect(failure).toMatchObject({ message: expect.stringContaining('usage_day.ms') as string });
  expect(store.series('pod')).toEqual([]);
  expect(billing.pods(podQuery())).toEqual([]);
});

test.each([
  ['hour', ['2025-12-31T23:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z']],
  ['day', ['2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z']],
  ['week', ['2025-12-29T00:00:00.000Z', '2026-01-05T00:00:00.000Z']],
  ['month', ['2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']],
  ['year', ['2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']],
])('a bucket of a %s begins where that begins in UTC, a week on Monday', (bucketSize, times) => {
  const { add, billing } = openStore();
  for (const hour of [23, 24, 5 * 24]) add(piece({ hour: FIRST_HOUR + hour }));
  expect(billing.pods(podQuery({ bucketSize })).map(({ time }) => time)).toEqual(times);
});

test('times are whole hours: the hour in which the period begins is in it, the one in which it ends as well', () => {
  const { add, billing } = openStore();
  for (const hour of [0, 1, 2, 3]) add(piece({ hour: FIRST_HOUR + hour, ms: 10 ** hour }));
  const [record] = billing.pods(podQuery({ startTime: '2025-12-31T01:30:00Z', endTime: '2025-12-31T03:00:00Z' }));
  expect(record?.timeBilledMs).toBe(110);
  const [offset] = billing.pods(podQuery({ endTime: '2025-12-31T02:00:00.001+01:00' }));
  expect(offset?.timeBilledMs).toBe(11);
});

test('the disk of a bucket is the most that each resource had, together', () => {
  const { add, billing } = openStore();
  for (const [id, gb, hour] of [
    ['a', 10, 0],
    ['a', 30, 1],
    ['b', 5, 1],
  ] as const)
    add(piece({ series: seriesOf('pod', id), gb, hour: FIRST_HOUR + hour }));
  expect(billing.pods(podQuery())).toMatchObject([{ diskSpaceBilledGb: 35 }]);
  const byHour = billing.pods(podQuery({ bucketSize: 'hour' }));
  expect(byHour).toMatchObject([{ diskSpaceBilledGb: 10 }, { diskSpaceBilledGb: 35 }]);
});

test('of a period that begins and ends within days, their other hours are left out', () => {
  const { add, billing } = openStore();
  for (let hour = 0; hour < 96; hour++) add(piece({ hour: FIRST_HOUR + hour }));
  const hoursIn = (startTime: string, endTime: string) =>
    billing.pods(podQuery({ startTime, endTime })).map(({ timeBilledMs }) => timeBilledMs / 1000);
  expect(hoursIn('2025-12-31T20:00:00Z', '2026-01-03T02:00:00Z')).toEqual([4, 24, 24, 2]);
  expect(hoursIn('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')).toEqual([24]);
  expect(hoursIn('2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z')).toEqual([1]);
  expect(hoursIn('2025-12-31T23:00:00Z', '2026-01-01T01:00:00Z')).toEqual([1, 1]);
});

const texts = (...ids: string[]) => fc.constantFrom(...ids);
const anyPiece = fc.record({
  series: fc.record({
    kind: fc.constant('endpoint' as const),
    resourceId: texts('e1', 'e2'),
    templateId: texts('t1', 't2'),
    imageName: texts('i1', 'i2'),
    gpuTypeId: texts('CPU', 'NVIDIA A40'),
  }),
  workerId: texts('w1', 'w2', 'w3'),
  hour: fc.integer({ min: FIRST_HOUR, max: FIRST_HOUR + 24 * 800 }),
  ms: fc.integer({ min: 0, max: HOUR_MS }),
  gb: fc.constant(0),
  amount: fc.double({ min: 0, max: 10, noNaN: true }),
});

test('however it is divided into buckets and groups, it is the sum of all', () => {
  const { add, billing } = openStore();
  fc.assert(
    fc.property(fc.array(anyPiece, { maxLength: 30 }), (pieces) => {
      database.exec(
        'DELETE FROM usage_hour; DELETE FROM usage_worker_day; DELETE FROM usage_day; DELETE FROM usage_series',
      );
      add(...pieces);
      const sum = (of: { amount: number }[]) => of.reduce((all, { amount }) => all + amount, 0);
      const ms = pieces.reduce((all, one) => all + one.ms, 0);
      for (const bucketSize of bucketSizes)
        for (const grouping of ['endpointId', 'podId', 'gpuTypeId']) {
          const records = billing.endpoints(endpointQuery({ bucketSize, grouping }));
          expect(records.reduce((all, { timeBilledMs }) => all + timeBilledMs, 0)).toBe(ms);
          expect(sum(records)).toBeCloseTo(sum(pieces), 9);
          const keys = records.map((record) => `${record.time} ${String(record[grouping])}`);
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys).toEqual([...keys].sort());
        }
    }),
    { numRuns: 30 },
  );
});

test('what was kept by hours before days held them is told as before', () => {
  database.close();
  rmSync(dir, { recursive: true });
  database = openDatabase(dir, { steps: migrations.slice(0, migrations.indexOf(usageOfDays)) });
  database.exec(`
    INSERT INTO usage_series VALUES (1, 1, 'p', '', '', 'CPU'), (2, 0, 'e', '', '', 'CPU');
    INSERT INTO usage_hour VALUES (1, ${FIRST_HOUR + 23}, '', 1000, 20, 0.5), (1, ${FIRST_HOUR + 24}, '', 500, 10, 0.25),
      (2, ${FIRST_HOUR}, 'w1', 1000, 0, 0.5), (2, ${FIRST_HOUR}, 'w2', 2000, 0, 1), (2, ${FIRST_HOUR + 1}, 'w1', 4000, 0, 2);
    INSERT INTO usage_day SELECT series, hour / 24, sum(ms), max(gb), sum(amount) FROM usage_hour GROUP BY 1, 2;
  `);
  database.close();
  database = openDatabase(dir);
  const { add, billing } = openStore();
  add(piece({ hour: FIRST_HOUR + 24, ms: 7, amount: 0.25 }));
  expect(billing.pods(podQuery({ bucketSize: 'hour', grouping: 'podId' }))).toEqual([
    { time: '2025-12-31T23:00:00.000Z', podId: 'p', amount: 0.5, timeBilledMs: 1000, diskSpaceBilledGb: 20 },
    { time: '2026-01-01T00:00:00.000Z', podId: 'p', amount: 0.5, timeBilledMs: 507, diskSpaceBilledGb: 10 },
  ]);
  const ofWorkers = (bucketSize: string) =>
    billing.endpoints(endpointQuery({ bucketSize, grouping: 'podId' })).map((one) => [one.podId, one.timeBilledMs]);
  expect(ofWorkers('day')).toEqual([
    ['w1', 5000],
    ['w2', 2000],
  ]);
  expect(ofWorkers('hour')).toEqual([
    ['w1', 1000],
    ['w2', 2000],
    ['w1', 4000],
  ]);
});

describe('of 80 days of 57 Pods and of 60 workers at a time', () => {
  const DAYS = 80;
  /** A worker runs on two days, so each day has a row of it. */
  const WORKER_DAYS = LONG_USAGE.workers * DAYS;
  const startTime = '2025-12-31T00:00:00Z';

  /** The rows that were read from the usage tables; each has the key of its table. */
  function rowsReadBy(work: () => void): number {
    const statements = statementsOf(work).filter(({ sql }) => !sql.includes('FROM usage_series'));
    for (const { sql } of statements) {
      expect(planOf(database, sql).at(-1), sql).toMatch(/^SEARCH usage_\w+ USING (PRIMARY KEY|INDEX)/);
    }
    return statements.reduce((sum, { rows }) => sum + rows, 0);
  }

  test('a row for each day is read, or one for each day of a worker, whatever it is grouped by', () => {
    const { billing } = openStore();
    writeLongUsage(database, FIRST_HOUR, DAYS);
    for (const bucketSize of bucketSizes) {
      for (const grouping of ['gpuTypeId', 'podId'] as const) {
        if (grouping === 'podId' && bucketSize === 'hour') continue;
        const rows = rowsReadBy(() => {
          const records = billing.pods(podQuery({ grouping, bucketSize, startTime }));
          expect(records.reduce((all, { amount }) => all + amount, 0)).toBeCloseTo(
            LONG_USAGE.pods * DAYS * 24 * LONG_USAGE.amount,
            3,
          );
        });
        expect(rows, `Pods, ${grouping} by ${bucketSize}`).toBe(LONG_USAGE.pods * DAYS);
      }
      if (bucketSize === 'hour') continue;
      const rows = rowsReadBy(() => billing.endpoints(endpointQuery({ grouping: 'podId', bucketSize, startTime })));
      expect(rows, `workers by ${bucketSize}`).toBe(WORKER_DAYS);
    }
  });

  test('more records than may be told are refused with the first record too many', () => {
    const { billing } = openStore();
    writeLongUsage(database, FIRST_HOUR, DAYS);
    const most = limits.billing.records;
    const refusal = `These would be more than ${most} records. Ask for a larger bucketSize, or for less time with startTime and endTime.`;
    const byHour = { grouping: 'podId', bucketSize: 'hour' };
    const rowsOfPods = rowsReadBy(() => expect(() => billing.pods(podQuery(byHour))).toThrow(refusal));
    expect(rowsOfPods).toBeLessThanOrEqual(most / 24 + 1);
    const rowsOfWorkers = rowsReadBy(() => expect(() => billing.endpoints(endpointQuery(byHour))).toThrow(refusal));
    expect(rowsOfWorkers).toBeLessThanOrEqual(most + 1);
  });
});
