/** Group commit: all writes of one turn of the event loop share a transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import { writeError } from './database.ts';

export interface Batch {
  /** Runs a write inside the open transaction. Reads on the same connection see it immediately. */
  write<T>(run: () => T): T;
  /**
   * Commits all earlier writes, then these in a transaction of their own, and waits until the disk has them: on return
   * they are safe against a power cut. After an error, none of these is written.
   */
  writeSynced<T>(run: () => T): T;
  /** Commits now. */
  flush(): void;
  /** Resolves after all writes so far are committed. Rejects if the commit failed; the writes are then lost. */
  committed(): Promise<void>;
}

interface Waiter {
  resolve: () => void;
  reject: (reason: unknown) => void;
}

export function createBatch(db: DatabaseSync, logger: Logger): Batch {
  let scheduled: NodeJS.Immediate | null = null;
  let waiters: Waiter[] = [];

  function flush(): void {
    if (scheduled !== null) clearImmediate(scheduled);
    scheduled = null;
    const pending = waiters;
    waiters = [];
    try {
      if (db.isTransaction) db.exec('COMMIT');
      for (const { resolve } of pending) resolve();
    } catch (thrown) {
      if (db.isTransaction) db.exec('ROLLBACK');
      const error = writeError(thrown);
      for (const { reject } of pending) reject(error);
      throw error;
    }
  }

  return {
    write(run) {
      try {
        if (!db.isTransaction) db.exec('BEGIN');
        const result = run();
        scheduled ??= setImmediate(() => {
          try {
            flush();
          } catch (thrown) {
            // committed() has rejected for all callers that wait for this commit.
            logger.error({ err: thrown }, 'the ledger could not be written');
          }
        });
        return result;
      } catch (thrown) {
        throw writeError(thrown);
      }
    },
    writeSynced(run) {
      flush();
      // It cannot be changed within a transaction.
      db.exec('PRAGMA synchronous = FULL');
      try {
        db.exec('BEGIN');
        const result = run();
        db.exec('COMMIT');
        return result;
      } catch (thrown) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw writeError(thrown);
      } finally {
        db.exec('PRAGMA synchronous = NORMAL');
      }
    },
    flush,
    committed() {
      if (!db.isTransaction) return Promise.resolve();
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
    },
  };
}
