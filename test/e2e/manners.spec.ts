// What is the same on every page: Escape as one step back, undo, the focus, and no sideways scroll.
import type { Locator, Page } from '@playwright/test';
import { endpointAddresses, pageAddresses } from './support/addresses.ts';
import { expectFocusIn } from './pages/focus.ts';
import { expect, test } from './support/host.ts';
import { wideParts } from './support/layout.ts';
import { call, endpointNamed } from './support/machineTest.ts';

test('Escape goes back one step: from a dialog to what is open, from there to the list', async ({
  page,
  shell,
  endpoints,
}) => {
  await shell.open('#/endpoints');
  await endpoints.open('stream-words');
  await endpoints.menu('Delete the endpoint…');
  const remove = endpoints.dialog('Delete the endpoint stream-words?');
  await expectFocusIn(remove);
  await page.keyboard.press('Escape');
  await expect(remove).toBeHidden();
  await expect(endpoints.inspector).toBeVisible();
  await endpoints.inspector.getByRole('button', { name: /^More for/ }).click();
  await expectFocusIn(page.getByRole('menu'));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(endpoints.inspector).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expectFocusIn(shell.palette);
  await page.keyboard.press('Escape');
  await expect(shell.palette).toBeHidden();
  await expect(endpoints.inspector).toBeVisible();
  await page.keyboard.press('?');
  await expectFocusIn(shell.shortcuts);
  await page.keyboard.press('Escape');
  await expect(shell.shortcuts).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(endpoints.inspector).toBeHidden();

  // Each of these opens something beside or above its list; one Escape closes it, and the page stays.
  const dialog = page.getByRole('dialog');
  const openings: { hash: string; button: Locator; opened: Locator }[] = [
    {
      hash: '#/accounts',
      button: page.getByRole('row', { name: /^This computer/ }),
      opened: page.getByRole('button', { name: 'Close the account' }),
    },
    { hash: '#/accounts', button: page.getByRole('button', { name: 'Add an account' }), opened: dialog },
    { hash: '#/endpoints', button: page.getByRole('button', { name: /^New endpoint on/ }), opened: dialog },
    { hash: '#/resources', button: page.getByRole('button', { name: 'New template' }).first(), opened: dialog },
    { hash: '#/settings/keys', button: page.getByRole('button', { name: 'New key' }), opened: dialog },
    { hash: '#/run', button: page.getByRole('button', { name: /^Saved/ }), opened: dialog },
  ];
  for (const { hash, button, opened } of openings) {
    await shell.open(hash);
    await button.click();
    await expect(opened).toBeVisible();
    // A popover closes by an Escape in itself only, and gets the focus a moment after it is shown.
    if (opened === dialog) await expect(dialog.locator(':focus')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(opened).toBeHidden();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('in the colours of the system, what is on, chosen and current is still seen', async ({ page, shell, run }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await shell.open('#/settings');
  const backgroundOf = (what: Locator): Promise<string> =>
    what.evaluate((element) => getComputedStyle(element).backgroundColor);
  const [current, other] = [
    shell.navigation.getByRole('link', { name: /^Settings/ }),
    shell.navigation.getByRole('link', { name: /^Home/ }),
  ];
  await expect.poll(async () => (await backgroundOf(current)) !== (await backgroundOf(other))).toBe(true);
  const lineOf = (tab: string): Promise<string> =>
    page.getByRole('tab', { name: tab }).evaluate((element) => getComputedStyle(element).borderBottomWidth);
  expect(await lineOf('General')).not.toBe(await lineOf('Storage'));
  const contrast = page.getByRole('switch', { name: 'High contrast' });
  const track = page.locator('.mantine-Switch-root', { has: contrast }).locator('.mantine-Switch-track');
  await expect(track).toHaveCSS('border-style', 'solid');
  // What charts and bars are painted with follows the system's wish for contrast.
  await expect(contrast).toBeChecked();
  const on = await backgroundOf(track);
  await contrast.press('Space');
  await expect(contrast).not.toBeChecked();
  await expect(track).not.toHaveCSS('background-color', on);
  await contrast.press('Space');
  await expect(track).toHaveCSS('background-color', on);
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.run();
  await expect(run.recent.and(page.locator('[data-chosen]'))).toHaveCSS('outline-style', 'solid');
});

/** The heading or the list, or the editor of Run. */
const placesOf = (page: Page): Locator =>
  page.getByRole('heading', { level: 1 }).or(page.getByRole('grid')).or(page.locator('#page .cm-content'));

test('the focus goes with the page: by the sidebar, by the palette and by a link to a tab', async ({ page, shell }) => {
  await shell.open('#/home');
  const titles = await shell.navigation.getByRole('link').locator('span').allTextContents();
  expect(titles.length).toBeGreaterThan(10);
  for (const title of titles.toReversed()) {
    await shell.navigation.getByRole('link', { name: new RegExp(`^${title}`) }).press('Enter');
    await expect(placesOf(page).and(page.locator(':focus')), title).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect(placesOf(page).and(page.locator(':focus')), `${title}, complete`).toBeVisible();
  }
  // The button that opened the palette is still there, and is not where the person goes on.
  await page.getByRole('button', { name: /^Search/ }).click();
  await shell.palette.getByPlaceholder('Search or run a command').fill('Billing');
  await expect(shell.palette.getByRole('button').first()).toContainText('Billing');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeFocused();
  await page.evaluate(() => location.assign('#/settings/keys'));
  await expect(page.getByRole('tab', { name: 'Keys' })).toBeFocused();
  await page.evaluate(() => location.assign('#/settings/ssh'));
  await expect(page.getByRole('tab', { name: 'SSH' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Keys' })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeFocused();
  await test.step('Run completes its address while the palette still fades out', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await shell.open('#/settings/keys');
    await page.getByRole('button', { name: 'New key' }).focus();
    await shell.command('Run');
    await expect(page.getByRole('textbox', { name: 'Request body, JSON' })).toBeFocused();
  });
  await test.step('a page that comes takes no focus from a field that a person types into', async () => {
    await shell.open('#/home');
    await page.keyboard.press('ControlOrMeta+k');
    const field = shell.palette.getByPlaceholder('Search or run a command');
    await field.fill('Jo');
    await page.evaluate(() => location.assign('#/accounts'));
    await expect(page.getByRole('heading', { level: 1, name: 'Accounts', includeHidden: true })).toBeVisible();
    await page.keyboard.type('bs');
    await expect(field).toHaveValue('Jobs');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid', { name: 'Accounts' })).toBeFocused();
  });
});

/** What each page has when it is complete: before that it cannot be too wide. */
const lastPart = (page: Page): Readonly<Record<string, Locator>> => ({
  '#/gpus': page.getByRole('button', { name: /^Deploy on/ }).last(),
  '#/settings': page.getByRole('radiogroup', { name: 'Theme' }),
  '#/settings/storage': page.getByRole('row', { name: /^Record of jobs/ }),
  '#/settings/keys': page.getByRole('table', { name: 'API keys' }),
  '#/settings/limits': page.getByLabel('/requests, at the same time'),
  '#/settings/ssh': page.getByRole('radiogroup', { name: 'Source of the key' }),
});

/** Longer than their place in the list. */
const LONG_TAGS = ['compare 2026-11-29 19:04:46', 'the second run at night', 'to be told to the others'];

test('nothing scrolls sideways or is cut off in a window of 420 px and at 200 % zoom, on any page', async ({
  page,
  shell,
  endpoints,
  jobs,
  host,
}) => {
  const narrow = { width: 420, height: 800 };
  // 1280 by 800 at 200 % zoom.
  const zoomed = { width: 640, height: 400 };
  const { id } = await endpointNamed(host, 'stream-words');
  await call(host, 'POST', `/v2/${id}/runsync`, { input: { text: 'one two', delayMs: 1 } });
  await shell.open('#/jobs');
  await jobs.rows.first().click();
  const tags = jobs.inspector.getByRole('combobox', { name: 'Tags' });
  for (const tag of LONG_TAGS) {
    await tags.fill(tag);
    await tags.press('Enter');
    await expect(jobs.rows.first().getByRole('button', { name: tag, includeHidden: true })).toBeAttached();
  }
  await page.setViewportSize(narrow);
  await shell.open('#/endpoints');
  await endpoints.open('stream-words');
  for (const name of ['Run', 'More for stream-words', 'Copy the link to this endpoint', 'Close the endpoint'])
    await expect(endpoints.inspector.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  const count = shell.navigation.getByRole('link', { name: /^Endpoints/ }).locator('em');
  await expect(count).toHaveText(/^\d+$/);
  await expect(count).not.toHaveCSS('color', 'rgba(0, 0, 0, 0)');
  // Each page is opened in the size in which the one before was left.
  let sizes = [narrow, zoomed];
  for (const address of [...pageAddresses, ...endpointAddresses(id)]) {
    await shell.open(address);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect(lastPart(page)[address] ?? page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const size of sizes) {
      await page.setViewportSize(size);
      const where = `${address}, ${size.width} px`;
      await expect(async () => expect(await wideParts(page), where).toEqual([])).toPass();
      await expect(shell.navigation.getByRole('link').last(), where).toBeInViewport({ ratio: 1 });
    }
    sizes = sizes.toReversed();
  }
});

test('a notice stays while the pointer rests where it came, also as a dialog closed there', async ({
  page,
  shell,
  host,
}) => {
  await call(host, 'POST', '/v1/templates', { name: 'to-read', imageName: 'me/box:1' });
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 800 });
  await shell.open('#/resources');
  await page.getByRole('button', { name: 'More for to-read' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.mouse.move(1150, 735);
  await page.getByRole('button', { name: 'Delete the template' }).press('Enter');
  const notice = page.getByRole('alert').filter({ hasText: 'Deleted to-read' });
  // The browser has seen that the pointer is on it.
  await expect(notice.and(page.locator(':hover'))).toBeVisible();
  await page.clock.fastForward(20_000);
  // What the page does now is done after a notice has left.
  await page.keyboard.press('?');
  await expect(shell.shortcuts).toBeVisible();
  await expect(notice).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.move(10, 10);
  await page.clock.fastForward(20_000);
  await expect(notice).toBeHidden();
});
