/** Watches the Pods of cloud accounts, which cost money also while they do nothing and no window is open. */
import { messageOf } from '../core/errors.ts';
import type { Account } from '../app/account.ts';
import { IDLE_AFTER_S, idlePodOf } from '../app/podCost.ts';
import type { PodRow } from '../bridge/pod.ts';
import { noticeOfIdlePod, type Notice, type Words } from './notices.ts';
import type { Cancel, Clock } from './clock.ts';

interface IdlePodsOptions {
  /** The Pods of an account with their load. */
  readonly podsOf: (accountId: string) => Promise<readonly PodRow[]>;
  /** Whether the person wants the notification. If not, nothing is read. */
  readonly isWanted: () => boolean;
  readonly notify: (notice: Notice) => void;
  readonly words: Words;
  readonly clock: Clock;
  /** Called with the reason of a read that failed. The next read comes all the same. */
  readonly onFailure: (reason: string) => void;
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

export function watchIdlePods({ podsOf, isWanted, notify, words, clock, onFailure }: IdlePodsOptions): IdlePods {
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
      onFailure(messageOf(thrown));
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
      if (count === READS) notify(noticeOfIdlePod(words, account, row.pod, idle));
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
