// A camera that a person does not allow.
import { AccountsPage } from '../pages/accountsPage.ts';
import { expectNoFault } from '../support/handlers.ts';
import { expect, test } from '../support/host.ts';
import { cameraBrowser } from './cameraBrowser.ts';
import { drawnCode } from './shownCode.ts';

test.use({ launchOptions: cameraBrowser('two', 'refuse') });

test('a camera that is refused says so, and a picture of the code is read in its place', async ({ page, shell }) => {
  await shell.open('#/accounts');
  const accounts = new AccountsPage(page);
  const dialog = await accounts.scan();
  const notice = dialog.getByRole('status');
  await expect(notice).toContainText('Allow the camera for this page in the browser');
  await expectNoFault(page, 'a refused camera', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toContainText('The camera is not allowed.');
  await dialog.locator('input[type=file]').setInputFiles(drawnCode());
  await expect(dialog).toBeHidden();
  await expect(accounts.sheet).toContainText('A pairing link');
});
