/** One writer, one transaction per turn of the event loop: what arrives together is committed together, and told after. */
import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../domain/core/ports.ts';
import type { CommitCallback, Urgency } from '../../domain/core/commits.ts';
import { createSoundCondition, resultCode, sqlite, type StoreCondition } from './writeHealth.ts';

/** Writes in one transaction at most, so that the longest wait stays bounded. */
const BATCH = 256;
/** A commit of so many writes is one under load: before the next, what arrives is looked for a few times more. */
const BUSY_BATCH = 16;
const LOOKS = 2;
/** How long a write that nobody waits for is put off, and how much of such text may be held. */
const SOON_MS = 20;
const SOON_LENGTH = 1_000_000;

/**
 * `new`: refused at once while the disk is full, so that what is left of it serves jobs that were accepted.
 * `removal`: where the disk is too full even for that, it is done once there is room.
 */
export type WriteKind = 'new' | 'other' | 'removal';

interface Write {
  run(): void;
  settled: CommitCallback;
  kind: WriteKind;
}

export interface GroupCommit {
  /** `run` executes its statements inside the next transaction. `length`: how much text it holds on to until then. */
  write(run: () => void, settled: CommitCallback, urgency?: Urgency, length?: number, kind?: WriteKind): void;
  /**
   * A write that nobody waits for, put off by as much as that may be. `prepare` is asked then: null where nothing is to be
   * written any more.
   */
  writeLater(prepare: () => (() => void) | null, settled: CommitCallback): void;
  /** Commits what waits, now. */
  flush(): void;
}

export function createGroupCommit(
  database: DatabaseSync,
  logger: Logger,
  condition: StoreCondition = createSoundCondition(),
  onCommit: () => void = () => undefined,
): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let waiting: Write[] = [];
  let scheduled = false;
  let busy = false;
  let waitingLength = 0;
  let soon: NodeJS.Timeout | null = null;
  /** Removals that await room on the disk. */
  let deferredRemovals: Write[] = [];
  let later: { prepare: () => (() => void) | null; settled: CommitCallback }[] = [];
  let bringing: NodeJS.Timeout | null = null;

  function transaction(writes: readonly Write[]): unknown {
    if (condition.failure !== null) return condition.refusal();
    try {
      begin.run();
      for (const write of writes) write.run();
      commit.run();
      onCommit();
      return null;
    } catch (error) {
      // Noted before anything else is tried: after a commit that failed nobody knows what the file holds.
      const failure = condition.note(error);
      try {
        // SQLite rolls back by itself on some errors, a full disk among them.
        if (condition.failure === null && database.isTransaction) rollback.run();
      } catch (thrown) {
        return condition.note(thrown);
      }
      return failure;
    }
  }

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

  /** Commits these writes together, and each by itself where that fails: one bad write must not fail its neighbours. */
  function settle(batch: readonly Write[]): void {
    const accepted = condition.full ? batch.filter(({ kind }) => kind !== 'new') : batch;
    const error = accepted.length > 0 ? transaction(accepted) : null;
    const isFull = resultCode(error) === sqlite.FULL;
    if (error !== null && condition.failure === null && (accepted.length > 1 || isFull)) {
      // A disk that was found full just now has had its reserve freed.
      const errors = accepted.map((write) => (isFull && write.kind === 'new' ? error : transaction([write])));
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
    // Under load what arrives meanwhile shares the commit: there are fewer of them for as many writes.
    let rounds = busy ? LOOKS : 0;
    const check = (): void => {
      if (!scheduled) return;
      if (rounds-- > 0 && waiting.length < BATCH) setImmediate(check);
      else turn();
    };
    setImmediate(check);
  }

  /** What was put off takes its place behind all that was asked for meanwhile. */
  function flushDeferred(): void {
    if (bringing) clearTimeout(bringing);
    bringing = null;
    const brought = later;
    later = [];
    for (const { prepare, settled } of brought) {
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
      else bringing ??= setTimeout(flushDeferred, SOON_MS);
    },
    flush() {
      flushDeferred();
      while (waiting.length > 0) turn();
    },
  };
}
