/** When this run of Hangar began, and how the one before it ended: by a stop, or without one. */
import * as z from 'zod';
import type { Sql } from './query.ts';

const KEY = 'run';
const runSchema = z.object({ isStopped: z.boolean() });

export interface Run {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** `killed`: also by a crash, or with the computer. Null for the first run. */
  readonly earlier: 'stopped' | 'killed' | null;
}

const write = (sql: Sql, isStopped: boolean): unknown =>
  sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(KEY, JSON.stringify({ isStopped }));

/** Reads how the run before ended, and notes that another one has begun. `now`: milliseconds since the epoch. */
export function beginRun(sql: Sql, now: number): Run {
  const row = sql('SELECT value FROM meta WHERE key = ?').get(KEY);
  const earlier = row === undefined ? null : runSchema.parse(JSON.parse(String(row['value'])));
  write(sql, false);
  return { startedAt: now, earlier: earlier === null ? null : earlier.isStopped ? 'stopped' : 'killed' };
}

/** Notes that this run stops as it should. */
export const endRun = (sql: Sql): unknown => write(sql, true);
