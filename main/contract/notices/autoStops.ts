/** Watches the Pods that stop by themselves: most of a spend cap is used, or a rule has stopped one. */
import { SPEND_WARNED_AT } from '../api/autoStop.ts';
import { messageOf } from '../core/errors.ts';
import type { PodAutoStop } from '../bridge/pod.ts';
import { noticeOfSpending, noticeOfStop, type Notice, type Words } from './notices.ts';
import type { Cancel, Clock } from './clock.ts';

interface AutoStopsOptions {
  /** The Pods with rules of all accounts. */
  readonly pods: () => Promise<readonly PodAutoStop[]>;
  /** Whether the person wants the notification. If not, nothing is read. */
  readonly isWanted: () => boolean;
  readonly notify: (notice: Notice) => void;
  readonly words: Words;
  readonly clock: Clock;
  /** Called with the reason of a read that failed. The next read comes all the same. */
  readonly onFailure: (reason: string) => void;
}

const EVERY_MS = 60_000;
/** A stop that is older, as one before the start of Hangar, has no notification. */
const RECENT_MS = 5 * EVERY_MS;

/** Whether so much of the spend cap is used that a person is warned. */
function isNearCap({ autoStop: { rules, spentUsd } }: PodAutoStop): boolean {
  return rules.spendUsd !== null && spentUsd !== null && spentUsd >= rules.spendUsd * SPEND_WARNED_AT;
}

/** Returns a function that ends it. */
export function watchAutoStops({ pods, isWanted, notify, words, clock, onFailure }: AutoStopsOptions): Cancel {
  /** What was notified, by account and Pod: near its cap, or the time of its stop. */
  const notified = new Map<string, string>();
  let isOver = false;

  function tell(pod: PodAutoStop): void {
    const key = `${pod.accountId}/${pod.podId}`;
    const { stopped } = pod.autoStop;
    const isRecent = stopped !== null && clock.now() - Date.parse(stopped.at) <= RECENT_MS;
    const state = stopped !== null ? stopped.at : isNearCap(pod) ? `near ${pod.autoStop.rules.spendUsd}` : '';
    if (notified.get(key) === state) return;
    notified.set(key, state);
    if (stopped !== null && isRecent) notify(noticeOfStop(words, pod, stopped.reason));
    else if (stopped === null && state !== '') notify(noticeOfSpending(words, pod));
  }

  async function read(): Promise<void> {
    try {
      const all = isWanted() ? await pods() : [];
      if (!isOver) all.forEach(tell);
    } catch (thrown) {
      onFailure(messageOf(thrown));
    }
  }

  function readAgain(): void {
    cancel = clock.after(EVERY_MS, readAgain);
    void read();
  }
  let cancel = clock.after(EVERY_MS, readAgain);
  return () => {
    isOver = true;
    cancel();
  };
}
