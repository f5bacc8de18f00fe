/** What the app keeps of the prices that it sees, and when it looks. */
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import { lenientGpuTypeSchema } from '#contract/api/lenient.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createPriceWatch, type PriceWatch } from './priceWatch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const logger = pino({ level: 'silent' });
const account = (fields: Partial<Account> = {}): Account =>
  ({ id: 'work', kind: 'cloud', state: 'ok', ...fields }) as Account;

describe('the prices of GPU types', () => {
  let clock: FakeClock;
  let ledger: Ledger;
  let watch: PriceWatch;
  let price: number | null;
  let reads: string[];
  let accounts: Account[];
  let isAway: boolean;

  beforeEach(() => {
    [clock, price, reads, accounts, isAway] = [createFakeClock(), 0.43, [], [account()], false];
    ledger = createLedger(':memory:', logger, '1.2.3');
    watch = createPriceWatch({
      directory: { list: () => accounts, compute: (accountId) => ({ pods: { gpuTypes: () => gpuTypes(accountId) } }) },
      ledger,
      clock,
      logger,
    });
  });

  function gpuTypes(accountId: string) {
    reads.push(accountId);
    if (isAway) return Promise.reject(new Error('away'));
    const lowestPrice = {
      uninterruptablePrice: price,
      minimumBidPrice: price === null ? null : price / 2,
      stockStatus: price === null ? null : 'High',
    };
    const gpu = { id: 'L4', lowestPrice };
    return Promise.resolve([gpu, { ...gpu, id: 'CPU' }].map((type) => lenientGpuTypeSchema.parse(type)));
  }

  /** Passes so much time, with the reads that fall due. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= MINUTE_MS) {
      clock.advance(Math.min(left, MINUTE_MS));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const spans = () => ledger.prices.spans('work', 0);
  const pricesOf = async (period: 'day' | 'week' = 'day') => {
    const { types } = await watch.history('work', period, 'L4');
    return types.flatMap(({ points }) => points.map((point) => point && point.onDemand));
  };

  it('are read by the clock, a row for each change, without those of processors', async () => {
    watch.start();
    await pass(2 * HOUR_MS);
    expect(spans()).toEqual([
      {
        gpuTypeId: 'L4',
        since: expect.any(Number),
        seenAt: expect.any(Number),
        onDemand: 0.43,
        spot: 0.215,
        stock: 'High',
      },
    ]);
    price = 0.39;
    await pass(HOUR_MS);
    price = null;
    await pass(HOUR_MS);
    expect(spans().map(({ onDemand, stock }) => [onDemand, stock])).toEqual([
      [0.43, 'High'],
      [0.39, 'High'],
      [null, 'None'],
    ]);
    const [first, second] = spans();
    expect(first?.seenAt).toBe(second?.since);
    expect(reads.length).toBeLessThan(20);
  });

  it('are unknown for the time in which nobody looked, also if they are the same afterwards', async () => {
    watch.start();
    await pass(HOUR_MS);
    isAway = true;
    await pass(5 * HOUR_MS);
    isAway = false;
    await pass(HOUR_MS);
    expect(spans().map(({ onDemand }) => onDemand)).toEqual([0.43, 0.43]);
    const points = await pricesOf();
    expect(points.filter((point) => point !== null).length).toBeLessThan(12);
    expect(points.at(-1)).toBe(0.43);
  });

  it('are read as soon as a person looks, and not again at once', async () => {
    expect((await watch.history('work', 'day')).since).toBe(clock.now());
    await watch.history('work', 'week');
    expect(reads).toEqual(['work']);
    await pass(10 * MINUTE_MS);
    await watch.history('work', 'week');
    expect(reads).toHaveLength(2);
  });

  it('begin with the first read: before it there is nothing', async () => {
    isAway = true;
    expect(await watch.history('work', 'day')).toMatchObject({ since: null, types: [] });
  });

  it('are not asked of an account that does not work, and have no spot price on an engine of Hangar', async () => {
    accounts = [account({ state: 'refused' }), account({ id: 'box', kind: 'engine' })];
    watch.start();
    await pass(HOUR_MS);
    expect(new Set(reads)).toEqual(new Set(['box']));
    expect(ledger.prices.spans('box', 0)).toMatchObject([{ onDemand: 0.43, spot: null }]);
  });

  it('are not asked of an account that nothing has used since the start, unless it has an alert or a person looks', async () => {
    accounts = [account({ state: 'unknown' })];
    watch.start();
    await pass(HOUR_MS);
    expect(reads).toEqual([]);
    await watch.history('work', 'day');
    expect(reads).toEqual(['work']);
    watch.alerts.add({ accountId: 'work', gpuTypeId: 'L4', gpuName: 'L4', below: 0.1 });
    await pass(10 * MINUTE_MS);
    expect(reads.length).toBeGreaterThan(1);
  });

  it('are removed after 90 days, and with their account', async () => {
    watch.start();
    await pass(HOUR_MS);
    isAway = true;
    clock.jump(91 * 24 * HOUR_MS);
    await pass(HOUR_MS);
    expect(spans()).toEqual([]);
    isAway = false;
    await pass(HOUR_MS);
    await watch.leave('work');
    expect(spans()).toEqual([]);
  });

  it('are read every five minutes for an alert, at once for a new one, and checked against it', async () => {
    watch.start();
    watch.alerts.add({ accountId: 'work', gpuTypeId: 'L4', gpuName: 'L4', below: 0.4 });
    await watch.checkNow('work');
    expect(watch.alerts.list()).toMatchObject([{ metAt: null, price: 0.43, checkedAt: clock.now() }]);
    await pass(HOUR_MS);
    expect(reads.length).toBeGreaterThanOrEqual(12);
    price = 0.39;
    await pass(6 * MINUTE_MS);
    expect(watch.alerts.list()).toMatchObject([{ metAt: expect.any(Number), price: 0.39 }]);
    await watch.leave('work');
    expect(watch.alerts.list()).toEqual([]);
  });

  it('are not read after the end of the app', async () => {
    watch.start();
    watch.stop();
    await pass(HOUR_MS);
    expect([reads, clock.pending()]).toEqual([[], 0]);
  });
});
