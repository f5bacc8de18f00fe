/** Another Hangar that shows its pairing link as a QR code, as a person sees it in their browser. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { renderSVG } from 'uqr';
import { Shell } from '../pages/shell.ts';
import { startHost, type Host } from '../support/host.ts';

/** `computer`: the link that adds it to another Hangar; `browser`: the link that opens its page. */
type LinkKind = 'computer' | 'browser';

const words: Record<LinkKind, string> = { computer: 'Pair another computer', browser: 'Pair another browser' };

export interface OtherHangar extends AsyncDisposable {
  host: Host;
  /** Creates a link and opens the tab that shows it once, with its code. */
  showCode: (kind: LinkKind) => Promise<Page>;
}

export async function startOtherHangar(browser: Browser): Promise<OtherHangar> {
  const host = await startHost();
  const context: BrowserContext = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    viewport: { width: 1280, height: 720 },
  });
  const page = await context.newPage();
  await page.goto(host.link);
  await new Shell(page).ready();
  return {
    host,
    async showCode(kind) {
      await page.goto(`${host.page}/#/settings/keys`);
      await page.getByRole('button', { name: words[kind] }).click();
      const dialog = page.getByRole('dialog', { name: words[kind] });
      await dialog.getByRole('button', { name: 'Create the link' }).click();
      const [shown] = await Promise.all([
        context.waitForEvent('page'),
        dialog.getByRole('link', { name: 'Show the link' }).click(),
      ]);
      await shown.getByRole('img', { name: 'The link as a QR code' }).waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
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

/** A picture of a pairing link that no Hangar has made. */
export const drawnCode = (): Picture => ({
  name: 'code.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(renderSVG('http://127.0.0.1:47800/#pair_0a1b')),
});

export const pictureOf = async (shown: Page): Promise<Picture> => ({
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: await shown.screenshot(),
});
