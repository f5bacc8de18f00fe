/**
 * The row of a day contains its hours, so that a year by the hour is few rows. Only workers keep a row per hour, and
 * sums per day.
 */
import type { DatabaseSync } from 'node:sqlite';
import { HOURS_OF_DAY } from '../../../domain/billing/usage.ts';
import { query } from '../statements.ts';
import { addToHour, pack, unpack } from '../usageCodec.ts';

const tables = `
ALTER TABLE usage_day ADD COLUMN hours BLOB NOT NULL DEFAULT x'';
CREATE TABLE usage_worker_day (
  series INTEGER NOT NULL,
  day INTEGER NOT NULL,
  worker TEXT NOT NULL,
  ms INTEGER NOT NULL,
  amount REAL NOT NULL,
  PRIMARY KEY (series, day, worker)
) WITHOUT ROWID;
INSERT INTO usage_worker_day
  SELECT series, hour / ${HOURS_OF_DAY}, worker, sum(ms), sum(amount) FROM usage_hour WHERE worker <> '' GROUP BY 1, 2, 3;
`;

export function usageOfDays(database: DatabaseSync): void {
  database.exec(tables);
  type Row = Record<'series' | 'hour' | 'ms' | 'gb' | 'amount', number>;
  const read = query<Row>(
    database,
    'SELECT series, hour, sum(ms) AS ms, max(gb) AS gb, sum(amount) AS amount FROM usage_hour GROUP BY series, hour',
  );
  const write = database.prepare('UPDATE usage_day SET hours = ? WHERE series = ? AND day = ?');
  let hours = unpack(undefined);
  let seriesId = NaN;
  let day = NaN;
  const settle = (): void => {
    if (!Number.isNaN(day)) write.run(pack(hours), seriesId, day);
  };
  for (const row of read.iterate()) {
    const dayOfRow = Math.floor(row.hour / HOURS_OF_DAY);
    if (row.series !== seriesId || dayOfRow !== day) {
      settle();
      hours = unpack(undefined);
      seriesId = row.series;
      day = dayOfRow;
    }
    addToHour(hours, row.hour - day * HOURS_OF_DAY, row);
  }
  settle();
  database.exec("DELETE FROM usage_hour WHERE worker = ''");
}
