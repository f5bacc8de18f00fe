/** What the file needs when nobody needs it: pages that jobs have left go back to the disk, and the log is emptied. */
import type { DatabaseSync } from 'node:sqlite';

/** Nothing was written for this long. */
const IDLE_MS = 5000;
/** Pages given back in one turn of the event loop: a transaction of its own, and so one sync. */
const PAGES_A_TURN = 256;
/** Free pages that are kept: they are used again before the file grows. */
const PAGES_KEPT = 1024;
/** With fewer to give back, the file is left as it is. */
const PAGES_WORTH_IT = 1024;

export interface Upkeep {
  /** Something was written. Called often: cheap. */
  noteWrite(): void;
  stop(): void;
}

export interface UpkeepOptions {
  database: DatabaseSync;
  /** Now is not the time: the file is being copied, or has failed. */
  mustWait: () => boolean;
  idleMs?: number;
}

export function createUpkeep({ database, mustWait, idleMs = IDLE_MS }: UpkeepOptions): Upkeep {
  const freePages = database.prepare('PRAGMA freelist_count');
  let wroteAt = 0;
  let timer: NodeJS.Timeout | null = null;
  let turn: NodeJS.Immediate | null = null;

  function arm(ms: number): void {
    timer = setTimeout(sweep, ms, false);
  }

  function sweep(giving: boolean): void {
    timer = null;
    turn = null;
    const idleForMs = performance.now() - wroteAt;
    if (idleForMs < idleMs || mustWait()) {
      arm(idleForMs < idleMs ? Math.max(1, idleMs - idleForMs) : idleMs);
      return;
    }
    try {
      const { freelist_count: free } = freePages.get() as { freelist_count: number };
      if (free > PAGES_KEPT + (giving ? 0 : PAGES_WORTH_IT)) {
        database.exec(`PRAGMA incremental_vacuum(${Math.min(free - PAGES_KEPT, PAGES_A_TURN)})`);
        turn = setImmediate(sweep, true);
      } else {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      }
    } catch {
      // Noted where statements are watched; none of this is owed to anybody.
    }
  }

  return {
    noteWrite() {
      wroteAt = performance.now();
      if (timer === null && turn === null) arm(idleMs);
    },
    stop() {
      if (timer) clearTimeout(timer);
      if (turn) clearImmediate(turn);
      timer = null;
      turn = null;
    },
  };
}
