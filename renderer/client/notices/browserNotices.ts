/**
 * Notifications of the browser: which kinds the person wants here, and whether the browser shows them. The desktop
 * program has its own; see main/hosts/electron/notifications.
 */
import { useEffect, useSyncExternalStore } from 'react';
import * as z from 'zod';
import { notificationKinds, type NotificationKind } from '#contract/app/notices/notificationKinds.ts';
import { asJson, personalSetting } from '../../state/personalSetting.ts';

/**
 * - default      the person was not asked yet, or has not answered
 * - granted      the browser shows them
 * - denied       the browser refuses them for this page
 * - unsupported  the browser has none for pages
 * - insecure     the address of the page is neither https nor loopback: browsers offer none there
 */
export type NoticePermission = NotificationPermission | 'unsupported' | 'insecure';

const KEY = 'notifications';
const choices = asJson(z.object({ isOn: z.boolean(), off: z.array(z.enum(notificationKinds)) }));

/** A permission belongs to one browser, and so do these choices. `off`: the kinds that are not wanted. */
export const browserNotices = personalSetting(KEY, choices, { isOn: false, off: [] });

/** The constructor that has thrown: browsers of phones have one for service workers only. */
let unusable: typeof Notification | null = null;
const listeners = new Set<() => void>();

/** The permission now. */
function noticePermission(): NoticePermission {
  if (!window.isSecureContext) return 'insecure';
  // One of several open pages shows a notice, which the locks decide.
  if (!('Notification' in window) || !('locks' in navigator) || Notification === unusable) return 'unsupported';
  return Notification.permission;
}

/** A request of the page changes the permission, and so does the person in the settings of the browser. */
function subscribe(listener: () => void): () => void {
  let status: PermissionStatus | null = null;
  let isOver = false;
  listeners.add(listener);
  document.addEventListener('visibilitychange', listener);
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((queried) => {
      if (isOver) return;
      status = queried;
      status.addEventListener('change', listener);
    })
    // The browser does not report changes: the permission is read again when the page is seen again.
    .catch(() => undefined);
  return () => {
    isOver = true;
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', listener);
    status?.removeEventListener('change', listener);
  };
}

/** The permission for a component, which renders again after a change. */
export const useNoticePermission = (): NoticePermission => useSyncExternalStore(subscribe, noticePermission);

/** Has the system show a notification. Null: this browser has none for pages, which the permission then says. */
export function makeNotification(title: string, options?: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options);
  } catch {
    // From now on the permission says it.
    unusable = Notification;
    for (const listener of listeners) listener();
    return null;
  }
}

/** Asks the person for the permission unless there is an answer already, so call it on a click. Returns the answer. */
export async function askForNotices(): Promise<NoticePermission> {
  // Without a permission nothing is shown, but the constructor already tells whether pages may use it.
  if (Notification.permission === 'granted' || makeNotification('') !== null) await Notification.requestPermission();
  for (const listener of listeners) listener();
  return noticePermission();
}

/** Switches all on or off. They show only with the permission. */
export const switchNotices = (isOn: boolean): void => void browserNotices.set({ ...browserNotices.get(), isOn });

/** Switches one kind on or off. */
export function switchKind(kind: NotificationKind, isOn: boolean): void {
  const { off, ...others } = browserNotices.get();
  const rest = off.filter((other) => other !== kind);
  browserNotices.set({ ...others, off: isOn ? rest : [...rest, kind] });
}

/** Whether the person wants notifications of this kind. */
export const wantsNotice = (kind: NotificationKind): boolean => !browserNotices.get().off.includes(kind);

/** Takes over what another page of this browser chooses. Returns a function that ends it. */
function followOtherPages(): () => void {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    const chosen = key === `hangar.${KEY}` && newValue !== null ? choices.safeDecode(newValue) : null;
    if (chosen?.success) browserNotices.set(chosen.data);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

const neverChanges = (): (() => void) => () => undefined;
const unknown = (): null => null;

/** Whether this browser is to show notifications now. Mounted once. The desktop host shows those of its windows itself. */
export function useShowsNotices(): boolean {
  const { isOn } = browserNotices.use();
  const isWanted = isOn && window.hangarHost === undefined;
  // The first question for the permission stops the page for some milliseconds: it waits for another process.
  const permission = useSyncExternalStore(isWanted ? subscribe : neverChanges, isWanted ? noticePermission : unknown);
  useEffect(followOtherPages, []);
  return permission === 'granted';
}
