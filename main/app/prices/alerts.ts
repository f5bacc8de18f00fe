/** Alerts about GPU prices and stock: which there are, and since when each holds. */
import { randomUUID } from 'node:crypto';
import { mostAlerts, type NewPriceAlert, type PriceAlert, type SeenPrice } from '#contract/app/price.ts';
import { AppError } from '#contract/core/errors.ts';
import type { PriceAlertRows } from '../ledger/rows/priceAlerts.ts';
import type { Clock } from '../platform/clock.ts';

export interface PriceAlerts {
  list(): PriceAlert[];
  /** Throws BAD_REQUEST if there are too many. */
  add(alert: NewPriceAlert): PriceAlert;
  /** Changes its condition, which is checked anew. Throws NOT_FOUND. */
  change(alertId: string, below: number | null): PriceAlert;
  remove(alertId: string): void;
  /** Whether an account has one. */
  has(accountId: string): boolean;
  /** Checks the alerts of an account against what was just seen of it, by GPU type. */
  check(accountId: string, seen: ReadonlyMap<string, SeenPrice>): void;
  /** Removes those of a removed account. */
  leave(accountId: string): void;
  /** Calls the listener after each change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** A GPU type that the account does not list meets nothing. */
function isMet({ below }: PriceAlert, seen: SeenPrice | undefined): boolean {
  if (seen === undefined) return false;
  // 0: own hardware whose price nobody has set.
  if (below !== null) return seen.onDemand !== null && seen.onDemand > 0 && seen.onDemand <= below;
  return seen.stock === null ? seen.onDemand !== null : seen.stock !== 'None';
}

export function createPriceAlerts(rows: PriceAlertRows, clock: Pick<Clock, 'now'>): PriceAlerts {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    list: rows.list,
    add(wanted) {
      if (rows.list().length >= mostAlerts) {
        throw new AppError('BAD_REQUEST', `There are ${mostAlerts} alerts already. Remove one first.`);
      }
      const unchecked = { metAt: null, price: null, checkedAt: null };
      const alert = { ...wanted, ...unchecked, alertId: randomUUID(), createdAt: clock.now() };
      rows.save(alert);
      changed();
      return alert;
    },
    change(alertId, below) {
      const alert = rows.list().find((one) => one.alertId === alertId);
      if (alert === undefined) throw new AppError('NOT_FOUND', 'There is no such alert. It may have been removed.');
      const next = { ...alert, below, metAt: null, checkedAt: null };
      rows.save(next);
      changed();
      return next;
    },
    remove(alertId) {
      rows.remove(alertId);
      changed();
    },
    has: (accountId) => rows.list().some((alert) => alert.accountId === accountId),
    check(accountId, seen) {
      const alerts = rows.list().filter((alert) => alert.accountId === accountId);
      for (const alert of alerts) {
        const price = seen.get(alert.gpuTypeId);
        const metAt = isMet(alert, price) ? (alert.metAt ?? clock.now()) : null;
        rows.save({ ...alert, metAt, price: price?.onDemand ?? null, checkedAt: clock.now() });
      }
      if (alerts.length > 0) changed();
    },
    leave(accountId) {
      rows.forget(accountId);
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
