/** Another Hangar that shows its pairing link as a QR code, as a person sees it in their browser. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { renderSVG } from 'uqr';
import { Shell } from '../pages/shell.ts';
import { startHost, type Host } from '../support/host.ts';

export interface OtherHangar extends AsyncDisposable {
  host: Host;
  /** A tab with the code of the link that opens its page in a browser. */
  showBrowserCode: () => Promise<Page>;
  /** Creates the link that adds it to another Hangar, and opens the tab that shows it once, with its code. */
  showCode: () => Promise<Page>;
}

/** Shows nothing but the code of a link, as large as the window is high. */
export const showCodeOf = (page: Page, link: string): Promise<void> =>
  page.setContent(`<style>svg { height: 90vh }</style>${renderSVG(link, { border: 4 })}`);

export async function startOtherHangar(browser: Browser): Promise<OtherHangar> {
  const host = await startHost();
  const context: BrowserContext = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    viewport: { width: 1280, height: 720 },
  });
  return {
    host,
    async showBrowserCode() {
      const shown = await context.newPage();
      await showCodeOf(shown, host.link);
      return shown;
    },
    async showCode() {
      const page = await context.newPage();
      await page.goto(host.link);
      await new Shell(page).ready();
      await page.goto(`${host.page}/#/settings/keys`);
      await page.getByRole('button', { name: 'Pair another computer' }).click();
      const dialog = page.getByRole('dialog', { name: 'Pair another computer' });
      await dialog.getByRole('button', { name: 'Create the link' }).click();
      const [shown] = await Promise.all([
        context.waitForEvent('page'),
        dialog.getByRole('link', { name: 'Show the link' }).click(),
      ]);
      await shown.getByRole('img', { name: 'The link as a QR code' }).waitFor();
      return shown;
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await host.stop();
    },
  };
}

/** A file, as Playwright gives it to a page. */
export interface Picture {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A pairing link that no Hangar has made, and what it fills in as the address of an account. */
export const drawnAddress = 'http://127.0.0.1:47800';
export const drawnLink = `${drawnAddress}/#pair_0a1b`;

/** A picture of that link. */
export const drawnCode = (): Picture => ({
  name: 'code.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(renderSVG(drawnLink)),
});
