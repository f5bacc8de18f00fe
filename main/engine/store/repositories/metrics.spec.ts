/**
 * The metrics of endpoints: counted by a clock that the test moves, stored in a real SQLite file, and answered from
 * there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { metricPeriods } from '#contract/local/metrics.ts';
import { createFakeClock, silentLogger, type FakeClock } from '../../../../test/support/core/fakes.ts';
import { createMetricsRecorder, type MetricsRecorder } from '../../domain/metrics/recorder.ts';
import { createMetricsReport, type MetricsReport } from '../../domain/metrics/report.ts';
import { HOUR_MS, MINUTE_MS, type MetricsStore } from '../../domain/metrics/ports.ts';
import { BUCKETS, newHistogram } from '#contract/core/histogram.ts';
import { openDatabase } from '../sqlite/database.ts';
import { createGroupCommit, type GroupCommit } from '../sqlite/groupCommit.ts';
import { packHistogram, unpackHistogram } from '../sqlite/histogramCodec.ts';
import { createMetricsStore } from './metrics.ts';

const { beatMs } = limits.metrics;
/** Ten minutes past an hour that is a multiple of 8. */
const START = Date.UTC(2026, 0, 5, 8, 10);

let dir: string;
let database: DatabaseSync;
let clock: FakeClock;
let commits: GroupCommit;
let recorder: MetricsRecorder;
let metrics: MetricsReport;
let endpointIds: string[];
/** What every commit fails with, while it is set. */
let failure: Error | null;

/** An engine that starts on the file. */
function start(): void {
  commits = createGroupCommit(database, silentLogger);
  const stored = createMetricsStore(database, commits);
  const store: MetricsStore = {
    ...stored,
    add(pieces, settled) {
      if (failure) settled(failure);
      else stored.add(pieces, settled);
    },
  };
  recorder = createMetricsRecorder({ clock, store, logger: silentLogger, endpointIds: () => endpointIds });
  metrics = createMetricsReport({ clock, store, recorder, countCosts: () => undefined });
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-metrics-'));
  database = openDatabase(dir);
  clock = createFakeClock(START);
  endpointIds = ['a', 'b'];
  failure = null;
  start();
});
afterEach(() => {
  recorder.stop();
  commits.flush();
  database.close();
  rmSync(dir, { recursive: true });
});

