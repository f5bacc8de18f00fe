/** Watches the Pods of cloud accounts, which cost money also while they do nothing and no window is open. */
import { messageOf } from '#contract/core/errors.ts';
import type { Account } from '#contract/app/account.ts';
import { IDLE_AFTER_S, idlePodOf } from '#contract/app/podCost.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { Logger } from 'pino';
import type { Cancel, Clock } from '../../../app/platform/clock.ts';
import { noticeOfIdlePod, type Notice } from './notices.ts';

interface IdlePodsOptions {
  /** The Pods of an account with their load. */
  readonly podsOf: (accountId: string) => Promise<readonly PodRow[]>;
  /** Whether the person wants the notification. If not, nothing is read. */
  readonly isWanted: () => boolean;
  readonly notify: (notice: Notice) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface IdlePods {
  /** Takes the current accounts. Pods of a new account are read at once. */
  follow(accounts: readonly Account[]): void;
  stop(): void;
}

/** Interval of the reads. */
const EVERY_MS = 5 * 60_000;
/** A Pod that is idle in so many reads in a row has a notification: the first read, and those of `IDLE_AFTER_S`. */
const READS = 1 + (IDLE_AFTER_S * 1000) / EVERY_MS;

export function watchIdlePods({ podsOf, isWanted, notify, clock, logger }: IdlePodsOptions): IdlePods {
  /** Idle reads in a row, by account and Pod. */
  const counts = new Map<string, Map<string, number>>();
  let clouds: readonly Account[] = [];
  let cancel: Cancel | null = null;
  let isStopped = false;

  async function read(account: Account): Promise<void> {
    const accountId = account.id;
    let rows: readonly PodRow[];
    try {
      rows = await podsOf(accountId);
    } catch (thrown) {
      // An account that cannot be reached has a notice of its own. Its Pods stay as they were.
      logger.debug({ accountId, reason: messageOf(thrown) }, 'the load of Pods could not be read');
      return;
    }
    const before = counts.get(accountId);
    if (isStopped || before === undefined) return;
    const after = new Map<string, number>();
    for (const row of rows) {
      const idle = idlePodOf(row);
      if (idle === null) continue;
      const count = (before.get(row.pod.id) ?? 0) + 1;
      after.set(row.pod.id, count);
      if (count === READS) notify(noticeOfIdlePod(account, row.pod, idle));
    }
    counts.set(accountId, after);
  }

  function readAll(): void {
    cancel = clock.after(EVERY_MS, readAll);
    if (isWanted()) for (const account of clouds) void read(account);
  }

  return {
    follow(accounts) {
      if (isStopped) return;
      clouds = accounts.filter(({ kind }) => kind === 'cloud');
      for (const id of counts.keys()) if (!clouds.some((account) => account.id === id)) counts.delete(id);
      for (const account of clouds) {
        if (counts.has(account.id)) continue;
        counts.set(account.id, new Map());
        if (isWanted()) void read(account);
      }
      if (clouds.length > 0) cancel ??= clock.after(EVERY_MS, readAll);
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
