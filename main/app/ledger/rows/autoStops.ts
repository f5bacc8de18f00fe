/** The rows of Pods of accounts that this app stops by their rules. */
import * as z from 'zod';
import { autoStoppedSchema, autoStopRulesSchema } from '#contract/api/autoStop.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { podEventSchema } from '#contract/local/podEvent.ts';
import type { Batch as Writes } from '../groupCommit.ts';
import type { Sql } from '../query.ts';

const autoStopRecordSchema = z.object({
  accountId: z.string(),
  podId: z.string(),
  /** The last known name of the Pod. */
  podName: z.string(),
  rules: autoStopRulesSchema,
  /** Whether a person was told that most of the spend cap is used. */
  isWarned: z.boolean(),
  stopped: autoStoppedSchema.nullable(),
  /**
   * When the Pod was started last, milliseconds since the epoch; null while it is stopped, and before the first look.
   */
  startedAt: z.number().nullable(),
  /** What this app did to the Pod, oldest first. */
  events: z.array(podEventSchema),
});
export type AutoStopRecord = z.infer<typeof autoStopRecordSchema>;

export interface AutoStopRows {
  list(): AutoStopRecord[];
  /** Adds a row, or writes over that of the Pod. Durable on return. */
  save(record: AutoStopRecord): void;
  remove(accountId: string, podId: string): void;
  /** Removes those of an account. */
  forget(accountId: string): void;
}

export function createAutoStopRows(sql: Sql, writes: Writes): AutoStopRows {
  const change = (statement: string, ...values: string[]): void => {
    writes.write(() => sql(statement).run(...values));
    writes.flush();
  };
  return {
    list: () =>
      sql('SELECT record FROM auto_stops ORDER BY account_id, pod_id')
        .all()
        // A record that another version has written may not be understood: its Pod has no rules then.
        .flatMap((row) => autoStopRecordSchema.safeParse(parseJsonOrNull(String(row['record']))).data ?? []),
    save: (record) =>
      change(
        'INSERT OR REPLACE INTO auto_stops (account_id, pod_id, record) VALUES (?, ?, ?)',
        record.accountId,
        record.podId,
        JSON.stringify(record),
      ),
    remove: (accountId, podId) =>
      change('DELETE FROM auto_stops WHERE account_id = ? AND pod_id = ?', accountId, podId),
    forget: (accountId) => change('DELETE FROM auto_stops WHERE account_id = ?', accountId),
  };
}
