/**
 * Stores usage in SQLite: sums of days with their hours, and sums of workers. Additions go through the group commit.
 */
import type { DatabaseSync } from 'node:sqlite';
import {
  HOURS_OF_DAY,
  usageKinds,
  type UsagePiece,
  type UsageSeries,
  type UsageStore,
} from '../../domain/billing/usage.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { query, queryArrays, type Query } from '../sqlite/statements.ts';
import { addToHour, eachHour, pack, unpack } from '../sqlite/usageCodec.ts';

type DayColumns = [seriesId: number, day: number, ms: number, gb: number, amount: number, hours: Uint8Array];
type WorkerColumns = [seriesId: number, at: number, workerId: string, ms: number, amount: number];

interface SeriesRow {
  id: number;
  resource: string;
  template: string;
  image: string;
  gpu_type: string;
}

export function createUsageStore(database: DatabaseSync, commits: GroupCommit): UsageStore {
  const addSeries = database.prepare(
    'INSERT INTO usage_series (kind, resource, template, image, gpu_type) VALUES (?, ?, ?, ?, ?)',
  );
  const findSeries = query<{ id: number }>(
    database,
    'SELECT id FROM usage_series WHERE kind = ? AND resource = ? AND template = ? AND image = ? AND gpu_type = ?',
  );
  const adding = 'ON CONFLICT DO UPDATE SET ms = ms + excluded.ms, amount = amount + excluded.amount';
  const addWorkerHour = database.prepare(
    `INSERT INTO usage_hour (series, hour, worker, ms, gb, amount) VALUES (?, ?, ?, ?, 0, ?) ${adding}`,
  );
  const addWorkerDay = database.prepare(
    `INSERT INTO usage_worker_day (series, day, worker, ms, amount) VALUES (?, ?, ?, ?, ?) ${adding}`,
  );
  const hoursOf = query<{ hours: Uint8Array }>(database, 'SELECT hours FROM usage_day WHERE series = ? AND day = ?');
  const addDay = database.prepare(
    `INSERT INTO usage_day (series, day, ms, gb, amount, hours) VALUES (?, ?, ?, ?, ?, ?)
     ${adding}, gb = max(gb, excluded.gb), hours = excluded.hours`,
  );
  const seriesOf = query<SeriesRow>(database, 'SELECT * FROM usage_series WHERE kind = ? ORDER BY id');

  function idOf({ kind, resourceId, templateId, imageName, gpuTypeId }: UsageSeries): number {
    const values = [usageKinds.indexOf(kind), resourceId, templateId, imageName, gpuTypeId] as const;
    const before = findSeries.get(...values);
    if (before !== undefined) return before.id;
    return Number(addSeries.run(...values).lastInsertRowid);
  }

  function addPiece({ series, workerId, hour, ms, gb, amount }: UsagePiece): void {
    const id = idOf(series);
    const day = Math.floor(hour / HOURS_OF_DAY);
    const hours = unpack(hoursOf.get(id, day)?.hours);
    addToHour(hours, hour - day * HOURS_OF_DAY, { ms, gb, amount });
    addDay.run(id, day, ms, gb, amount, pack(hours));
    if (workerId === '') return;
    addWorkerHour.run(id, hour, workerId, ms, amount);
    addWorkerDay.run(id, day, workerId, ms, amount);
  }

  /**
   * A query with three values: the ids of the series as JSON, which give the order of the rows, and the range of time;
   * its end is exclusive.
   */
  function reading<Row extends readonly unknown[]>(columns: string, table: string, at: string): Query<Row> {
    return queryArrays<Row>(
      database,
      `SELECT ${columns} FROM json_each(?) AS asked CROSS JOIN ${table} ON series = asked.value
       WHERE ${at} >= ? AND ${at} < ?`,
    );
  }
  const days = reading<DayColumns>('series, day, ms, gb, amount, hours', 'usage_day', 'day');
  const workerHours = reading<WorkerColumns>('series, hour, worker, ms, amount', 'usage_hour', 'hour');
  const workerDays = reading<WorkerColumns>('series, day, worker, ms, amount', 'usage_worker_day', 'day');

  return {
    add(pieces, settled) {
      commits.write(
        () => {
          for (const piece of pieces) addPiece(piece);
        },
        settled,
        'soon',
      );
    },

    series(kind) {
      commits.flush();
      return seriesOf.all(usageKinds.indexOf(kind)).map(({ id, resource, template, image, gpu_type: gpuTypeId }) => ({
        id,
        kind,
        resourceId: resource,
        templateId: template,
        imageName: image,
        gpuTypeId,
      }));
    },

    sums({ seriesIds, unit, fromHour, toHour, perWorker }, take) {
      const ids = JSON.stringify(seriesIds);
      const firstDay = Math.ceil(fromHour / HOURS_OF_DAY);
      const endDay = Math.floor(toHour / HOURS_OF_DAY);
      const isWhole = (day: number): boolean => day >= firstDay && day < endDay;
      const dayOf = (hour: number): number => Math.floor(hour / HOURS_OF_DAY);

      if (perWorker) {
        const wholeDays = unit === 'day' && firstDay < endDay;
        const read = (rows: Query<WorkerColumns>, from: number, to: number, atOf: (at: number) => number): void => {
          for (const [seriesId, at, workerId, ms, amount] of rows.iterate(ids, from, to)) {
            take({ seriesId, at: atOf(at), workerId, ms, gb: 0, amount });
          }
        };
        const atOf = unit === 'hour' ? (hour: number): number => hour : dayOf;
        if (!wholeDays) {
          read(workerHours, fromHour, toHour, atOf);
          return;
        }
        // The partial days at both ends are read by the hour.
        read(workerHours, fromHour, firstDay * HOURS_OF_DAY, atOf);
        read(workerDays, firstDay, endDay, (day) => day);
        read(workerHours, endDay * HOURS_OF_DAY, toHour, atOf);
        return;
      }

      const rows = days.iterate(ids, dayOf(fromHour), Math.ceil(toHour / HOURS_OF_DAY));
      for (const [seriesId, day, ms, gb, amount, column] of rows) {
        if (unit === 'day' && isWhole(day)) {
          take({ seriesId, at: day, workerId: '', ms, gb, amount });
          continue;
        }
        const firstHour = day * HOURS_OF_DAY;
        eachHour(unpack(column), (hourOfDay, ms, gb, amount) => {
          const hour = firstHour + hourOfDay;
          if (hour < fromHour || hour >= toHour) return;
          take({ seriesId, at: unit === 'hour' ? hour : day, workerId: '', ms, gb, amount });
        });
      }
    },
  };
}
