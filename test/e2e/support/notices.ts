/** The notices at the edge of the page, which go by themselves after eight seconds. */
import type { Page } from '@playwright/test';

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
