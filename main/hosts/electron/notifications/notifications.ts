/** Shows system notifications while no window of Hangar has the focus. A click opens the related page. */
import { BrowserWindow, Notification } from 'electron';
import type { Logger } from 'pino';
import type { Account } from '#contract/app/account.ts';
import type { PriceAlert } from '#contract/app/price.ts';
import type { DesktopSettings } from '#contract/bridge/host.ts';
import { watchAutoStops } from '#contract/notices/autoStops.ts';
import { watchIdlePods } from '#contract/notices/idlePods.ts';
import {
  noticeOfJob,
  noticeOfPause,
  noticesOfAccounts,
  noticesOfAlerts,
  type Notice,
  type Words,
} from '#contract/notices/notices.ts';
import { systemClock } from '../../../app/platform/clock.ts';
import type { Activity } from '../background/activity.ts';
import { t } from '../language/text.ts';
import type { AppClient } from '../service.ts';
import type { Windows } from '../windows/windows.ts';

interface NotificationOptions {
  readonly settings: () => DesktopSettings;
  readonly windows: Pick<Windows, 'send'>;
  readonly logger: Logger;
}

export interface Notifications {
  /** Follows one run of the app until it stops. */
  follow(client: AppClient): void;
  activityChanged(activity: Activity, before: Activity): void;
}

const words: Words = { t };

/** How many notified jobs are remembered, so that none is notified twice. */
const REMEMBERED = 1000;

export function createNotifications({ settings, windows, logger }: NotificationOptions): Notifications {
  /** References to visible notifications: after garbage collection, a click would have no effect. */
  const shown = new Set<Notification>();

  function show({ kind, title, body, address, accountId }: Notice): void {
    if (!settings().notify[kind] || BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.on('click', () => {
      shown.delete(notification);
      windows.send({ type: 'open', address, ...(accountId !== undefined && { accountId }) });
    });
    notification.on('close', () => shown.delete(notification));
    notification.show();
  }

  async function followJobs(client: AppClient): Promise<void> {
    const done = new Set<string>();
    for await (const { entries } of await client.jobs.changes()) {
      for (const entry of entries) {
        const notice = noticeOfJob(words, entry, Date.now());
        if (notice === null || done.has(entry.entryId)) continue;
        if (done.size >= REMEMBERED) done.clear();
        done.add(entry.entryId);
        show(notice);
      }
    }
  }

  async function followAccounts(client: AppClient): Promise<void> {
    const pods = watchIdlePods({
      podsOf: async (accountId) => (await client.pods.now({ accountId })).rows,
      isWanted: () => settings().notify['pod-idle'],
      notify: show,
      words,
      clock: systemClock,
      onFailure: (reason) => logger.debug({ reason }, 'Pods could not be read for notifications'),
    });
    try {
      let before: readonly Account[] = [];
      for await (const accounts of await client.accounts.changes()) {
        noticesOfAccounts(words, before, accounts).forEach(show);
        pods.follow(accounts);
        before = accounts;
      }
    } finally {
      pods.stop();
    }
  }

  async function followAutoStops(client: AppClient): Promise<void> {
    const stop = watchAutoStops({
      pods: () => client.pods.autoStops(),
      isWanted: () => settings().notify['pod-spending'],
      notify: show,
      words,
      clock: systemClock,
      onFailure: (reason) => logger.debug({ reason }, 'Pods could not be read for notifications'),
    });
    try {
      // The iterator ends with the app.
      for await (const _ of await client.accounts.changes());
    } finally {
      stop();
    }
  }

  async function followAlerts(client: AppClient): Promise<void> {
    let before: readonly PriceAlert[] = [];
    for await (const alerts of await client.prices.alerts()) {
      noticesOfAlerts(words, before, alerts, await client.accounts.list()).forEach(show);
      before = alerts;
    }
  }

  return {
    follow(client) {
      // The iterators end with the app; its next start begins new ones.
      const ended = (error: unknown): void => logger.debug({ err: error }, 'notifications ended with the app');
      followJobs(client).catch(ended);
      followAccounts(client).catch(ended);
      followAlerts(client).catch(ended);
      followAutoStops(client).catch(ended);
    },
    activityChanged(activity, before) {
      const notice = noticeOfPause(words, before, activity);
      if (notice !== null) show(notice);
    },
  };
}
