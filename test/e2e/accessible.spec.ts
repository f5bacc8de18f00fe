// What opens over a page, and what is only there for a while, has no fault that axe knows, in any appearance.
import { call, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { keepNotices } from './support/notices.ts';

/** What has opened something. The pages below are looked at in accessiblePages.spec.ts. */
const OPENER = '[aria-expanded=true]';

const QUICK = `export default async (job) => 'said ' + job.input.text;`;

test('the whole of Run, its picker of endpoints and its code have no fault', async ({ page, shell, run, host }) => {
  // A picker with a field to search in, which there is from eight endpoints on.
  const choices: string[] = [];
  for (let count = 1; count <= 8; count += 1) choices.push(await makeEndpoint(host, `choice-${count}`, QUICK));
  await shell.open('#/run');
  await run.choose('choice-3');
  await page.getByRole('button', { name: /^Endpoint:/ }).click();
  await expect(page.getByRole('option', { name: 'choice-3' })).toBeVisible();
  await expectNoFault(page, 'Run with its picker of endpoints');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option', { name: 'choice-3' })).toBeHidden();
  for (const language of ['Python', 'curl', 'JS']) {
    await page.getByRole('group', { name: 'Request as code' }).getByRole('button', { name: language }).click();
    // Its colours come a moment later.
    await expect(
      page
        .getByRole('region', { name: /^Code for/ })
        .locator('[data-token~=string]')
        .first(),
    ).toBeVisible();
    await expectNoFault(page, `the code in ${language}`, `${OPENER}, [aria-label^="Code for"]`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('region', { name: /^Code for/ })).toBeHidden();
  }
  // So many would push the endpoints of other tests out of the list that is drawn.
  for (const id of choices) await call(host, 'DELETE', `/v1/endpoints/${id}`);
});

test('the menus of the frame, of a page and of a row have no fault', async ({ page, shell, host }) => {
  const opened = async (name: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name }).first().click();
    await expect(page.getByRole('menu')).toBeVisible();
    await expectNoFault(page, `the menu of ${String(name)}`, `${OPENER}, [role=menu]`);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  };
  await makeEndpoint(host, 'for-menus', QUICK);
  await shell.open('#/resources');
  await opened(/^More for for-menus/);
  await opened(/^Target:/);
  await opened('Appearance');
  await shell.open('#/endpoints');
  await page.getByRole('gridcell', { name: 'for-menus' }).click();
  await opened('More for for-menus');
  await shell.open('#/machine');
  await opened('More ways to pause');
  await shell.open('#/terminals');
  await opened(/^New terminal/);
});

test('a worker that has ended is shown without fault', async ({ page, shell, endpoints, host }) => {
  const id = await makeEndpoint(host, 'short-lived', QUICK, { idleTimeout: 1 });
  await call(host, 'POST', `/v2/${id}/runsync`, { input: { text: 'it' } });
  await shell.open(`#/endpoints/${id}/workers`);
  await expect(endpoints.inspector.getByText(/^Ended /).first()).toBeVisible();
  await expectNoFault(page, 'the workers', '[aria-label=Endpoint]');
});

test('a menu shows the ring of focus only to a person who opened it or goes on by keys', async ({ page, shell }) => {
  await shell.open('#/home');
  const button = page.getByRole('button', { name: 'Appearance' });
  const item = page.getByRole('menuitemradio', { name: 'Match system' });
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await expect(item).toBeHidden();
    await expect(button).toBeFocused();
  };
  await button.press('Enter');
  await expect(item).toBeFocused();
  await expect(item).toHaveCSS('outline-style', 'solid');
  await expect(item).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await close();
  // The button has the ring now, which the browser hands on to what gets the focus from it.
  await button.click();
  await expect(item).toBeFocused();
  await expect(item).toHaveCSS('outline-style', 'none');
  await expect(item).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await page.keyboard.press('ArrowDown');
  const next = page.getByRole('menuitemradio', { name: 'Light' });
  await expect(next).toBeFocused();
  await expect(next).toHaveCSS('outline-style', 'solid');
  await close();
});

test('the sheet of shortcuts and an offer to undo have no fault', async ({ page, shell, run, jobs, host }) => {
  await keepNotices(page);
  await shell.open('#/home');
  await page.keyboard.press('?');
  await expect(shell.shortcuts).toBeVisible();
  await expectNoFault(page, 'the sheet of shortcuts', '[role=dialog]');
  await page.keyboard.press('Escape');

  await makeEndpoint(host, 'to-undo', QUICK);
  await shell.open('#/run');
  await run.choose('to-undo');
  await run.write('{"input": {"text": "first"}}');
  await run.run();
  await run.expectState('Done');
  await run.write('{"input": {"text": "another"}}');
  await shell.goTo('Jobs');
  await page.getByRole('grid').getByRole('row').filter({ hasText: 'to-undo' }).first().click();
  await jobs.editAndRun();
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible();
  await expectNoFault(page, 'an offer to undo', '.mantine-Notification-root');
});
