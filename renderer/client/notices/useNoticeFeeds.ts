/** Reads from the app what becomes a notice, as the desktop host does. */
import { useEffect, useRef, useState } from 'react';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { JobChanges } from '#contract/app/ledger.ts';
import type { PriceAlert } from '#contract/app/price.ts';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { watchAutoStops } from '#contract/notices/autoStops.ts';
import type { Clock } from '#contract/notices/clock.ts';
import { watchIdlePods, type IdlePods } from '#contract/notices/idlePods.ts';
import {
  isPauseRule,
  noticeOfJob,
  noticeOfPause,
  noticesOfAccounts,
  noticesOfAlerts,
  type Notice,
} from '#contract/notices/notices.ts';
import { t } from '../../language/text.ts';
import { isAway, useAccounts } from '../accounts.ts';
import { api } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';
import { wantsNotice } from './browserNotices.ts';
import { createNotifiedJobs } from './notifiedJobs.ts';
import { showNotice } from './showNotice.ts';

const clock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const words = { t };
const notify = (notice: Notice): void => void showNotice(notice);
/** The page says itself which accounts it cannot reach. */
const watching = { notify, words, clock, onFailure: () => undefined };

/** The feed of the lists waits for a timer, which a browser delays in a hidden page. So the notices have their own. */
function useJobNotices(): void {
  const [notified] = useState(createNotifiedJobs);
  useSubscription<JobChanges>({
    key: 'notices-jobs',
    ends: 'never',
    open: (signal) => api.jobs.changes({ endedSince: notified.endedSince() }, { signal }),
    onEvent({ entries }) {
      for (const entry of entries) {
        const notice = noticeOfJob(words, entry, Date.now());
        if (notice !== null && notified.take(entry.entryId)) notify(notice);
      }
    },
  });
}

function useAccountNotices(): void {
  const accounts = useAccounts();
  const before = useRef<readonly Account[]>([]);
  const idlePods = useRef<IdlePods | null>(null);
  useEffect(() => {
    idlePods.current = watchIdlePods({
      ...watching,
      podsOf: async (accountId) => (await api.pods.now({ accountId })).rows,
      isWanted: () => wantsNotice('pod-idle'),
    });
    return () => idlePods.current?.stop();
  }, []);
  useEffect(() => {
    if (accounts === undefined) return;
    noticesOfAccounts(words, before.current, accounts).forEach(notify);
    before.current = accounts;
    idlePods.current?.follow(accounts);
  }, [accounts]);
}

function useAlertNotices(): void {
  const accounts = useAccounts();
  const before = useRef<readonly PriceAlert[]>([]);
  useSubscription<PriceAlert[]>({
    // A notice names the account.
    key: accounts === undefined ? null : 'notices-alerts',
    ends: 'never',
    open: (signal) => api.prices.alerts(undefined, { signal }),
    onEvent(alerts) {
      noticesOfAlerts(words, before.current, alerts, accounts ?? []).forEach(notify);
      before.current = alerts;
    },
  });
}

const isAboutPause = ({ about }: StateChange): boolean => about === 'pause' || about === 'all';

function usePauseNotices(): void {
  const machine = useAccounts()?.find(({ id }) => id === THIS_MACHINE);
  const isReporting = machine !== undefined && machine.capabilities.includes('local') && !isAway(machine);
  /** Null until it is known. */
  const before = useRef<Parameters<typeof noticeOfPause>[1] | null>(null);
  useSubscription<{ changes: StateChange[] }>({
    key: isReporting ? 'notices-pause' : null,
    ends: 'never',
    open: (signal) => api.machine.changes({ accountId: THIS_MACHINE }, { signal }),
    onEvent({ changes }) {
      // If the engine does not answer, the first event of the next connection reads it again.
      if (changes.some(isAboutPause)) read().catch(() => undefined);
    },
  });
  async function read(): Promise<void> {
    const { state, source, message } = await api.machine.pauseState({ accountId: THIS_MACHINE });
    const now = { isByRule: state !== 'running' && isPauseRule(source), message };
    const notice = before.current === null ? null : noticeOfPause(words, before.current, now);
    before.current = now;
    if (notice !== null) notify(notice);
  }
}

/** Shows each notice of a kind that the person wants, while its component is mounted. */
export function useNoticeFeeds(): void {
  useJobNotices();
  useAccountNotices();
  useAlertNotices();
  usePauseNotices();
  useEffect(
    () =>
      watchAutoStops({
        ...watching,
        pods: () => api.pods.autoStops(),
        isWanted: () => wantsNotice('pod-spending'),
      }),
    [],
  );
}
