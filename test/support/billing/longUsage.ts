/**
 * Long usage, written straight into the tables of an engine's database: in a year, half a million hours of Pods and as
 * many of workers.
 */
import type { DatabaseSync } from 'node:sqlite';
import { HOUR_MS } from '../../../main/engine/domain/billing/usage.ts';

export const LONG_USAGE = {
  pods: 57,
  /** Workers at any time; each lives two days. */
  workers: 60,
  /** What an hour of one Pod or worker costs. */
  amount: 0.25,
} as const;

/** `firstHour`: of a day. */
export function writeLongUsage(database: DatabaseSync, firstHour: number, days: number): void {
  const { pods, workers, amount } = LONG_USAGE;
  const hours = days * 24;
  const hoursOfDay = new Float64Array(Array.from({ length: 24 }, () => [HOUR_MS, 20, amount]).flat());
  database.exec(`
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${pods})
    INSERT INTO usage_series SELECT i, 1, 'pod' || i, '', '', 'type ' || (i % 3) FROM n;
    INSERT INTO usage_series SELECT 1000, 0, 'endpoint', '', '', 'CPU';
    WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ${hours - 1}),
      w(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM w WHERE i < ${workers})
    INSERT INTO usage_hour SELECT 1000, ${firstHour} + n.i, 'w-' || w.i || '-' || (n.i / 48), ${HOUR_MS}, 0, ${amount} FROM w, n;
    INSERT INTO usage_worker_day SELECT series, hour / 24, worker, sum(ms), sum(amount) FROM usage_hour GROUP BY 1, 2, 3;
  `);
  const addDays = database.prepare(
    `WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ${days - 1})
     INSERT INTO usage_day SELECT id, ${firstHour / 24} + i, 24 * ${HOUR_MS}, 20, 24 * ${amount}, ? FROM usage_series, n`,
  );
  addDays.run(new Uint8Array(hoursOfDay.buffer));
}
