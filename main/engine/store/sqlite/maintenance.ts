/** Maintains the file while the engine is idle: it returns free pages to the disk and empties the log. */
import type { DatabaseSync } from 'node:sqlite';
import { query } from './statements.ts';

/** The time without writes before maintenance begins, milliseconds. */
const IDLE_MS = 5000;
/** The pages that one turn of the event loop returns. Each turn is one transaction with one sync. */
const PAGES_A_TURN = 256;
/** The free pages that remain: the file reuses them before it grows. */
const PAGES_KEPT = 1024;
/** With fewer pages to return, the file stays as it is. */
const PAGES_WORTH_IT = 1024;

export interface Upkeep {
  /** Reports a write. Called often: must be cheap. */
  noteWrite(): void;
  stop(): void;
}

export interface UpkeepOptions {
  database: DatabaseSync;
  /** Whether to wait: the file is being copied, or has failed. */
  mustWait: () => boolean;
  idleMs?: number;
}

export function createUpkeep({ database, mustWait, idleMs = IDLE_MS }: UpkeepOptions): Upkeep {
  const freePages = query<{ freelist_count: number }>(database, 'PRAGMA freelist_count');
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
      const { freelist_count: free } = freePages.one();
      if (free > PAGES_KEPT + (giving ? 0 : PAGES_WORTH_IT)) {
        database.exec(`PRAGMA incremental_vacuum(${Math.min(free - PAGES_KEPT, PAGES_A_TURN)})`);
        turn = setImmediate(sweep, true);
      } else {
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      }
    } catch {
      // The store condition records the error. Maintenance may fail.
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
