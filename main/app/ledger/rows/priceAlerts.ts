/** The rows of alerts about GPU prices and stock. */
import { priceAlertSchema, type PriceAlert } from '#contract/app/price.ts';
import type { Batch as Writes } from '../groupCommit.ts';
import type { Sql } from '../query.ts';

export interface PriceAlertRows {
  /** In the order in which they were made. */
  list(): PriceAlert[];
  /** Adds an alert, or writes over the one with its id. Durable on return. */
  save(alert: PriceAlert): void;
  remove(alertId: string): void;
  /** Removes the alerts of an account. */
  forget(accountId: string): void;
}

export function createPriceAlertRows(sql: Sql, writes: Writes): PriceAlertRows {
  function remove(condition: 'alert_id = ?' | 'account_id = ?', id: string): void {
    writes.write(() => sql(`DELETE FROM price_alerts WHERE ${condition}`).run(id));
    writes.flush();
  }
  return {
    list: () =>
      sql(
        `SELECT alert_id AS alertId, account_id AS accountId, gpu_type_id AS gpuTypeId, gpu_name AS gpuName, below,
           created_at AS createdAt, met_at AS metAt, price, checked_at AS checkedAt
           FROM price_alerts ORDER BY created_at, alert_id`,
      )
        .all()
        .map((row) => priceAlertSchema.parse(row)),
    save({ alertId, accountId, gpuTypeId, gpuName, below, createdAt, metAt, price, checkedAt }) {
      writes.write(() =>
        sql(
          `INSERT OR REPLACE INTO price_alerts
             (alert_id, account_id, gpu_type_id, gpu_name, below, created_at, met_at, price, checked_at)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(alertId, accountId, gpuTypeId, gpuName, below, createdAt, metAt, price, checkedAt),
      );
      writes.flush();
    },
    remove: (alertId) => remove('alert_id = ?', alertId),
    forget: (accountId) => remove('account_id = ?', accountId),
  };
}
