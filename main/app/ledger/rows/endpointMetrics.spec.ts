/** What the ledger knows of an endpoint over time. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { statementsOf } from '../../../../test/support/disk/statements.ts';
import {
  openLedgerTables,
  openSpecLedger,
  turnsDuring,
  type LedgerTables,
  type SpecLedger,
} from '../../../../test/support/ledger/specLedger.ts';
import type { Ledger } from '../ledger.ts';
import type { EntryPatch, NewEntry, SeenMetrics } from '../port.ts';
import { createEndpointMetrics } from './endpointMetrics.ts';

const MINUTE_MS = 60_000;
const FROM = Date.UTC(2026, 10, 26, 12);
const parts = { from: FROM, stepMs: 10 * MINUTE_MS, points: 6 };
const place = { accountId: 'a', endpointId: 'e' };

describe('the metrics of an endpoint from the ledger', () => {
  let ledger: Ledger;
  let jobs: SpecLedger;
  beforeEach(() => {
    jobs = openSpecLedger();
    ledger = jobs.ledger;
  });
  afterEach(() => ledger.stop());

  /** `sent`: minutes after FROM. */
  const add = (sent: number, patch: EntryPatch, more: Partial<NewEntry> = {}): string =>
    jobs.add({ ...place, endpointName: 'E', sentAt: FROM + sent * MINUTE_MS, ...more }, patch);
  const at = (minutes: number): number => FROM + minutes * MINUTE_MS;
  const done = (ended: number, delayTime: number, executionTime: number): EntryPatch => ({
    status: 'COMPLETED',
    finishedAt: at(ended),
    delayTime,
    executionTime,
  });

  it('count each job where it was sent and where it ended, with its wait and its run time', async () => {
    add(1, done(12, 2000, 100));
    add(2, done(13, 4000, 300));
    add(3, { ...done(13, 1, 7), status: 'FAILED' });
    add(4, { status: 'IN_PROGRESS' });
    const { total, points, jobs, unaccepted } = await ledger.endpointMetrics(place, parts);
    expect([jobs, unaccepted]).toEqual([4, 0]);
    expect(total).toMatchObject({ accepted: 4, completed: 2, failed: 1, executionMs: 407, workers: null, cost: null });
    expect(points).toHaveLength(6);
    expect(points[0]).toMatchObject({ accepted: 4, completed: 0, delay: null, execution: null });
    expect(points[1]).toMatchObject({ accepted: 0, completed: 2, failed: 1, executionMs: 407 });
    for (const [answer, wanted] of [
      [points[1]?.delay?.p50, 2000],
      [points[1]?.delay?.p95, 4000],
      [points[1]?.execution?.p50, 100],
      [points[1]?.execution?.p95, 300],
    ] as const) {
      expect(Math.abs((answer ?? NaN) - wanted) / wanted).toBeLessThanOrEqual(0.03);
    }
  });

  it('leave out the jobs of other endpoints and of the time before, and have those that ended in it', async () => {
    add(1, done(2, 0, 1), { endpointId: 'other' });
    add(1, done(2, 0, 1), { accountId: 'other' });
    add(-60, done(-1, 0, 1));
    add(-60, done(2, 0, 1));
    const { total, jobs } = await ledger.endpointMetrics(place, parts);
    expect([jobs, total.accepted, total.completed]).toEqual([1, 0, 1]);
  });

  it('have no wait of a job that no worker had, and no run time of a cancelled one', async () => {
    add(1, { status: 'TIMED_OUT', finishedAt: at(2), delayTime: 9000 });
    add(1, { status: 'CANCELLED', finishedAt: at(2), delayTime: 9000 });
    expect((await ledger.endpointMetrics(place, parts)).total.delay).toBeNull();
    add(1, { status: 'CANCELLED', finishedAt: at(2), delayTime: 9000, executionTime: 10 });
    const { total } = await ledger.endpointMetrics(place, parts);
    expect(total).toMatchObject({ timedOut: 1, cancelled: 2, execution: null, executionMs: 0 });
    expect(total.delay).not.toBeNull();
  });

  it('do not count what a service did not take, and have no end of a job that it has forgotten', async () => {
    add(1, { status: 'REFUSED', finishedAt: at(1) });
    add(1, { status: 'UNANSWERED', finishedAt: at(1) });
    add(-1, { status: 'REFUSED', finishedAt: at(1) });
    add(1, { status: 'GONE', finishedAt: at(2) });
    const { total, jobs, unaccepted } = await ledger.endpointMetrics(place, parts);
    expect([jobs, unaccepted]).toEqual([1, 2]);
    expect(total).toMatchObject({ accepted: 1, completed: 0, failed: 0, cancelled: 0, timedOut: 0 });
  });

  it('count the failed attempt of a job that was retried, and its last end', async () => {
    const entryId = add(1, { ...done(2, 5, 50), status: 'FAILED' });
    ledger.retried(entryId, at(15));
    ledger.update(entryId, done(21, 5, 70));
    const { total, points, jobs } = await ledger.endpointMetrics(place, parts);
    expect([jobs, total.accepted, total.failed, total.completed, total.executionMs]).toEqual([1, 1, 1, 1, 120]);
    expect([points[0]?.failed, points[2]?.completed]).toEqual([1, 1]);
  });

  it('have what has changed since, also of a slice that was too old before', async () => {
    const entryId = add(-60, { status: 'IN_QUEUE' });
    expect((await ledger.endpointMetrics(place, parts)).jobs).toBe(0);
    ledger.update(entryId, done(5, 1, 1));
    expect((await ledger.endpointMetrics(place, parts)).total.completed).toBe(1);
    ledger.forget([entryId]);
    expect((await ledger.endpointMetrics(place, parts)).total.completed).toBe(0);
  });
});

describe('of a ledger of 100 000 jobs of one endpoint', () => {
  const JOBS = 100_000;
  let db: LedgerTables['db'];
  let sql: LedgerTables['sql'];
  beforeAll(() => {
    // One is sent each second, and ends half a second later.
    ({ db, sql } = openLedgerTables(
      JOBS,
      'status, sent_at, finished_at, delay_time, execution_time',
      "'COMPLETED', i * 1000, i * 1000 + 500, 100, 400",
    ));
  });
  afterAll(() => db.close());
  const all = { from: 0, stepMs: 10_000_000, points: 11 };
  const late = { from: (JOBS - 500) * 1000, stepMs: 100_000, points: 6 };

  it('a count lets other work run in between, and ends with the signal', async () => {
    let now = 0;
    const metrics = createEndpointMetrics(sql, () => (now += 20));
    const turns = await turnsDuring(async () => {
      const { jobs, points } = await metrics.read(place, all);
      expect([jobs, points[0]?.completed]).toEqual([JOBS, 9999]);
    });
    expect(turns).toBeGreaterThanOrEqual(Math.floor(JOBS / 1024));
    expect((await metrics.read(place, all, AbortSignal.abort())).jobs).toBeLessThan(JOBS);
  });

  it('a short period does not read the old jobs again', async () => {
    const metrics = createEndpointMetrics(sql, () => 0);
    expect((await metrics.read(place, late)).jobs).toBe(501);
    const again: Promise<SeenMetrics>[] = [];
    const statements = statementsOf(() => again.push(metrics.read(place, late)));
    expect((await again[0])?.jobs).toBe(501);
    // The blocks, and the jobs and attempts of one or two slices.
    expect(statements.length).toBeLessThanOrEqual(5);
    metrics.changed(5);
    expect(statementsOf(() => void metrics.read(place, late)).length).toBeGreaterThan(statements.length);
  });
});
