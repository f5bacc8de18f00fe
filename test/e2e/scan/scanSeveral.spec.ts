// A computer with several cameras, and the end of the dialog that uses them.
import { AccountsPage } from '../pages/accountsPage.ts';
import { expectNoFault } from '../support/handlers.ts';
import { expect, test } from '../support/host.ts';
import { cameraBrowser, cameraStates, noteCameras } from './cameraBrowser.ts';

test.use({ launchOptions: cameraBrowser('two', 'allow') });

test('one of several cameras is chosen, and Escape stops it and leaves the form open', async ({ page, shell }) => {
  await noteCameras(page);
  await shell.open('#/accounts');
  const accounts = new AccountsPage(page);
  const dialog = await accounts.scan();
  const video = dialog.getByLabel('The picture of the camera');
  const expectPicture = () =>
    expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).videoWidth)).toBeGreaterThan(0);
  await expectPicture();
  await expectNoFault(page, 'the camera', '[role=dialog]');
  const choice = dialog.getByRole('combobox', { name: 'Camera' });
  const first = await choice.inputValue();
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => cameraStates(page)).toEqual(['video ended', 'video live']);
  await expectPicture();
  await expect(choice).not.toHaveValue(first);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(accounts.sheet).toBeVisible();
  await expect.poll(() => cameraStates(page)).toEqual(['video ended', 'video ended']);
});