/** Advances the time, with a commit at each beat. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= beatMs) {
    clock.advance(Math.min(left, beatMs));
    commits.flush();
  }
}

const worker = { workerId: 'w', endpointId: 'a', jobIds: [], reason: null, about: [], at: 0 };
const begin = (workerId: string): void => recorder.workers.changed({ ...worker, workerId, state: 'idle' });
const end = (workerId: string): void =>
  recorder.workers.ended({ workerId, endpointId: 'a', at: 0, reason: '', unhealthy: false });
const rows = (): number => Number(database.prepare('SELECT count(*) AS rows FROM endpoint_metrics').get()?.['rows']);

describe('the jobs of an endpoint', () => {
  test('are counted by their ends, with delay and run time, before and after they are stored', () => {
    recorder.jobs.accepted('a');
    recorder.jobs.accepted('a');
    recorder.jobs.ended('a', 'COMPLETED', 5, 900);
    recorder.jobs.ended('a', 'FAILED', 7, 2000);
    recorder.jobs.ended('a', 'CANCELLED', null, null);
    recorder.jobs.ended('a', 'TIMED_OUT', 6, 30_000);
    const counted = metrics.of('a', '1h').total;
    expect(counted).toMatchObject({ accepted: 2, completed: 1, failed: 1, cancelled: 1, timedOut: 1 });
    expect(counted.delay?.p50).toBeCloseTo(6, 0);
    expect(counted.execution?.p95).toBeGreaterThan(29_000);
    clock.advance(beatMs);
    // The commit is under way.
    expect(metrics.of('a', '1h').total).toEqual(counted);
    commits.flush();
    expect(metrics.of('a', '1h').total).toEqual(counted);
    expect(metrics.of('b', '1h').total).toMatchObject({ accepted: 0, delay: null, execution: null });
  });

  test('are in the parts of the period in which they ended', () => {
    recorder.jobs.ended('a', 'COMPLETED', 1, 1);
    pass(20 * MINUTE_MS);
    recorder.jobs.ended('a', 'FAILED', 1, 1);
    const { points, stepMs, from, to } = metrics.of('a', '24h');
    expect([stepMs, points.length]).toEqual([15 * MINUTE_MS, 96]);
    expect(points.at(-3)).toMatchObject({ completed: 1, failed: 0 });
    expect(points.at(-1)).toMatchObject({ completed: 0, failed: 1, at: '2026-01-05T08:30:00.000Z' });
    expect([points[0]?.at, to]).toEqual([from, '2026-01-05T08:30:00.000Z']);
  });

  test('survive a restart of the engine', () => {
    recorder.jobs.ended('a', 'COMPLETED', 1, 1);
    recorder.stop();
    commits.flush();
    start();
    recorder.jobs.ended('a', 'COMPLETED', 1, 1);
    expect(metrics.of('a', '1h').points.at(-1)).toMatchObject({ completed: 2 });
    pass(beatMs);
    expect(metrics.of('a', '1h').points.at(-1)).toMatchObject({ completed: 2 });
  });

  test('are stored once there is space again, and the newest hour stays in memory until then', () => {
    failure = new Error('the disk is full');
    recorder.jobs.ended('a', 'FAILED', 1, 1);
    pass(MINUTE_MS);
    for (let minute = 0; minute < limits.metrics.unstoredMinutes; minute += 1) {
      recorder.jobs.ended('a', 'COMPLETED', 1, 1);
      pass(MINUTE_MS);
    }
    const { total } = metrics.of('a', '24h');
    expect(total).toMatchObject({ completed: limits.metrics.unstoredMinutes, failed: 0 });
    expect(rows()).toBe(0);
    failure = null;
    pass(beatMs);
    expect(rows()).toBeGreaterThan(0);
    expect(metrics.of('a', '24h').total).toEqual(total);
  });

  test('add up to the same sums for one endpoint and for all, in every period', () => {
    const event = fc.record({
      waitMs: fc.integer({ min: 0, max: HOUR_MS }),
      ran: fc.integer({ min: 0, max: 1e6 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        begin('one');
        for (const { waitMs, ran } of events) {
          clock.advance(waitMs);
          commits.flush();
          recorder.jobs.ended('a', 'COMPLETED', 0, ran);
        }
        for (const period of metricPeriods) {
          const { total, points } = metrics.of('a', period);
          expect(metrics.totals(['a'], period)).toEqual([{ endpointId: 'a', total }]);
          expect(points.reduce((sum, { completed }) => sum + completed, 0)).toBe(total.completed);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('the workers of an endpoint', () => {
  test('are the mean over the time, and the most at once', () => {
    begin('one');
    pass(30_000);
    begin('two');
    begin('two');
    pass(30_000);
    end('one');
    end('two');
    pass(MINUTE_MS);
    const { points, total } = metrics.of('a', '1h');
    expect(points.at(-3)?.workers).toEqual({ mean: 1.5, most: 2 });
    expect(points.at(-2)?.workers).toEqual({ mean: 0, most: 0 });
    expect(total.workers.most).toBe(2);
  });

  test('count while they stay as they are, and not while the machine sleeps', () => {
    begin('one');
    pass(10 * MINUTE_MS);
    expect(metrics.of('a', '1h').points.at(-5)?.workers).toEqual({ mean: 1, most: 1 });
    clock.jump(HOUR_MS);
    expect(metrics.of('a', '1h').points.at(-30)?.workers).toEqual({ mean: 0, most: 0 });
  });

  test('do not count while they are prepared', () => {
    recorder.workers.changed({ ...worker, state: 'preparing' });
    end('w');
    pass(MINUTE_MS);
    expect(metrics.of('a', '1h').total.workers).toEqual({ mean: 0, most: 0 });
    expect(rows()).toBe(0);
  });

  test('cost what was counted, divided among the minutes', () => {
    const now = clock.now();
    recorder.costed('a', now - 3 * MINUTE_MS, now, 0.3);
    const { points, total } = metrics.of('a', '1h');
    expect(total.cost).toBeCloseTo(0.3);
    expect(points.slice(-4).map(({ cost }) => cost)).toEqual(
      [0.1, 0.1, 0.1, 0].map((cost) => expect.closeTo(cost) as number),
    );
  });
});

describe('what is stored', () => {
  test('goes with its endpoint', () => {
    recorder.jobs.ended('a', 'COMPLETED', 1, 1);
    recorder.jobs.ended('b', 'COMPLETED', 1, 1);
    pass(beatMs);
    endpointIds = ['b'];
    recorder.forget('a');
    // A job that ends late is not counted any more.
    recorder.jobs.ended('a', 'CANCELLED', null, null);
    pass(beatMs);
    expect(database.prepare('SELECT DISTINCT endpoint FROM endpoint_metrics').all()).toEqual([{ endpoint: 'b' }]);
  });

  test('thins with its age: minutes for a day, hours for a month, and nothing of endpoints that are gone', () => {
    recorder.jobs.ended('a', 'COMPLETED', 1, 1);
    recorder.jobs.ended('b', 'COMPLETED', 1, 1);
    pass(beatMs);
    expect(rows()).toBe(4);
    endpointIds = ['a'];
    clock.advance(26 * HOUR_MS);
    recorder.jobs.accepted('a');
    pass(beatMs);
    const units = database.prepare('SELECT endpoint, unit FROM endpoint_metrics ORDER BY unit').all();
    expect(units).toEqual([0, 1, 1].map((unit) => ({ endpoint: 'a', unit })));
    expect(metrics.of('a', '7d').total).toMatchObject({ completed: 1, accepted: 1 });
    clock.advance(32 * 24 * HOUR_MS);
    recorder.jobs.accepted('a');
    pass(beatMs);
    expect(rows()).toBe(2);
  });

  test('is nothing, and has no timer, where nothing happens', () => {
    const timers = clock.pending();
    recorder.jobs.accepted('a');
    expect(clock.pending()).toBe(timers + 1);
    pass(2 * beatMs);
    expect(clock.pending()).toBe(timers);
  });

  test('has histograms that come back as they were', () => {
    const bucket = fc.integer({ min: 0, max: BUCKETS - 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(bucket, fc.integer({ min: 1, max: 2 ** 32 - 1 }))), (counts) => {
        const histogram = newHistogram();
        for (const [index, count] of counts) histogram[index] = count;
        expect(unpackHistogram(packHistogram(histogram))).toEqual(histogram);
      }),
    );
    expect(unpackHistogram(new Uint8Array(64).fill(255))).toEqual(newHistogram());
  });
});
