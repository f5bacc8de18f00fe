import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createFakeClock, silentLogger } from '../../../../test/support/core/fakes.ts';
import { createFakeUsageStore, seriesOf, total } from '../../../../test/support/billing/fakeUsage.ts';
import { HOUR_MS } from './usage.ts';
import { createUsageMeter, type UsageObserver, type Use } from './meter.ts';

const { beatMs } = limits.billing;
/** Half past midnight. */
const HALF_PAST = Date.UTC(2026, 0, 5, 0, 30);

function metered(startAt = HALF_PAST, observe?: UsageObserver) {
  const clock = createFakeClock(startAt);
  const store = createFakeUsageStore();
  const price = { now: 3.6 };
  const meter = createUsageMeter(clock, store, silentLogger, observe);
  const use = (id: string, over: Partial<Use> = {}): Use => ({
    series: seriesOf('endpoint', id),
    workerId: id,
    gb: 0,
    diskOnly: false,
    perHour: () => price.now,
    ...over,
  });
  /** Advances the time, with a commit at each beat. */
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= beatMs) {
      clock.advance(Math.min(left, beatMs));
      store.commit();
    }
  };
  return { clock, store, meter, use, pass, price };
}

describe('what is used', () => {
  it('has the price of its time, which a change of prices replaces at once', () => {
    const { meter, use, price } = metered();
    expect(meter.priceOf('a')).toBeNull();
    meter.begin('a', use('a'));
    expect(meter.priceOf('a')).toBe(3.6);
    meter.begin('p', use('p', { series: seriesOf('pod', 'p') }));
    expect(meter.workersPerHour()).toBe(3.6);
    price.now = 7.2;
    meter.pricesChanged();
    expect(meter.priceOf('a')).toBe(7.2);
    meter.end('a');
    expect(meter.priceOf('a')).toBeNull();
    expect(meter.workersPerHour()).toBe(0);
  });

  it('is kept by the minute while it is used, and to the millisecond at its end', () => {
    const { store, meter, use, pass } = metered();
    meter.begin('a', use('a'));
    pass(beatMs * 1.5);
    expect(total(store.pieces).ms).toBe(beatMs);
    meter.end('a');
    store.commit();
    expect(total(store.pieces)).toEqual({ ms: beatMs * 1.5, amount: expect.closeTo(0.09) as number });
  });

  it('is told to its observer at each count, undivided, with its price', () => {
    const stretches: unknown[] = [];
    const { clock, meter, use } = metered(HALF_PAST, ({ resourceId }, from, to, amount) => {
      stretches.push([resourceId, from, to, Math.round(amount * 1e6) / 1e6]);
    });
    const at = clock.now();
    meter.begin('a', use('a'));
    clock.advance(1000);
    meter.count();
    clock.advance(2000);
    meter.end('a');
    expect(stretches).toEqual([
      ['a', at, at + 1000, 0.001],
      ['a', at + 1000, at + 3000, 0.002],
    ]);
  });

  it.each([0, beatMs / 4])('is divided at whole hours, where a beat falls %i ms after one', (afterMs) => {
    const { store, meter, use, pass } = metered(HALF_PAST + afterMs);
    meter.begin('a', use('a'));
    pass(HOUR_MS);
    meter.end('a');
    const hours = [0, 1].map((at) => store.pieces.filter(({ hour }) => hour === HALF_PAST / HOUR_MS - 0.5 + at));
    expect(hours.map((pieces) => total(pieces).ms)).toEqual([HOUR_MS / 2 - afterMs, HOUR_MS / 2 + afterMs]);
  });

  it('costs what it cost when it was used, whatever prices become', () => {
    const { store, meter, use, pass, price } = metered();
    meter.begin('a', use('a'));
    pass(HOUR_MS / 2 + 1000);
    price.now = 0;
    meter.pricesChanged();
    pass(HOUR_MS / 2);
    meter.end('a');
    store.commit();
    expect(total(store.pieces).amount).toBeCloseTo(3.6 / 2 + 0.001);
  });

  it('takes no time of a Pod of which only the disk is kept, and costs', () => {
    const { store, meter, use, pass } = metered();
    meter.begin('a', use('a', { gb: 20, diskOnly: true }));
    pass(HOUR_MS);
    expect(total(store.pieces)).toEqual({ ms: 0, amount: expect.closeTo(3.6) as number });
    expect(store.pieces.every(({ gb }) => gb === 20)).toBe(true);
  });

  it('begun anew under the same key takes the place of what was measured before', () => {
    const { store, meter, use, pass } = metered();
    meter.begin('a', use('a'));
    pass(1000);
    meter.begin('a', use('b'));
    pass(2000);
    meter.stop();
    store.commit();
    const of = (id: string) => total(store.pieces.filter(({ series }) => series.resourceId === id)).ms;
    expect([of('a'), of('b')]).toEqual([1000, 2000]);
  });

  it('is not counted for the time in which the machine slept', () => {
    const clock = createFakeClock(HALF_PAST);
    const store = createFakeUsageStore();
    let sleptMs = 0;
    const meter = createUsageMeter({ ...clock, elapsed: () => clock.elapsed() + sleptMs }, store, silentLogger);
    meter.begin('a', metered().use('a'));
    sleptMs = 8 * HOUR_MS;
    meter.end('a');
    store.commit();
    expect(total(store.pieces).ms).toBe(2 * beatMs);
  });

  it('is handed in again after a beat where it could not be stored, also once nothing is measured any more', () => {
    const { clock, store, meter, use } = metered();
    meter.begin('a', use('a'));
    clock.advance(1000);
    meter.end('a');
    clock.advance(beatMs);
    expect(clock.pending()).toBe(0);
    store.commit(new Error('disk full'));
    expect(clock.pending()).toBe(1);
    clock.advance(beatMs - 1);
    store.commit();
    expect(store.pieces).toEqual([]);
    clock.advance(1);
    store.commit();
    expect(total(store.pieces)).toEqual({ ms: 1000, amount: expect.closeTo(0.001) as number });
    clock.advance(beatMs);
    expect(clock.pending()).toBe(0);
  });

  it('is handed in together where it is of one hour and of one thing, with the most disk that it took', () => {
    const { clock, store, meter, use } = metered();
    for (const gb of [10, 30, 20]) {
      meter.begin('a', use('a', { gb }));
      clock.advance(1000);
    }
    meter.end('a');
    store.commit(new Error('disk full'));
    clock.advance(beatMs);
    store.commit();
    expect(store.pieces).toEqual([
      {
        series: seriesOf('endpoint', 'a'),
        workerId: 'a',
        hour: Math.floor(HALF_PAST / HOUR_MS),
        ms: 3000,
        gb: 30,
        amount: expect.closeTo(0.003) as number,
      },
    ]);
  });

  it('is handed in apart where anything by which it is billed differs', () => {
    const { clock, store, meter, use } = metered();
    const series = seriesOf('endpoint', 'a');
    const uses: Partial<Use>[] = [
      {},
      { workerId: 'b' },
      { series: seriesOf('pod', 'a') },
      { series: seriesOf('endpoint', 'b') },
      { series: { ...series, templateId: 't' } },
      { series: { ...series, imageName: 'i' } },
      { series: { ...series, gpuTypeId: 'g' } },
    ];
    for (const [index, one] of uses.entries()) meter.begin(`${index}`, use('a', one));
    clock.advance(beatMs);
    store.commit();
    expect(store.pieces.map(({ series: of, workerId }) => ({ series: of, workerId }))).toEqual(
      uses.map((one) => ({ series: one.series ?? series, workerId: one.workerId ?? 'a' })),
    );
    expect(store.pieces.every(({ ms }) => ms === beatMs)).toBe(true);
    meter.stop();
  });

  it('is handed in when measuring stops, once, and what begins after that is not measured', () => {
    const { clock, store, meter, use, price } = metered();
    meter.begin('a', use('a'));
    clock.advance(1000);
    meter.stop();
    store.commit();
    expect(total(store.pieces).ms).toBe(1000);
    let priceReads = 0;
    meter.begin('b', use('b', { perHour: () => (priceReads++, price.now) }));
    clock.advance(beatMs);
    meter.pricesChanged();
    meter.end('a');
    meter.end('b');
    meter.stop();
    store.commit();
    expect(total(store.pieces).ms).toBe(1000);
    expect({ priceReads, timers: clock.pending() }).toEqual({ priceReads: 0, timers: 0 });
  });

  it('is not handed in where no time has passed', () => {
    const { clock, store, use } = metered();
    let writes = 0;
    const meter = createUsageMeter(clock, { add: (...one) => (writes++, store.add(...one)) }, silentLogger);
    meter.begin('a', use('a'));
    meter.pricesChanged();
    meter.end('a');
    meter.stop();
    expect(writes).toBe(0);
  });

  it('sets no timer where it could not be stored after measuring has stopped', () => {
    const { clock, store, meter, use } = metered();
    meter.begin('a', use('a'));
    clock.advance(1000);
    meter.stop();
    store.commit(new Error('disk full'));
    expect(clock.pending()).toBe(0);
  });

  it('counts the part of a millisecond that has passed with the next', () => {
    const clock = createFakeClock(HALF_PAST);
    const store = createFakeUsageStore();
    let part = 0;
    const meter = createUsageMeter({ ...clock, elapsed: () => clock.elapsed() + part }, store, silentLogger);
    meter.begin('a', metered().use('a'));
    part = 0.6;
    meter.pricesChanged();
    part = 1.2;
    meter.pricesChanged();
    store.commit();
    expect(total(store.pieces).ms).toBe(1);
    meter.stop();
  });

  it('leaves no timer once there is nothing to measure', () => {
    const { clock, store, meter, use, pass } = metered();
    meter.begin('a', use('a'));
    expect(clock.pending()).toBe(1);
    meter.end('a');
    store.commit();
    pass(beatMs);
    expect(clock.pending()).toBe(0);
  });
});

