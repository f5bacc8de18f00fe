/**
 * Reads the prices and the stock of GPU types of every account from time to time, and keeps what it sees. Accounts that
 * do not work are not asked, nor those that nothing has used since the start, unless they have an alert.
 */
import { pricePeriods, priceReads, type PriceHistory, type PricePeriod, type SeenPrice } from '#contract/app/price.ts';
import type { Account } from '#contract/app/account.ts';
import { isProcessor } from '#contract/api/gpuType.ts';
import type { LenientGpuType } from '#contract/api/lenient.ts';
import { messageOf } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import type { PriceAlertRows } from '../ledger/rows/priceAlerts.ts';
import type { PriceRows } from '../ledger/rows/prices.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import { createPriceAlerts, type PriceAlerts } from './alerts.ts';
import { firstPoint, pointsOf } from './points.ts';

export interface PriceWatchOptions {
  directory: {
    list(): readonly Account[];
    compute(accountId: string): { pods: { gpuTypes(): Promise<readonly LenientGpuType[]> } };
  };
  ledger: { prices: PriceRows; priceAlerts: PriceAlertRows };
  clock: Clock;
  logger: Logger;
}

export interface PriceWatch {
  /** The alerts; `checkNow` checks a new one. */
  readonly alerts: Pick<PriceAlerts, 'list' | 'add' | 'change' | 'remove' | 'onChange'>;
  /** Reads the prices of an account for a new alert. Never rejects. */
  checkNow(accountId: string): Promise<void>;
  /** Begins the regular reads. */
  start(): void;
  /** What was seen of one GPU type, or of all. Reads the account first, unless it has just done so. Never rejects. */
  history(accountId: string, period: PricePeriod, gpuTypeId?: string): Promise<PriceHistory>;
  /** Forgets a removed account. Resolves once nothing of it is being read. */
  leave(accountId: string): Promise<void>;
  /** Begins no read any more, and notes nothing of those that have begun. */
  stop(): void;
}

const { firstReadMs, everyMs, leastGapMs, keptDays } = priceReads;
const DAY_MS = 24 * 60 * 60_000;
/** Reads that fail or are late leave no gap until so many are missing. */
const MISSED_READS = 3;

function seenOf(account: Account, { lowestPrice }: LenientGpuType): SeenPrice {
  const onDemand = lowestPrice?.uninterruptablePrice ?? null;
  return {
    onDemand,
    // An engine of Hangar takes no GPU back for another bidder.
    spot: account.kind === 'cloud' ? (lowestPrice?.minimumBidPrice ?? null) : null,
    stock: lowestPrice?.stockStatus ?? (onDemand === null ? 'None' : null),
  };
}

/** The state of an account is unknown until something of it is read. */
const canBeAsked = ({ state }: Account): boolean => state === 'ok' || state === 'unknown';

export function createPriceWatch({ directory, ledger, clock, logger }: PriceWatchOptions): PriceWatch {
  const rows = ledger.prices;
  const alerts = createPriceAlerts(ledger.priceAlerts, clock);
  /** When each account was asked last, in milliseconds since the epoch. */
  const askedAt = new Map<string, number>();
  const reading = new Map<string, Promise<void>>();
  let cancelNext: Cancel = () => undefined;
  let isStopped = false;

  async function read(account: Account): Promise<void> {
    const { id } = account;
    askedAt.set(id, clock.now());
    try {
      const types = (await directory.compute(id).pods.gpuTypes()).filter((type) => !isProcessor(type));
      // It may have been removed meanwhile.
      if (isStopped || !askedAt.has(id)) return;
      const seen = new Map(types.map((type) => [type.id, seenOf(account, type)]));
      rows.note(id, seen, clock.now(), MISSED_READS * everyMs);
      alerts.check(id, seen);
    } catch (thrown) {
      logger.debug({ accountId: id, reason: messageOf(thrown) }, 'the prices could not be read');
    }
  }

  /** One read of an account at a time, and none before `gapMs` after the last one. */
  function readAfter(account: Account, gapMs: number): Promise<void> {
    const { id } = account;
    const under = reading.get(id);
    if (under) return under;
    const before = askedAt.get(id);
    const age = before === undefined ? Infinity : Math.abs(clock.now() - before);
    if (isStopped || !canBeAsked(account) || age < gapMs) return Promise.resolve();
    const done = read(account).finally(() => reading.delete(id));
    reading.set(id, done);
    return done;
  }

  function readAll(): void {
    cancelNext = clock.after(leastGapMs, readAll);
    rows.prune(clock.now() - keptDays * DAY_MS);
    for (const account of directory.list()) {
      const hasAlert = alerts.has(account.id);
      // Without an alert, an account that nothing has used in this run stays alone: its key would have to be read.
      if (account.state === 'unknown' && !hasAlert) continue;
      void readAfter(account, hasAlert ? leastGapMs : everyMs);
    }
  }

  return {
    alerts,
    async checkNow(accountId) {
      const account = directory.list().find(({ id }) => id === accountId);
      if (account) await readAfter(account, 0);
    },
    start() {
      if (!isStopped) cancelNext = clock.after(firstReadMs, readAll);
    },
    async history(accountId, period, gpuTypeId) {
      const account = directory.list().find(({ id }) => id === accountId);
      if (account) await readAfter(account, leastGapMs);
      const { stepMs, points: count } = pricePeriods[period];
      const from = firstPoint(clock.now(), stepMs, count);
      const types = Map.groupBy(rows.spans(accountId, from, gpuTypeId), (span) => span.gpuTypeId);
      return {
        since: rows.first(accountId),
        from,
        stepMs,
        types: [...types].map(([id, spans]) => ({ gpuTypeId: id, points: pointsOf(spans, from, stepMs, count) })),
      };
    },
    async leave(accountId) {
      askedAt.delete(accountId);
      rows.forget(accountId);
      alerts.leave(accountId);
      await reading.get(accountId);
    },
    stop() {
      isStopped = true;
      cancelNext();
    },
  };
}
