// A new handler from a template, its folder chosen in the dialog of the browser, against the built host.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost, test } from './support/host.ts';

let parent: string;
test.beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'hangar-new-handler-'));
  mkdirSync(join(parent, 'projects-of-ann'));
  mkdirSync(join(parent, 'projects-of-bo'));
});
test.afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('a new handler is written into a folder that the dialog completes, runs at once, and takes a change', async ({
  page,
  shell,
  endpoints,
  run,
}) => {
  await shell.open('#/endpoints');
  await endpoints.begin('New handler');
  await endpoints.sheet.getByRole('button', { name: 'Choose a folder…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a folder of this computer' });
  const path = dialog.getByRole('textbox', { name: 'Path' });
  await test.step('Escape closes the dialog of a folder alone, and then the sheet below it', async () => {
    await expect(path).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(endpoints.sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(endpoints.sheet).toBeHidden();
  });
  await endpoints.begin('New handler');
  await endpoints.sheet.getByText('Node', { exact: true }).click();
  await endpoints.field('Name').fill('greeter');
  await endpoints.sheet.getByRole('button', { name: 'Choose a folder…' }).click();
  await path.fill(`${parent}/pro`);
  await expect(dialog.getByRole('button', { name: 'projects-of-bo' })).toBeVisible();
  await path.press('Tab');
  await expect(path).toHaveValue(`${parent}/projects-of-`);
  await path.pressSequentially('a');
  await expect(dialog.getByRole('button', { name: 'projects-of-bo' })).toBeHidden();
  await expectNoFault(page, 'the dialog of a folder', '[role=dialog]');
  await path.press('Tab');
  await expect(path).toHaveValue(`${parent}/projects-of-ann/`);
  await dialog.getByRole('button', { name: 'Choose this folder' }).click();
  await expect(endpoints.field('In the folder')).toHaveValue(`${parent}/projects-of-ann`);
  await endpoints.sheet.getByRole('button', { name: 'Create the handler' }).click();

  const folder = join(parent, 'projects-of-ann', 'greeter');
  await expect(endpoints.sheet.getByRole('status')).toContainText(folder);
  await expect(endpoints.sheet.getByRole('button', { name: 'Copy folder' })).toBeVisible();
  await expect(endpoints.sheet.getByRole('button', { name: 'Edit the code' })).toBeVisible();
  await expectNoFault(page, 'a new handler', '[role=dialog]');
  expect(readdirSync(folder).toSorted()).toEqual(['README.md', 'handler.mjs', 'package.json', 'test_input.json']);
  await endpoints.sheet.getByRole('button', { name: 'Run it' }).click();
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('Hello, world!');
  const handler = join(folder, 'handler.mjs');
  writeFileSync(handler, readFileSync(handler, 'utf8').replace('Hello', 'Good evening'));
  await expect(async () => {
    await run.run();
    await run.expectState('Done');
    await expect(run.output).toContainText('Good evening, world!', { timeout: 2000 });
  }).toPass();
});

test('a handler in Python runs as it is, and a name that is taken is refused with everything left as it was', async ({
  shell,
  endpoints,
  run,
}) => {
  await shell.open('#/endpoints');
  await endpoints.begin('New handler');
  await endpoints.fill({ Name: 'py-greeter', 'In the folder': parent });
  await endpoints.sheet.getByRole('button', { name: 'Create the handler' }).click();
  await endpoints.sheet.getByRole('button', { name: 'Run it' }).click();
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('Hello, world!');

  writeFileSync(join(parent, 'py-greeter', 'handler.py'), 'mine = True\n');
  await shell.goTo('Endpoints');
  await endpoints.begin('New handler');
  await endpoints.fill({ Name: 'py-greeter' });
  await expect(endpoints.field('In the folder')).toHaveValue(parent);
  await endpoints.sheet.getByRole('button', { name: 'Create the handler' }).click();
  await expect(endpoints.field('Name')).toHaveAccessibleDescription(/^The name "py-greeter" is taken/);
  expect(readFileSync(join(parent, 'py-greeter', 'handler.py'), 'utf8')).toBe('mine = True\n');
  expect(existsSync(join(parent, 'py-greeter', 'handler.mjs'))).toBe(false);
  await endpoints.fill({ Name: 'not a name!' });
  await endpoints.field('In the folder').focus();
  await expect(endpoints.sheet).toContainText('Use 1 to 63 letters, digits');
});

test('a file is chosen in the dialog, too: only a file', async ({ page, shell }) => {
  writeFileSync(join(parent, 'export.tar.gz'), '');
  await shell.open('#/settings/storage');
  const form = page.locator('form', { has: page.getByLabel('Import from') });
  const dialog = page.getByRole('dialog', { name: 'Choose a file of this computer' });
  // The list of what takes how much comes above the form, and moves its button.
  await expect(page.getByText('Small files of Hangar')).toBeVisible();
  await form.getByRole('button', { name: 'Choose a file…' }).click();
  await dialog.getByRole('textbox', { name: 'Path' }).fill(`${parent}/`);
  await expect(dialog.getByRole('button', { name: 'export.tar.gz' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Choose this file' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'export.tar.gz' }).click();
  await dialog.getByRole('button', { name: 'Choose this file' }).click();
  await expect(page.getByLabel('Import from')).toHaveValue(`${parent}/export.tar.gz`);
});

test('the code of a sample is edited in the window, and the next job runs it', async ({
  page,
  shell,
  endpoints,
  run,
}) => {
  // The folder of its data is in this home.
  const host = await startHost({ home: parent });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Endpoints');
  await endpoints.open('stream-words');
  await endpoints.inspector.getByRole('button', { name: 'Code', exact: true }).click();
  // The file of the handler is open at once.
  const dialog = page.getByRole('dialog', { name: 'handler.mjs' });
  const editor = dialog.getByRole('textbox', { name: 'Text of handler.mjs' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText("export default () => 'edited in the window';");
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Saved', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await shell.goTo('Run');
  await run.choose('stream-words');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('edited in the window');
});
