/** What was used, in SQLite: sums of hours and of days that are added to through the group commit. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  HOURS_OF_DAY,
  usageKinds,
  type UsageSeries,
  type UsageStore,
  type UsageSum,
  type UsageTotal,
} from '../domain/usage.ts';
import type { GroupCommit } from './groupCommit.ts';

type Columns = [seriesId: number, at: number, workerId: string, ms: number, gb: number, amount: number];

export function createUsageStore(database: DatabaseSync, commits: GroupCommit): UsageStore {
  const addSeries = database.prepare(
    'INSERT OR IGNORE INTO usage_series (kind, resource, template, image, gpu_type) VALUES (?, ?, ?, ?, ?)',
  );
  const findSeries = database.prepare(
    'SELECT id FROM usage_series WHERE kind = ? AND resource = ? AND template = ? AND image = ? AND gpu_type = ?',
  );
  const adding =
    'ON CONFLICT DO UPDATE SET ms = ms + excluded.ms, gb = max(gb, excluded.gb), amount = amount + excluded.amount';
  const addHour = database.prepare(
    `INSERT INTO usage_hour (series, hour, worker, ms, gb, amount) VALUES (?, ?, ?, ?, ?, ?) ${adding}`,
  );
  const addDay = database.prepare(
    `INSERT INTO usage_day (series, day, ms, gb, amount) VALUES (?, ?, ?, ?, ?) ${adding}`,
  );
  const seriesOf = database.prepare('SELECT * FROM usage_series WHERE kind = ? ORDER BY id');

  function idOf({ kind, resourceId, templateId, imageName, gpuTypeId }: UsageSeries): number {
    const values = [usageKinds.indexOf(kind), resourceId, templateId, imageName, gpuTypeId] as const;
    const found = (): number | undefined => (findSeries.get(...values) as { id: number } | undefined)?.id;
    const id = found();
    if (id !== undefined) return id;
    addSeries.run(...values);
    return found()!;
  }

  /** Values: the series as JSON, and from when to when; the end is not in it. */
  function summing(columns: string, table: string, at: string, grouped = ''): StatementSync {
    const statement = database.prepare(
      `SELECT ${columns} FROM ${table} WHERE series IN (SELECT value FROM json_each(?)) AND ${at} >= ? AND ${at} < ? ${grouped}`,
    );
    statement.setReturnArrays(true);
    return statement;
  }
  const summed = 'sum(ms), max(gb), sum(amount)';
  const day = `hour / ${HOURS_OF_DAY}`;
  const days = summing("series, day, '', ms, gb, amount", 'usage_day', 'day');
  const hours = {
    hour: {
      all: summing(`series, hour, '', ${summed}`, 'usage_hour', 'hour', 'GROUP BY series, hour'),
      perWorker: summing('series, hour, worker, ms, gb, amount', 'usage_hour', 'hour'),
    },
    day: {
      all: summing(`series, ${day}, '', ${summed}`, 'usage_hour', 'hour', `GROUP BY series, ${day}`),
      perWorker: summing(`series, ${day}, worker, ${summed}`, 'usage_hour', 'hour', `GROUP BY series, ${day}, worker`),
    },
  };

  const totals = database.prepare(
    `SELECT hour AS at, sum(ms) AS ms, sum(gb) AS gb, sum(amount) AS amount FROM usage_hour
     WHERE series IN (SELECT value FROM json_each(?)) AND hour >= ? AND hour < ? GROUP BY hour`,
  );

  return {
    add(pieces, settled) {
      commits.write(
        () => {
          for (const { series, workerId, hour, ms, gb, amount } of pieces) {
            const id = idOf(series);
            addHour.run(id, hour, workerId, ms, gb, amount);
            addDay.run(id, Math.floor(hour / HOURS_OF_DAY), ms, gb, amount);
          }
        },
        settled,
        'soon',
      );
    },

    series: (kind) =>
      (seriesOf.all(usageKinds.indexOf(kind)) as Record<string, string | number>[]).map((row) => ({
        ...{ id: row.id as number, kind, resourceId: row.resource as string, templateId: row.template as string },
        ...{ imageName: row.image as string, gpuTypeId: row.gpu_type as string },
      })),

    hourTotals: ({ seriesIds, fromHour, toHour }) =>
      totals.all(JSON.stringify(seriesIds), fromHour, toHour) as unknown as UsageTotal[],

    *sums({ seriesIds, unit, fromHour, toHour, perWorker }) {
      const ids = JSON.stringify(seriesIds);
      function* rowsOf(statement: StatementSync, from: number, to: number): Iterable<UsageSum> {
        const rows = statement.iterate(ids, from, to) as Iterable<unknown>;
        for (const [seriesId, at, workerId, ms, gb, amount] of rows as Iterable<Columns>)
          yield { seriesId, at, workerId, ms, gb, amount };
      }
      const byHours = hours[unit][perWorker ? 'perWorker' : 'all'];
      const firstDay = Math.ceil(fromHour / HOURS_OF_DAY);
      const endDay = Math.floor(toHour / HOURS_OF_DAY);
      if (unit === 'hour' || perWorker || firstDay >= endDay) {
        yield* rowsOf(byHours, fromHour, toHour);
        return;
      }
      // What is left of a day at either end is no whole day.
      yield* rowsOf(byHours, fromHour, firstDay * HOURS_OF_DAY);
      yield* rowsOf(days, firstDay, endDay);
      yield* rowsOf(byHours, endDay * HOURS_OF_DAY, toHour);
    },
  };
}
