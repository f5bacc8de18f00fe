/** The notices at the edge of the page, which go by themselves after eight seconds, and notifications of the browser. */
import type { BrowserContext, Page } from '@playwright/test';

declare global {
  interface Window {
    shownNotices: Notification[];
  }
}

/** As `NoticeList` and `offerUndo` of the page have it. */
const SHOWN_MS = 8000;

/**
 * Lets each notice stay until it is closed, so that a slow machine has the time to read it, or to press its button. To
 * be called before the page is opened.
 */
export async function keepNotices(page: Page): Promise<void> {
  await page.addInitScript((shownMs) => {
    const later = window.setTimeout;
    window.setTimeout = ((run: () => void, ms?: number, ...rest: unknown[]) =>
      ms === shownMs ? 0 : later(run, ms, ...rest)) as typeof setTimeout;
  }, SHOWN_MS);
}

/** Turns the notifications of the browser on and off, in Settings. */
export const mainSwitch = (page: Page) => page.getByRole('switch', { name: 'Show notifications in this browser' });

/**
 * Records the notifications of all pages. `chromium-headless-shell` has no part that shows them: its permission is
 * always "denied", and it tells each notification of an error. There only the permission is replaced.
 */
export async function recordNotices(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['notifications']);
  await context.addInitScript(() => {
    window.shownNotices = [];
    window.Notification = class extends Notification {
      static override get permission(): NotificationPermission {
        return 'granted';
      }

      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        window.shownNotices.push(this);
      }
    };
    // Pages of a headless browser all have the focus.
    document.hasFocus = () => sessionStorage.getItem('focus') === 'yes';
  });
}

/** The titles of the notifications that a page has shown. */
export const shownIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.shownNotices.map(({ title }) => title));
