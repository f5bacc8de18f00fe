/** Keeps the ledger within its bounds: what ended too long ago goes, and where all is too large, what ended first. */
import {
  keepingSchema,
  ledgerStorageSchema,
  type Keeping,
  type LedgerStorage,
  type PruneReason,
} from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import { pause, type Clock } from '../platform/clock.ts';
import type { Ledger } from './ledger.ts';

export interface Keeper {
  storage(): LedgerStorage;
  /** Settles once nothing is beyond the new bounds. */
  keep(keeping: Keeping): Promise<LedgerStorage>;
  start(): void;
  /** The clock has jumped, such as over a sleep: what is too old is found out anew once the clock has settled. */
  clockJumped(): void;
  stop(): Promise<void>;
}

export interface KeeperOptions {
  ledger: Pick<Ledger, 'meta' | 'setMeta' | 'prune' | 'size'>;
  path: string;
  clock: Clock;
  logger: Logger;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 10 * 60 * 1000;
/** Entries removed in one go, between which everything else has its turn. */
const BATCH = 50;

const lastPruneSchema = ledgerStorageSchema.shape.lastPrune;

export function createKeeper({ ledger, path, clock, logger }: KeeperOptions): Keeper {
  const stopping = new AbortController();
  let cancelNext: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();

  const bounds = (): Keeping =>
    ledger.meta('keeping', keepingSchema) ?? {
      retentionDays: limits.ledger.retentionDays.default,
      capBytes: limits.ledger.capBytes.default,
    };

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

  /** One after the other, however often it is asked for. */
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
    start: schedule,
    // Not at once: a clock that was set wrong is often put right within minutes, and what is removed does not come back.
    clockJumped: schedule,
    async stop() {
      stopping.abort();
      cancelNext();
      await running;
    },
  };
}
