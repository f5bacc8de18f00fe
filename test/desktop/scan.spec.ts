// The desktop program reads a pairing code under its own scheme and content policy.
import { renderSVG } from 'uqr';
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, test } from './support/desktop.ts';

test('a picture of a pairing code fills in the address', async ({ desktop }) => {
  const { page } = desktop;
  const shell = new Shell(page);
  await shell.ready();
  await shell.goTo('Accounts');
  const accounts = new AccountsPage(page);
  const dialog = await accounts.scan();
  const svg = renderSVG('http://127.0.0.1:47800/#pair_0a1b');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'code.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
  await expect(dialog).toBeHidden();
  await expect(accounts.sheet.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue(
    'http://127.0.0.1:47800',
  );
});
