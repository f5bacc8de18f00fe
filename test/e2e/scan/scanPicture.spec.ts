// A picture of the pairing code in place of a camera: from a file, from the clipboard, or dropped.
import { networkInterfaces } from 'node:os';
import type { Locator, Page } from '@playwright/test';
import { AccountsPage } from '../pages/accountsPage.ts';
import { expect, startHost, test } from '../support/host.ts';
import { drawnAddress, drawnCode, drawnLink, showCodeOf, type Picture } from './shownCode.ts';

/** Pastes or drops a file, which no tool of the browser's test does with the keyboard or the mouse. */
const bring = (page: Page, how: 'paste' | 'drop', { name, mimeType, buffer }: Picture): Promise<void> =>
  page.evaluate(
    ({ how, name, mimeType, text }) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type: mimeType }));
      const options = { bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { how, name, mimeType, text: buffer.toString('base64') },
  );

test('beside a computer without a camera, a picture of the code is chosen, pasted or dropped', async ({
  page,
  context,
  shell,
}) => {
  await context.grantPermissions(['camera']);
  await shell.open('#/accounts');
  const accounts = new AccountsPage(page);
  const expectFilled = async (dialog: Locator): Promise<void> => {
    await expect(dialog).toBeHidden();
    await expect(accounts.sheet.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue(drawnAddress);
    await expect(accounts.sheet).toContainText('A pairing link');
    await page.keyboard.press('Escape');
    await expect(accounts.sheet).toBeHidden();
  };
  await test.step('a file without a code, and one that is no picture, say so; a photo of the code is read', async () => {
    const dialog = await accounts.scan();
    const choose = (file: Picture) => dialog.locator('input[type=file]').setInputFiles(file);
    await expect(dialog).toContainText('No camera was found.');
    await choose({ name: 'page.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await expect(dialog).toContainText('No QR code was found in “page.png”.');
    await choose({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('notes') });
    await expect(dialog).toContainText('This browser cannot show “notes.png” as a picture.');
    const shown = await context.newPage();
    await showCodeOf(shown, drawnLink);
    await choose({ name: 'photo.png', mimeType: 'image/png', buffer: await shown.screenshot() });
    await shown.close();
    await expectFilled(dialog);
  });
  for (const how of ['paste', 'drop'] as const) {
    await test.step(how, async () => {
      const dialog = await accounts.scan();
      await bring(page, how, drawnCode());
      await expectFilled(dialog);
    });
  }
});

test('a page at an http address of another computer says why it has no camera, and takes a picture', async ({
  browser,
}) => {
  const address = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  test.skip(address === undefined, 'This computer has no address in a network.');
  const host = await startHost({ flags: ['--host', address ?? '', '--allow-lan'] });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await page.goto(host.link);
  await page.goto(`${host.page}/#/accounts`);
  const accounts = new AccountsPage(page);
  const dialog = await accounts.scan();
  await expect(dialog).toContainText(`This page is open at ${host.page}. A camera needs an https address`);
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeHidden();
  await dialog.locator('input[type=file]').setInputFiles(drawnCode());
  await expect(dialog).toBeHidden();
  await expect(accounts.sheet).toContainText('A pairing link');
  await context.close();
});
