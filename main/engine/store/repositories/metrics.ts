/** Stores the metrics of endpoints in SQLite: sums of minutes and of hours. Additions go through the group commit. */
import type { DatabaseSync } from 'node:sqlite';
import {
  HOUR_MS,
  MINUTE_MS,
  type MetricPiece,
  type MetricsStore,
  type MetricUnit,
} from '../../domain/metrics/ports.ts';
import { addSums, type MetricSums } from '../../domain/metrics/sums.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { packHistogram, unpackHistogram } from '../sqlite/histogramCodec.ts';
import { query, queryArrays } from '../sqlite/statements.ts';

const units: Readonly<Record<MetricUnit, number>> = { minute: 0, hour: 1 };
const MINUTES_OF_HOUR = HOUR_MS / MINUTE_MS;
const COLUMNS =
  'at, accepted, completed, failed, cancelled, timed_out, delay, execution, worker_ms, workers_most, cost';

type Columns = [
  at: number,
  accepted: number,
  completed: number,
  failed: number,
  cancelled: number,
  timedOut: number,
  delay: Uint8Array,
  execution: Uint8Array,
  workerMs: number,
  workersMost: number,
  cost: number,
];

function sumsOf(columns: Columns): MetricSums {
  const [, accepted, completed, failed, cancelled, timedOut, delay, execution, workerMs, workersMost, cost] = columns;
  return {
    accepted,
    completed,
    failed,
    cancelled,
    timedOut,
    delay: unpackHistogram(delay),
    execution: unpackHistogram(execution),
    workerMs,
    workersMost,
    cost,
  };
}

export function createMetricsStore(database: DatabaseSync, commits: GroupCommit): MetricsStore {
  const read = queryArrays<Columns>(
    database,
    `SELECT ${COLUMNS} FROM endpoint_metrics WHERE endpoint = ? AND unit = ? AND at >= ? AND at < ? ORDER BY at`,
  );
  const put = database.prepare(
    `INSERT OR REPLACE INTO endpoint_metrics (endpoint, unit, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeAll = database.prepare('DELETE FROM endpoint_metrics WHERE endpoint = ?');
  const removeOld = database.prepare('DELETE FROM endpoint_metrics WHERE endpoint = ? AND unit = ? AND at < ?');
  // One search of the key for each endpoint, instead of a look at every row.
  const nextEndpoint = query<{ id: string | null }>(
    database,
    'SELECT min(endpoint) AS id FROM endpoint_metrics WHERE endpoint > ?',
  );

  function add(endpointId: string, unit: MetricUnit, at: number, added: MetricSums): void {
    const before = read.get(endpointId, units[unit], at, at + 1);
    const sums = before ? sumsOf(before) : added;
    if (before) addSums(sums, added);
    put.run(
      endpointId,
      units[unit],
      at,
      sums.accepted,
      sums.completed,
      sums.failed,
      sums.cancelled,
      sums.timedOut,
      packHistogram(sums.delay),
      packHistogram(sums.execution),
      sums.workerMs,
      sums.workersMost,
      sums.cost,
    );
  }

  function addPiece({ endpointId, minute, sums }: MetricPiece): void {
    add(endpointId, 'minute', minute, sums);
    add(endpointId, 'hour', Math.floor(minute / MINUTES_OF_HOUR), sums);
  }

  return {
    add(pieces, settled) {
      // Refused while the disk is full: its last room is for jobs that end.
      commits.write(() => pieces.forEach(addPiece), settled, 'soon', 0, 'new');
    },
    read(endpointId, unit, from, to, take) {
      for (const columns of read.iterate(endpointId, units[unit], from, to)) take(columns[0], sumsOf(columns));
    },
    remove(endpointId, settled) {
      commits.write(() => removeAll.run(endpointId), settled, 'soon', 0, 'removal');
    },
    thin(before, endpointIds, settled) {
      const known = new Set(endpointIds);
      const run = (): void => {
        for (let id = nextEndpoint.get('')?.id ?? null; id !== null; id = nextEndpoint.get(id)?.id ?? null) {
          if (!known.has(id)) removeAll.run(id);
          else for (const unit of ['minute', 'hour'] as const) removeOld.run(id, units[unit], before[unit]);
        }
      };
      commits.write(run, settled, 'soon', 0, 'removal');
    },
  };
}
