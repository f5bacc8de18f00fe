/** The notifications of a browser, which jsdom lacks. */
import { vi } from 'vitest';

/** A notification that the page has had shown. */
export interface ShownNotice extends EventTarget {
  readonly title: string;
  readonly body: string | undefined;
  isClosed: boolean;
}

export interface NoticesOfBrowser {
  permission: NotificationPermission;
  /** What the person answers when the browser asks. */
  answer: NotificationPermission | Promise<NotificationPermission>;
  /** How often the browser has asked. */
  asked: number;
  /** Whether pages may use the constructor; those of phones may not. */
  isForPages: boolean;
  /** Those that were shown, which needs the permission. */
  readonly shown: ShownNotice[];
}

/** Gives the page notifications until `vi.unstubAllGlobals()`. */
export function giveNotices(): NoticesOfBrowser {
  const browser: NoticesOfBrowser = {
    permission: 'default',
    answer: 'granted',
    asked: 0,
    isForPages: true,
    shown: [],
  };
  class BrowserNotification extends EventTarget implements ShownNotice {
    static get permission(): NotificationPermission {
      return browser.permission;
    }

    static async requestPermission(): Promise<NotificationPermission> {
      browser.asked += 1;
      browser.permission = await browser.answer;
      return browser.permission;
    }

    readonly title: string;
    readonly body: string | undefined;
    isClosed = false;

    constructor(title: string, { body }: NotificationOptions = {}) {
      super();
      if (!browser.isForPages) throw new TypeError('Illegal constructor');
      this.title = title;
      this.body = body;
      if (browser.permission === 'granted') browser.shown.push(this);
    }

    close(): void {
      this.isClosed = true;
    }
  }
  vi.stubGlobal('Notification', BrowserNotification);
  return browser;
}
