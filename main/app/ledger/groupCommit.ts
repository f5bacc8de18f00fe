/** Group commit: all writes of one turn of the event loop share a transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import { writeError } from './database.ts';

export interface Batch {
  /** Runs a write inside the open transaction. Reads on the same connection see it immediately. */
  write<T>(run: () => T): T;
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
    flush,
    committed() {
      if (!db.isTransaction) return Promise.resolve();
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }));
    },
  };
}
