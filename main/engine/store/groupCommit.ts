/** One writer, one transaction per turn of the event loop: what arrives together is committed together, and told after. */
import type { DatabaseSync } from 'node:sqlite';
import type { Logger, Settled } from '../domain/ports.ts';

/** Writes in one transaction at most, so that the longest wait stays bounded. */
const BATCH = 256;

interface Write {
  run(): void;
  settled: Settled;
}

export interface GroupCommit {
  /** `run` executes its statements inside the next transaction. */
  write(run: () => void, settled: Settled): void;
  /** Commits what waits, now. */
  flush(): void;
}

export function createGroupCommit(database: DatabaseSync, logger: Logger): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let waiting: Write[] = [];
  let scheduled = false;

  function transaction(writes: readonly Write[]): unknown {
    try {
      begin.run();
      for (const write of writes) write.run();
      commit.run();
      return null;
    } catch (error) {
      // SQLite rolls back by itself on some errors, a full disk among them.
      if (database.isTransaction) rollback.run();
      return error;
    }
  }

  function tell(write: Write, error: unknown): void {
    try {
      write.settled(error);
    } catch (thrown) {
      logger.error({ err: thrown }, 'a callback after a commit failed');
    }
  }

  function turn(): void {
    scheduled = false;
    const batch = waiting.length <= BATCH ? waiting : waiting.slice(0, BATCH);
    waiting = batch === waiting ? [] : waiting.slice(BATCH);
    if (waiting.length > 0) schedule();
    const error = transaction(batch);
    if (error === null) {
      for (const write of batch) tell(write, null);
    } else if (batch.length === 1) {
      tell(batch[0]!, error);
    } else {
      // One bad write must not fail its neighbours.
      for (const write of batch) tell(write, transaction([write]));
    }
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      if (scheduled) turn();
    });
  }

  return {
    write(run, settled) {
      waiting.push({ run, settled });
      schedule();
    },
    flush() {
      while (waiting.length > 0) turn();
    },
  };
}
