// The dialogs that no journey asks axe about have no fault, in any appearance.
import type { Page } from '@playwright/test';
import { expectFocusIn } from './pages/focus.ts';
import { call, chatty, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect } from './support/host.ts';
import { cloudV1, test } from './support/remoteTest.ts';

const OPENED = '[role=dialog], [role=note]';

/** Opens a dialog or a note, asks about it, and closes it by Escape. */
async function checkDialog(page: Page, what: string, open: () => Promise<void>): Promise<void> {
  const dialog = page.locator(OPENED);
  await open();
  await expect(dialog, what).toBeVisible();
  await expect(dialog.locator('[aria-busy=true]')).toHaveCount(0);
  await expectNoFault(page, what, OPENED);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
}

test('the dialogs of endpoints, jobs, resources and keys have no fault', async ({ page, shell, jobs, host }) => {
  const id = await makeEndpoint(host, 'asked', chatty);
  await call(host, 'POST', `/v2/${id}/runsync`, { input: { steps: 1 } });
  await call(host, 'POST', '/v1/networkvolumes', { name: 'asked-models', size: 1, dataCenterId: 'LOCAL-1' });
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const choose = async (row: string, item: string) => {
    await press(`More for ${row}`);
    await page.getByRole('menuitem', { name: item }).click();
  };

  await shell.open(`#/endpoints/${id}`);
  await checkDialog(page, 'the note about counts', () => press('How Done and Failed are counted'));
  await shell.open('#/endpoints');
  const openMenu = () => page.getByRole('row', { name: /^asked/ }).click({ button: 'right' });
  for (const item of await menuOf(page, openMenu)) {
    await checkDialog(page, `${item} of an endpoint`, async () => {
      await openMenu();
      await page.getByRole('menuitem', { name: item }).click();
    });
  }
  await shell.open('#/jobs');
  await checkDialog(page, 'the filters', () => jobs.openFilter());
  await jobs.rows.first().getByRole('checkbox').check();
  await checkDialog(page, 'the tags of jobs', () => press('Tag…'));
  await shell.open('#/run');
  await checkDialog(page, 'the last inputs', () => press(/^History/));
  await shell.open('#/machine');
  await checkDialog(page, 'a pause until a time', async () => {
    await press('More ways to pause');
    await page.getByRole('menuitem', { name: 'Until a time…' }).click();
  });
  await shell.open('#/resources');
  await checkDialog(page, 'the removal of a template', () => choose('asked', 'Delete…'));
  await shell.open('#/resources/volumes');
  await checkDialog(page, 'a new volume', () => press('New volume'));
  await checkDialog(page, 'a change of a volume', () => choose('asked-models', 'Rename or grow…'));
  await checkDialog(page, 'the removal of a volume', () => choose('asked-models', 'Delete…'));
  await page.getByRole('button', { name: 'asked-models', exact: true }).click();
  await checkDialog(page, 'a new folder', () => press('New folder'));
  await shell.open('#/settings/storage');
  await checkDialog(page, 'the removal of everything', () => press('Remove everything…'));
  await shell.open('#/settings/keys');
  await checkDialog(page, 'a link for another computer', () => press('Pair another computer'));
  for (const item of await menuOf(page, () => press(/^More for /))) {
    await checkDialog(page, `${item} of a key`, async () => {
      await press(/^More for /);
      await page.getByRole('menuitem', { name: item }).click();
    });
  }
});

/** The items of a menu that end with three dots: they ask before they do something. */
async function menuOf(page: Page, open: () => Promise<void>): Promise<string[]> {
  await open();
  await expectFocusIn(page.getByRole('menu'));
  const items = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  return items.filter((item) => item.endsWith('…'));
}

test('the dialogs of an account have no fault', async ({ page, shell, accounts, remote }) => {
  await shell.open('#/accounts');
  await accounts.add(cloudV1(remote, 'asked'));
  const command = (text: string) => () => shell.command(text);
  await checkDialog(page, 'another name of an account', command('Rename asked…'));
  await checkDialog(page, 'another key of an account', command('Replace the key of asked…'));
  await checkDialog(page, 'the removal of an account', command('Remove asked…'));
});
