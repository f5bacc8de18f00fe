/** One writer, one transaction per turn of the event loop: what arrives together is committed together, and told after. */
import type { DatabaseSync } from 'node:sqlite';
import type { Logger, Settled, Urgency } from '../domain/ports.ts';

/** Writes in one transaction at most, so that the longest wait stays bounded. */
const BATCH = 256;
/** How long a write that nobody waits for may be put off, and how much of such text may be held. */
const SOON_MS = 20;
const SOON_LENGTH = 1_000_000;

interface Write {
  run(): void;
  settled: Settled;
}

export interface GroupCommit {
  /** `run` executes its statements inside the next transaction. `length`: how much text it holds on to until then. */
  write(run: () => void, settled: Settled, urgency?: Urgency, length?: number): void;
  /** Commits what waits, now. */
  flush(): void;
}

export function createGroupCommit(database: DatabaseSync, logger: Logger): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let waiting: Write[] = [];
  let scheduled = false;
  let heldLength = 0;
  let soon: NodeJS.Timeout | null = null;

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
    heldLength = 0;
    if (soon) clearTimeout(soon);
    soon = null;
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
    write(run, settled, urgency = 'now', length = 0) {
      waiting.push({ run, settled });
      heldLength += length;
      if (urgency === 'now' || waiting.length >= BATCH || heldLength >= SOON_LENGTH) schedule();
      else soon ??= setTimeout(schedule, SOON_MS);
    },
    flush() {
      while (waiting.length > 0) turn();
    },
  };
}
