// A camera reads the pairing code of another Hangar. The browser plays a film of what the other Hangar shows.
import { AccountsPage } from '../pages/accountsPage.ts';
import { expect, test } from '../support/host.ts';
import { cameraBrowser, cameraStates, film, noteCameras } from './cameraBrowser.ts';
import { startOtherHangar } from './shownCode.ts';

test.use({ launchOptions: cameraBrowser('film', 'allow') });

test(
  'another Hangar is added by the code that it shows to the camera',
  { tag: '@journey' },
  async ({ page, browser, shell }) => {
    await using other = await startOtherHangar(browser);
    await noteCameras(page);
    const accounts = new AccountsPage(page);
    await shell.open('#/accounts');
    await film(await other.showBrowserCode(), await other.showCode());
    // The right code closes the dialog a moment later.
    const notice = page
      .getByRole('dialog', { name: 'Scan a pairing code' })
      .getByText('This link opens Hangar in a browser');
    const noticed = notice.waitFor();
    const dialog = await accounts.scan();
    await test.step('the link of a page is refused in words, and the camera reads on', () => noticed);
    await expect(dialog).toBeHidden();
    await expect(accounts.sheet.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue(/^http:\/\/[^#]+$/);
    await expect(accounts.sheet).toContainText('A pairing link: Hangar creates its own key');
    await expect(accounts.sheet.getByRole('button', { name: 'Scan a code…' })).toBeFocused();
    await test.step('the camera has stopped', () => expect.poll(() => cameraStates(page)).toEqual(['video ended']));
    await test.step('the account works with a key of its own', async () => {
      await accounts.submit('Scanned');
      await accounts.switchTo('Scanned');
      await shell.navigation.getByRole('link', { name: /^Machine/ }).click();
      await expect(page.getByRole('region', { name: 'Engine' })).toContainText(new URL(other.host.api).host);
    });
  },
);
