/** The number of workers of an endpoint. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Demand } from './demand.ts';
import { startDelayMs, targetWorkers, type ScalingSettings } from './scaling.ts';

const none: Demand = { queued: 0, oldestWaitMs: 0, inProgress: 0, lowInProgress: 0 };
const delay: ScalingSettings = { workersMin: 0, workersMax: 3, scalerType: 'QUEUE_DELAY', scalerValue: 4 };
const count: ScalingSettings = { ...delay, scalerType: 'REQUEST_COUNT' };

test.each<[string, Partial<Demand>, number, Partial<ScalingSettings>, number]>([
  ['no work, no minimum: none', {}, 0, {}, 0],
  ['the first job calls for the first worker at once', { queued: 1 }, 0, {}, 1],
  ['so do many', { queued: 50 }, 0, {}, 1],
  ['a job that has not waited long calls for no second one', { queued: 9, oldestWaitMs: 3999 }, 1, {}, 1],
  ['a job that has waited scalerValue seconds calls for one more', { queued: 9, oldestWaitMs: 4000 }, 1, {}, 2],
  ['and after as long again for another', { queued: 9, oldestWaitMs: 8000 }, 1, {}, 3],
  ['there are no more than there is work for', { queued: 1, oldestWaitMs: 60_000 }, 1, {}, 2],
  ['one that still starts has its job waiting', { queued: 1, oldestWaitMs: 60_000 }, 0, {}, 1],
  ['running jobs keep theirs', { inProgress: 2 }, 2, {}, 2],
  ['jobs of low priority call for nobody', { lowInProgress: 9 }, 1, {}, 1],
  ['never more than workersMax', { queued: 50, oldestWaitMs: 600_000 }, 2, {}, 3],
  ['never fewer than workersMin', {}, 0, { workersMin: 2 }, 2],
  ['workersMax 0 stops all', { queued: 9 }, 0, { workersMax: 0 }, 0],
])('by QUEUE_DELAY: %s', (_rule, demand, busy, settings, workers) => {
  expect(targetWorkers({ ...none, ...demand }, busy, { ...delay, ...settings })).toMatchObject({ workers });
});

test.each<[string, Partial<Demand>, Partial<ScalingSettings>, number]>([
  ['no work: none', {}, {}, 0],
  ['one for the first', { queued: 1 }, {}, 1],
  ['one for as many as scalerValue', { queued: 3, inProgress: 1 }, {}, 1],
  ['another for the next', { queued: 4, inProgress: 1 }, {}, 2],
  ['jobs of low priority call for nobody, however many a worker has', { lowInProgress: 9 }, {}, 0],
  ['beside work that waits they count, for no more workers than have them', { queued: 1, lowInProgress: 90 }, {}, 2],
  ['never more than workersMax', { queued: 400 }, {}, 3],
  ['never fewer than workersMin', { queued: 1 }, { workersMin: 2 }, 2],
])('by REQUEST_COUNT: %s', (_rule, demand, settings, workers) => {
  expect(targetWorkers({ ...none, ...demand }, 1, { ...count, ...settings })).toMatchObject({ workers });
});

const settings = fc
  .record({
    workersMin: fc.nat(8),
    more: fc.nat(8),
    scalerType: fc.constantFrom('QUEUE_DELAY' as const, 'REQUEST_COUNT' as const),
    scalerValue: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ more, ...rest }): ScalingSettings => ({ ...rest, workersMax: rest.workersMin + more }));
const demands = fc.record({
  queued: fc.nat(30),
  oldestWaitMs: fc.nat(100_000),
  inProgress: fc.nat(30),
  lowInProgress: fc.nat(30),
});

test('whatever the state, there are from workersMin to workersMax, and those that are kept are among them', () => {
  fc.assert(
    fc.property(demands, fc.nat(16), settings, (demand, busy, set) => {
      const { workers, keep } = targetWorkers(demand, busy, set);
      expect(workers).toBeGreaterThanOrEqual(set.workersMin);
      expect(workers).toBeLessThanOrEqual(set.workersMax);
      expect(keep).toBeGreaterThanOrEqual(set.workersMin);
      expect(keep).toBeLessThanOrEqual(workers);
    }),
  );
});

test('more work, or a longer wait, never calls for fewer workers', () => {
  fc.assert(
    fc.property(demands, demands, fc.nat(16), settings, (demand, extra, busy, set) => {
      const more = {
        queued: demand.queued + extra.queued,
        oldestWaitMs: demand.oldestWaitMs + extra.oldestWaitMs,
        inProgress: demand.inProgress + extra.inProgress,
        lowInProgress: demand.lowInProgress + extra.lowInProgress,
      };
      expect(targetWorkers(more, busy, set).workers).toBeGreaterThanOrEqual(targetWorkers(demand, busy, set).workers);
    }),
  );
});

test('work of low priority never calls for a worker: alone for none, beside other work for no more than are at work', () => {
  fc.assert(
    fc.property(demands, fc.nat(16), settings, (demand, busy, set) => {
      const { workers } = targetWorkers(demand, busy, set);
      const without = targetWorkers({ ...demand, lowInProgress: 0 }, busy, set).workers;
      expect(workers).toBeLessThanOrEqual(demand.queued === 0 ? without : without + busy);
    }),
  );
});

test('the moment that is told is the first at which waiting alone calls for more', () => {
  fc.assert(
    fc.property(demands, fc.nat(16), settings, (demand, busy, set) => {
      const now = targetWorkers(demand, busy, set);
      const after = (ms: number): number =>
        targetWorkers({ ...demand, oldestWaitMs: demand.oldestWaitMs + ms }, busy, set).workers;
      if (now.moreInMs === null) {
        if (demand.queued > 0) expect(after(10_000_000)).toBe(now.workers);
        return;
      }
      expect(demand.queued).toBeGreaterThan(0);
      expect(now.moreInMs).toBeGreaterThan(0);
      expect(after(now.moreInMs - 1)).toBe(now.workers);
      // The demand may still be below workersMin then.
      expect(after(now.moreInMs)).toBeLessThanOrEqual(now.workers + 1);
      if (now.workers > set.workersMin) expect(after(now.moreInMs)).toBe(now.workers + 1);
    }),
  );
});

test('a worker that keeps dying is started again ever later, up to 30 s', () => {
  expect(startDelayMs(0)).toBe(0);
  fc.assert(
    fc.property(fc.nat(1_000_000), (failures) => {
      expect(startDelayMs(failures + 1)).toBeGreaterThanOrEqual(startDelayMs(failures));
      expect(startDelayMs(failures + 1)).toBeGreaterThanOrEqual(1000);
      expect(startDelayMs(failures + 1)).toBeLessThanOrEqual(30_000);
    }),
  );
});
