/**
 * Applies the retention of the ledger: removes jobs that ended too long ago, and the oldest ended jobs while all are
 * too large.
 */
import {
  keepingSchema,
  ledgerStorageSchema,
  type Keeping,
  type LedgerStorage,
  type PruneReason,
} from '#contract/app/jobs/keeping.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import * as z from 'zod';
import { pause, type Cancel, type Clock } from '../platform/clock.ts';
import type { Ledger } from './ledger.ts';

export interface Keeper {
  storage(): LedgerStorage;
  /** Resolves after all jobs beyond the new limits are removed. */
  keep(keeping: Keeping): Promise<LedgerStorage>;
  /** Removes ended jobs, which `restore` can put back for a minute. Returns how many. */
  forget(entryIds: readonly string[]): number;
  /** Deletes removed jobs for good, before their minute has passed. */
  discard(entryIds: readonly string[]): Promise<void>;
  /** Also gives the jobs that were removed just before the last stop a minute more. */
  start(): void;
  /** So many bytes were written: after many of them the size is checked early. */
  grown(bytes: number): void;
  /** The clock has jumped, for example over a sleep: the ages are checked again once the clock is stable. */
  clockJumped(): void;
  stop(): Promise<void>;
}

export interface KeeperOptions {
  ledger: Pick<Ledger, 'meta' | 'setMeta' | 'prune' | 'size' | 'forget' | 'discard' | 'removed'>;
  path: string;
  clock: Clock;
  logger: Logger;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 10 * 60 * 1000;
/** Entries removed in one step. Other work runs between two steps. */
const BATCH = 50;
/** Time in which a removed job can be put back: longer than a window offers Undo, also if it is loaded anew meanwhile. */
const RESTORABLE_MS = 60_000;
/** The size is checked after so much was written, so that a flood of jobs cannot fill the disk between two runs. */
const CHECKED_BYTES = 16 * 1024 * 1024;

/** The stored limits. An invalid one sets no limit, so that nothing is removed by mistake. */
const storedKeepingSchema = z
  .looseObject({
    retentionDays: keepingSchema.shape.retentionDays.default(limits.ledger.retentionDays.default).catch(null),
    capBytes: keepingSchema.shape.capBytes.default(limits.ledger.capBytes.default).catch(null),
  })
  .catch({ retentionDays: null, capBytes: null });
const lastPruneSchema = ledgerStorageSchema.shape.lastPrune;

export function createKeeper({ ledger, path, clock, logger }: KeeperOptions): Keeper {
  const stopping = new AbortController();
  let cancelNext: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  let written = 0;
  /** The timer of each removed job. */
  const discards = new Map<string, Cancel>();

  function bounds(): Keeping {
    const { retentionDays, capBytes } = ledger.meta('keeping', storedKeepingSchema) ?? storedKeepingSchema.parse({});
    return { retentionDays, capBytes };
  }

  async function remove(reason: PruneReason, isBeyond: () => number | null | false): Promise<void> {
    let removed = 0;
    while (!stopping.signal.aborted) {
      const before = isBeyond();
      if (before === false) break;
      const went = ledger.prune(before, BATCH);
      if (went === 0) break;
      removed += went;
      ledger.setMeta('lastPrune', { at: clock.now(), jobs: removed, reason });
      await pause(clock, 0, stopping.signal);
    }
    if (removed > 0) logger.info({ removed, reason, ...bounds() }, 'jobs were removed from the ledger');
  }

  async function prune(): Promise<void> {
    const { retentionDays, capBytes } = bounds();
    if (retentionDays !== null) await remove('age', () => clock.now() - retentionDays * DAY_MS);
    if (capBytes !== null) await remove('size', () => (ledger.size().usedBytes > capBytes ? null : false));
  }

  /** Runs are sequential, however many are requested. */
  function run(): Promise<void> {
    running = running.then(prune).catch((thrown: unknown) => {
      logger.error({ err: thrown }, 'the ledger could not be kept within its bounds');
    });
    return running;
  }

  function schedule(): void {
    cancelNext();
    if (stopping.signal.aborted) return;
    cancelNext = clock.after(EVERY_MS, () => {
      void run().then(schedule);
    });
  }

  /** Deletes them for good after their time, in steps. One that was put back and removed again gets its time anew. */
  function discardLater(entryIds: readonly string[]): void {
    if (entryIds.length === 0) return;
    const cancel = clock.after(RESTORABLE_MS, () => {
      const due = entryIds.filter((entryId) => discards.get(entryId) === cancel);
      for (const entryId of due) discards.delete(entryId);
      void discard(due);
    });
    for (const entryId of entryIds) discards.set(entryId, cancel);
  }

  /** In steps, after what runs already. */
  function discard(entryIds: readonly string[]): Promise<void> {
    running = running
      .then(async () => {
        for (let from = 0; from < entryIds.length && !stopping.signal.aborted; from += BATCH) {
          ledger.discard(entryIds.slice(from, from + BATCH));
          await pause(clock, 0, stopping.signal);
        }
      })
      .catch((thrown: unknown) => {
        logger.error({ err: thrown }, 'removed jobs could not be deleted; the next start tries again');
      });
    return running;
  }

  const storage = (): LedgerStorage => ({
    path,
    ...ledger.size(),
    keeping: bounds(),
    lastPrune: ledger.meta('lastPrune', lastPruneSchema) ?? null,
  });

  return {
    storage,
    async keep(keeping) {
      ledger.setMeta('keeping', keeping);
      await run();
      return storage();
    },
    forget(entryIds) {
      const removed = ledger.forget(entryIds);
      discardLater(entryIds);
      return removed;
    },
    discard,
    start() {
      schedule();
      discardLater(ledger.removed());
    },
    grown(bytes) {
      written += bytes;
      if (written < CHECKED_BYTES) return;
      written = 0;
      void run();
    },
    // With a delay: a wrong clock is often corrected within minutes, and removed jobs do not come back.
    clockJumped: schedule,
    async stop() {
      stopping.abort();
      cancelNext();
      for (const cancel of discards.values()) cancel();
      discards.clear();
      await running;
    },
  };
}
