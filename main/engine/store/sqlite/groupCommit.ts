/**
 * A single writer with one transaction per turn of the event loop. Writes of one turn share a commit; their callbacks
 * run after it.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../domain/core/ports.ts';
import type { CommitCallback, Urgency } from '../../domain/core/commits.ts';
import { createSoundCondition, resultCode, sqlite, type StoreCondition } from './writeHealth.ts';

/** The maximum number of writes in one transaction, which bounds the longest wait. */
const BATCH = 256;
/**
 * A commit of at least this many writes means load: the next commit waits for more writes, for this many more turns.
 */
const BUSY_BATCH = 16;
const EXTRA_TURNS = 2;
/** The delay of a write without a waiting caller, milliseconds, and the maximum text of such writes in memory. */
const SOON_MS = 20;
const SOON_LENGTH = 1_000_000;

/**
 * `new`: refused at once while the disk is full, so that accepted jobs can use the remaining space.
 * `removal`: executed again once there is space, when the disk is too full even for it.
 */
export type WriteKind = 'new' | 'other' | 'removal';

interface Write {
  run(): void;
  settled: CommitCallback;
  kind: WriteKind;
}

export interface GroupCommit {
  /**
   * `run` executes its statements inside the next transaction. `length`: the characters of text that it keeps in memory
   * until then.
   */
  write(run: () => void, settled: CommitCallback, urgency?: Urgency, length?: number, kind?: WriteKind): void;
  /**
   * Delays a write without a waiting caller. `prepare` is called at the end of the delay; it returns null where nothing
   * is left to write.
   */
  writeLater(prepare: () => (() => void) | null, settled: CommitCallback): void;
  /** Commits all waiting writes now. */
  flush(): void;
}

/**
 * Returns a function that executes writes in one transaction. It returns null after the commit, otherwise the reason
 * why nothing was committed; it does not throw.
 */
function createTransaction(
  database: DatabaseSync,
  condition: StoreCondition,
  onCommit: () => void,
): (writes: readonly Write[]) => unknown {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  return (writes) => {
    if (condition.failure !== null) return condition.refusal();
    try {
      begin.run();
      for (const write of writes) write.run();
      commit.run();
      onCommit();
      return null;
    } catch (error) {
      // The failure is noted first: after a failed commit nobody knows what the file contains.
      const failure = condition.note(error);
      try {
        // SQLite rolls back by itself on some errors, a full disk among them.
        if (condition.failure === null && database.isTransaction) rollback.run();
      } catch (thrown) {
        return condition.note(thrown);
      }
      return failure;
    }
  };
}

export function createGroupCommit(
  database: DatabaseSync,
  logger: Logger,
  condition: StoreCondition = createSoundCondition(),
  onCommit: () => void = () => undefined,
): GroupCommit {
  const transact = createTransaction(database, condition, onCommit);
  let waiting: Write[] = [];
  let scheduled = false;
  let busy = false;
  let waitingLength = 0;
  let soon: NodeJS.Timeout | null = null;
  /** Removals that wait for space on the disk. */
  let deferredRemovals: Write[] = [];
  let later: { prepare: () => (() => void) | null; settled: CommitCallback }[] = [];
  let deferTimer: NodeJS.Timeout | null = null;

  function notify(write: Write, error: unknown): void {
    if (write.kind === 'removal' && resultCode(error) === sqlite.FULL) {
      deferredRemovals.push(write);
      return;
    }
    try {
      write.settled(error);
    } catch (thrown) {
      logger.error({ err: thrown }, 'a callback after a commit failed');
    }
  }

  /** Commits the writes together, and each alone where that fails: one bad write must not fail the others. */
  function settle(batch: readonly Write[]): void {
    const accepted = condition.full ? batch.filter(({ kind }) => kind !== 'new') : batch;
    const error = accepted.length > 0 ? transact(accepted) : null;
    const isFull = resultCode(error) === sqlite.FULL;
    if (error !== null && condition.failure === null && (accepted.length > 1 || isFull)) {
      // The first failure on a full disk frees the reserve, so a second attempt can succeed.
      const errors = accepted.map((write) => (isFull && write.kind === 'new' ? error : transact([write])));
      accepted.forEach((write, index) => notify(write, errors[index]));
    } else {
      for (const write of accepted) notify(write, error);
    }
    if (accepted === batch) return;
    for (const write of batch) if (write.kind === 'new') notify(write, condition.refusal());
  }

  function turn(): void {
    scheduled = false;
    waitingLength = 0;
    if (soon) clearTimeout(soon);
    soon = null;
    const batch = waiting.length <= BATCH ? waiting : waiting.slice(0, BATCH);
    waiting = batch === waiting ? [] : waiting.slice(BATCH);
    if (waiting.length > 0) schedule();
    busy = batch.length >= BUSY_BATCH;
    settle(batch);
    if (deferredRemovals.length === 0 || condition.full) return;
    waiting.push(...deferredRemovals);
    deferredRemovals = [];
    schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // Under load, later writes of the next turns share the commit.
    let rounds = busy ? EXTRA_TURNS : 0;
    const check = (): void => {
      if (!scheduled) return;
      if (rounds-- > 0 && waiting.length < BATCH) setImmediate(check);
      else turn();
    };
    setImmediate(check);
  }

  /** Appends the delayed writes after all waiting ones. */
  function flushDeferred(): void {
    if (deferTimer) clearTimeout(deferTimer);
    deferTimer = null;
    const deferred = later;
    later = [];
    for (const { prepare, settled } of deferred) {
      const run = prepare();
      if (run) waiting.push({ run, settled, kind: 'other' });
      else settled(null);
    }
    if (waiting.length > 0) schedule();
  }

  return {
    write(run, settled, urgency = 'now', length = 0, kind = 'other') {
      waiting.push({ run, settled, kind });
      waitingLength += length;
      if (urgency === 'now' || waiting.length >= BATCH || waitingLength >= SOON_LENGTH) schedule();
      else soon ??= setTimeout(schedule, SOON_MS);
    },
    writeLater(prepare, settled) {
      later.push({ prepare, settled });
      if (later.length >= BATCH) flushDeferred();
      else deferTimer ??= setTimeout(flushDeferred, SOON_MS);
    },
    flush() {
      flushDeferred();
      while (waiting.length > 0) turn();
    },
  };
}
