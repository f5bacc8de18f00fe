/** The attempts of a job before the one that its entry shows. */
import { jobAttemptSchema, type AttemptEnd, type JobAttempt, type LedgerEntry } from '#contract/app/ledger.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { Sql } from '../query.ts';
import type { Run } from '../runs.ts';

export interface AttemptRows {
  /** Oldest first. */
  of(seq: number): JobAttempt[];
  /**
   * Adds the attempt that the entry shows. One of this computer that was lost and began before this run of Hangar ended
   * with the earlier run. `at`: milliseconds since the epoch, when the next one was queued.
   */
  add(seq: number, entry: LedgerEntry, endedBy: AttemptEnd, at: number): void;
}

/** The facts of an attempt that no worker has begun. */
export const NOT_STARTED = {
  workerStartedAt: null,
  startedAt: null,
  pricePerHour: null,
  delayTime: null,
  executionTime: null,
  workerId: null,
} as const;

/** The workers of this computer end with Hangar. */
function endOf({ accountId, startedAt, queuedAt, sentAt }: LedgerEntry, end: AttemptEnd, run: Run): AttemptEnd {
  const isOfEarlierRun = accountId === THIS_MACHINE && (startedAt ?? queuedAt ?? sentAt) < run.startedAt;
  return end === 'lost' && isOfEarlierRun && run.earlier !== null ? run.earlier : end;
}

export function createAttemptRows(sql: Sql, run: Run): AttemptRows {
  return {
    of: (seq) =>
      sql(
        `SELECT n AS number, ended_by AS endedBy, status, queued_at AS queuedAt, started_at AS startedAt,
           finished_at AS finishedAt, delay_time AS delayTime, execution_time AS executionTime,
           worker_id AS workerId, error FROM attempts WHERE seq = ? ORDER BY n`,
      )
        .all(seq)
        .map((row) => jobAttemptSchema.parse(row)),
    add(seq, entry, endedBy, at) {
      sql(
        `INSERT INTO attempts (seq, n, ended_by, status, queued_at, started_at, finished_at, delay_time,
           execution_time, worker_id, error)
         VALUES (?, (SELECT coalesce(max(n), 0) + 1 FROM attempts WHERE seq = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        seq,
        seq,
        endOf(entry, endedBy, run),
        entry.status,
        entry.queuedAt ?? entry.sentAt,
        entry.startedAt,
        entry.finishedAt ?? at,
        entry.delayTime,
        entry.executionTime,
        entry.workerId,
        entry.error,
      );
    },
  };
}
