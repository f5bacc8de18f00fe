// The desktop program reads a pairing code under its own scheme and content policy.
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { drawnCode } from '../e2e/scan/shownCode.ts';
import { expect, test } from './support/desktop.ts';

test('a picture of a pairing code fills in the address', async ({ desktop }) => {
  const { page } = desktop;
  const shell = new Shell(page);
  await shell.ready();
  await shell.goTo('Accounts');
  const accounts = new AccountsPage(page);
  const dialog = await accounts.scan();
  await dialog.locator('input[type=file]').setInputFiles(drawnCode());
  await expect(dialog).toBeHidden();
  await expect(accounts.sheet.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue(
    'http://127.0.0.1:47800',
  );
});