type Step =
  | { do: 'begin' | 'end'; key: number }
  | { do: 'pass' | 'jump'; ms: number }
  | { do: 'commit' | 'fail' | 'prices' };
const key = fc.integer({ min: 0, max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('begin' as const, 'end' as const), key }),
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 3 * beatMs }) }),
  fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -3 * HOUR_MS, max: 3 * HOUR_MS }) }),
  fc.record({ do: fc.constantFrom('commit' as const, 'fail' as const, 'prices' as const) }),
);

describe('whatever happens', () => {
  it('every millisecond is kept once, though the wall clock jumps and commits fail, and a crash loses what one beat measures', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, store, meter, use } = metered();
        const begun = new Set<number>();
        let used = 0;
        for (const one of steps) {
          if (one.do === 'begin') {
            meter.begin(`${one.key}`, use(`${one.key}`));
            begun.add(one.key);
          } else if (one.do === 'end') {
            meter.end(`${one.key}`);
            begun.delete(one.key);
          } else if (one.do === 'pass') {
            clock.advance(one.ms);
            used += one.ms * begun.size;
          } else if (one.do === 'jump') clock.jump(one.ms);
          else if (one.do === 'prices') meter.pricesChanged();
          else store.commit(one.do === 'fail' ? new Error('disk full') : undefined);
        }
        // The engine crashes here: saved usage is committed, the rest is lost.
        store.commit();
        const atCrash = total(store.pieces).ms;
        expect(atCrash).toBeLessThanOrEqual(used);
        // Here the engine continues instead.
        clock.advance(beatMs);
        used += beatMs * begun.size;
        store.commit();
        const atBeat = total(store.pieces).ms;
        expect(used - atBeat).toBeLessThanOrEqual(beatMs * begun.size);
        meter.stop();
        store.commit();
        const { ms, amount } = total(store.pieces);
        expect(ms).toBe(used);
        expect(amount).toBeCloseTo((used * 3.6) / HOUR_MS, 6);
        expect(store.pieces.every((piece) => piece.ms > 0)).toBe(true);
      }),
    );
  });
});
