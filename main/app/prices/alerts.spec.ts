/** When an alert about a GPU holds. */
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SeenPrice } from '#contract/app/price.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createPriceAlerts, type PriceAlerts } from './alerts.ts';

describe('an alert about a GPU', () => {
  let clock: FakeClock;
  let alerts: PriceAlerts;
  const wanted = { accountId: 'work', gpuTypeId: 'L4', gpuName: 'L4' };
  const see = (onDemand: number | null, stock: SeenPrice['stock'] = 'High'): void => {
    clock.advance(1000);
    alerts.check('work', new Map([['L4', { onDemand, spot: null, stock }]]));
  };
  const metAt = () => alerts.list()[0]?.metAt;

  beforeEach(() => {
    clock = createFakeClock();
    const ledger = createLedger(':memory:', pino({ level: 'silent' }), '1.2.3');
    alerts = createPriceAlerts(ledger.priceAlerts, clock);
  });

  it('about a price holds from the first moment at which it costs at most so much, until it costs more', () => {
    alerts.add({ ...wanted, below: 0.4 });
    expect(metAt()).toBeNull();
    see(0.41);
    expect(metAt()).toBeNull();
    see(0.4);
    const since = clock.now();
    expect(metAt()).toBe(since);
    see(0.3);
    expect(alerts.list()).toMatchObject([{ metAt: since, price: 0.3, checkedAt: clock.now() }]);
    see(null, 'None');
    expect(metAt()).toBeNull();
  });

  it('about a price does not hold for hardware without a price', () => {
    alerts.add({ ...wanted, below: 0.4 });
    see(0);
    expect(metAt()).toBeNull();
    see(0.3);
    expect(metAt()).toBe(clock.now());
  });

  it('about stock holds while there is some', () => {
    alerts.add({ ...wanted, below: null });
    see(null, 'None');
    expect(metAt()).toBeNull();
    see(0.4, 'Low');
    expect(metAt()).toBe(clock.now());
    see(null, null);
    expect(metAt()).toBeNull();
    see(0.4, null);
    expect(metAt()).toBe(clock.now());
  });

  it('is about one account and one type', () => {
    alerts.add({ ...wanted, below: 1 });
    alerts.check('other', new Map([['L4', { onDemand: 0.1, spot: null, stock: 'High' }]]));
    alerts.check('work', new Map([['A40', { onDemand: 0.1, spot: null, stock: 'High' }]]));
    expect(metAt()).toBeNull();
    expect([alerts.has('work'), alerts.has('other')]).toEqual([true, false]);
  });

  it('is checked anew after it was changed, and gone after it was removed, as with its account', () => {
    const { alertId } = alerts.add({ ...wanted, below: 1 });
    see(0.5);
    expect(alerts.change(alertId, 0.4)).toMatchObject({ below: 0.4, metAt: null });
    see(0.5);
    expect(metAt()).toBeNull();
    alerts.remove(alertId);
    expect(alerts.list()).toEqual([]);
    expect(() => alerts.change(alertId, 1)).toThrow('There is no such alert');
    alerts.add({ ...wanted, below: 1 });
    alerts.leave('work');
    expect(alerts.list()).toEqual([]);
  });

  it('tells its listeners of each change', () => {
    let changes = 0;
    const stop = alerts.onChange(() => (changes += 1));
    const { alertId } = alerts.add({ ...wanted, below: 1 });
    see(0.5);
    alerts.remove(alertId);
    see(0.4);
    stop();
    alerts.add({ ...wanted, below: 1 });
    expect(changes).toBe(3);
  });

  it('is one of at most 100', () => {
    for (let count = 0; count < 100; count += 1) alerts.add({ ...wanted, below: 1 });
    expect(() => alerts.add({ ...wanted, below: 1 })).toThrow('There are 100 alerts already');
  });
});
