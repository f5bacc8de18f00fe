import { act, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { JobChanges, LedgerEntry } from '#contract/app/ledger.ts';
import type { PriceAlert } from '#contract/app/price.ts';
import type { NotificationKind } from '#contract/app/notices/notificationKinds.ts';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { giveNotices, type NoticesOfBrowser } from '../../../test/support/page/browser/notification.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { targetAccount } from '../../state/selection.ts';
import { orpc, queryClient } from '../transport/orpc.ts';
import { browserNotices, switchKind, switchNotices, useShowsNotices } from './browserNotices.ts';
import NoticeFeeds from './NoticeFeeds.tsx';

/** A stream that the test writes, for one reader at a time. */
function createStream<Event>() {
  const queue: Event[] = [];
  let wake = (): void => undefined;
  return {
    say(event: Event): void {
      queue.push(event);
      wake();
    },
    async *read(): AsyncGenerator<Event> {
      for (;;) {
        const event = queue.shift();
        if (event !== undefined) yield event;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

const work: Account = { ...thisComputer, id: 'work', name: 'Work', kind: 'cloud', capabilities: ['jobs'] };
const running: PauseState = {
  state: 'running',
  source: null,
  message: null,
  since: null,
  until: null,
  overruled: [],
};
const alert: PriceAlert = {
  alertId: 'a',
  accountId: 'work',
  gpuTypeId: 'g',
  gpuName: 'RTX 4090',
  below: null,
  createdAt: 1,
  metAt: null,
  price: null,
  checkedAt: null,
};

/** As the page mounts it. */
function Notices() {
  return useShowsNotices() && <NoticeFeeds />;
}

describe('the notifications of a browser', () => {
  let browser: NoticesOfBrowser;
  let jobs: ReturnType<typeof createStream<JobChanges>>;
  let alerts: ReturnType<typeof createStream<PriceAlert[]>>;
  let machine: ReturnType<typeof createStream<{ changes: StateChange[] }>>;
  let pauseNow: PauseState;
  let pauseReads: number;
  let alertReads: number;
  const host = window.hangarHost;
  const setHost = (value: unknown) => Object.defineProperty(window, 'hangarHost', { configurable: true, value });

  beforeEach(() => {
    browser = giveNotices();
    browser.permission = 'granted';
    [jobs, alerts, machine] = [createStream(), createStream(), createStream()];
    [pauseNow, pauseReads, alertReads] = [running, 0, 0];
    setHost(undefined);
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    switchNotices(true);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    setHost(host);
  });

  function renderNotices() {
    return renderPage(<Notices />, {
      accounts: { list: () => [thisComputer, work] },
      jobs: { changes: () => jobs.read() },
      pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem: null }) },
      prices: {
        alerts() {
          alertReads += 1;
          return alerts.read();
        },
      },
      machine: {
        changes: () => machine.read(),
        pauseState() {
          pauseReads += 1;
          return pauseNow;
        },
      },
    });
  }
  const failed = (entryId: string, fields: Partial<LedgerEntry> = {}): JobChanges => ({
    entries: [entryOf({ entryId, status: 'FAILED', finishedAt: Date.now(), error: 'no such file', ...fields })],
    others: 0,
  });
  const titles = (): string[] => browser.shown.map(({ title }) => title);
  const shown = (wanted: readonly string[]) => waitFor(() => expect(titles()).toEqual(wanted));
  const click = (): void => act(() => void browser.shown.at(-1)?.dispatchEvent(new Event('click')));

  it('tell of a job that fails, once, and a click opens it', async () => {
    renderNotices();
    jobs.say(failed('e-1'));
    jobs.say(failed('e-1', { tags: ['seen'] }));
    jobs.say(failed('e-2', { endpointName: 'images' }));
    await shown(['A job of words failed', 'A job of images failed']);
    expect(browser.shown[1]?.body).toBe('no such file');
    click();
    expect(location.hash).toBe('#/jobs/e-2');
    expect(browser.shown[1]?.isClosed).toBe(true);
  });

  it('tell of a job once, also if it ended while no page showed them, and of none before the first page did', async () => {
    const times: (number | undefined)[] = [];
    const sent = [failed('e-1'), failed('e-2', { endpointName: 'images' })];
    const answers = {
      accounts: { list: () => [thisComputer, work] },
      jobs: {
        async *changes(input: { endedSince: number } | undefined) {
          times.push(input?.endedSince);
          yield* sent.slice(0, times.length);
          await new Promise(() => undefined);
        },
      },
      prices: {
        alerts() {
          alertReads += 1;
          return alerts.read();
        },
      },
      machine: { changes: () => machine.read(), pauseState: () => pauseNow },
      pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem: null }) },
    };
    const begun = Date.now();
    renderPage(<Notices />, answers);
    await shown(['A job of words failed']);
    expect(times[0]).toBeGreaterThanOrEqual(begun);
    act(() => switchNotices(false));
    act(() => switchNotices(true));
    await shown(['A job of words failed', 'A job of images failed']);
    // Jobs that ended before the first page began stay out, however recent they are.
    expect(times[1]).toBe(times[0]);
  });

  it('do not come while the page has the focus, nor of a kind that is off', async () => {
    renderNotices();
    const kind: NotificationKind = 'job-failed';
    switchKind(kind, false);
    jobs.say(failed('e-1'));
    jobs.say(failed('e-2', { status: 'COMPLETED', startedAt: Date.now() - 40_000 }));
    await shown(['A job of words is done']);
    switchKind(kind, true);
    vi.mocked(document.hasFocus).mockReturnValue(true);
    jobs.say(failed('e-3'));
    await waitFor(() => expect(document.hasFocus).toHaveReturnedWith(true));
    vi.mocked(document.hasFocus).mockReturnValue(false);
    jobs.say(failed('e-4', { endpointName: 'images' }));
    await shown(['A job of words is done', 'A job of images failed']);
  });

  it('tell of an account that refuses its key, and a click opens it', async () => {
    renderNotices();
    // The alerts are read once the notifications know the accounts.
    await waitFor(() => expect(alertReads).toBe(1));
    const list = orpc.accounts.list.queryKey();
    const refused: Account = { ...work, state: 'refused', reason: 'The key was revoked.' };
    act(() => void queryClient.setQueryData(list, [thisComputer, refused]));
    await shown(['Work refuses its key']);
    click();
    expect(location.hash).toBe('#/accounts/work');
  });

  it('tell of a GPU that is in stock again, and a click opens the prices of its account', async () => {
    renderNotices();
    // Also what comes before the accounts are known.
    alerts.say([alert]);
    alerts.say([{ ...alert, metAt: 2, price: 0.5 }]);
    await shown(['RTX 4090 is in stock on Work']);
    click();
    expect([location.hash, targetAccount.get()]).toEqual(['#/gpus', 'work']);
  });

  it('tell of a rule that pauses this computer, but not of a pause that was there before', async () => {
    renderNotices();
    const pausedNow: PauseState = { ...running, state: 'paused', source: 'battery', message: 'It runs on battery.' };
    const say = async (pause: PauseState): Promise<void> => {
      pauseNow = pause;
      const before = pauseReads;
      machine.say({ changes: [{ about: 'pause', id: null }] });
      await waitFor(() => expect(pauseReads).toBe(before + 1));
    };
    await say(pausedNow);
    await say(running);
    await say(pausedNow);
    await shown(['Jobs on this computer are paused']);
    expect(browser.shown[0]?.body).toBe('It runs on battery.');
  });

  it('are turned on and off by another page of the browser, too', async () => {
    const { screen } = renderNotices();
    const chosen = (isOn: boolean) =>
      new StorageEvent('storage', { key: 'hangar.notifications', newValue: JSON.stringify({ isOn, off: [] }) });
    act(() => void window.dispatchEvent(chosen(false)));
    expect(browserNotices.get().isOn).toBe(false);
    expect(screen.getByRole('main')).toBeEmptyDOMElement();
    act(() => void window.dispatchEvent(chosen(true)));
    jobs.say(failed('e-1'));
    await shown(['A job of words failed']);
  });

  it('are those of the desktop program in its windows', async () => {
    setHost(host ?? {});
    renderNotices();
    expect(await navigator.locks.query()).toMatchObject({ held: [], pending: [] });
  });
});
