/**
 * A day of usage holds its hours, so that a year by the hour is read from few rows; single hours stay rows for workers alone, whose
 * days are summed up as well.
 */
import type { DatabaseSync } from 'node:sqlite';
import { HOURS_OF_DAY } from '../../../domain/billing/usage.ts';
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
  const read = database.prepare(
    'SELECT series, hour, sum(ms) AS ms, max(gb) AS gb, sum(amount) AS amount FROM usage_hour GROUP BY series, hour',
  );
  const write = database.prepare('UPDATE usage_day SET hours = ? WHERE series = ? AND day = ?');
  let hours = unpack(undefined);
  let seriesId = NaN;
  let day = NaN;
  const settle = (): void => {
    if (!Number.isNaN(day)) write.run(pack(hours), seriesId, day);
  };
  type Row = Record<'series' | 'hour' | 'ms' | 'gb' | 'amount', number>;
  for (const row of read.iterate() as Iterable<Row>) {
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
