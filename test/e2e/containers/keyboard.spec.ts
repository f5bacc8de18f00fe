// Everything that a person does every day, with the keys alone: no pointer is used after the page has opened.
import type { Locator, Page } from '@playwright/test';
import { writeHandler } from '../support/handlers.ts';
import { expect, SHELL_IMAGE, test } from './containerHost.ts';

const STAYS = `/bin/sh -c "trap 'exit 0' TERM; while :; do sleep 0.2; done"`;
const ENDLESS = `export default async function* (job, { signal }) {
  yield 'started';
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}`;
/** More stops than any page has. */
const STOPS = 80;

/**
 * Presses Tab until `target` has the focus. The radio of a segment is drawn by its label, so it need not be visible.
 */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeAttached();
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${STOPS} stops with Tab did not reach ${String(target)}.`);
}

async function press(page: Page, button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await tabTo(page, button);
  await page.keyboard.press('Enter');
}

/** Types into a field that Tab reaches, in place of what it has. */
async function write(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

test('an endpoint is made, a job run and cancelled, a Pod deployed and a terminal used with the keys alone', async ({
  page,
  shell,
  run,
  endpoints,
  pods,
}) => {
  await shell.open('');

  await test.step('an endpoint is made from the palette', async () => {
    await shell.command('New endpoint');
    await tabTo(page, endpoints.sheet.getByRole('radio', { name: 'New handler' }));
    await page.keyboard.press('ArrowRight');
    await expect(endpoints.sheet.getByRole('radio', { name: 'Folder' })).toBeChecked();
    await write(page, endpoints.field('Folder'), writeHandler('endless', ENDLESS));
    await write(page, endpoints.field('Name'), 'endless');
    await press(page, endpoints.sheet.getByRole('button', { name: /^Create on/ }));
    await expect(endpoints.sheet).toBeHidden();
    await expect(endpoints.row('endless')).toBeVisible();
  });

  await test.step('a job is run and cancelled', async () => {
    await shell.command('Run');
    await press(page, page.getByRole('button', { name: /^Endpoint:/ }));
    const option = page.getByRole('option', { name: 'endless' });
    await expect(option).toBeVisible();
    const selected = page.locator('[role=option][data-combobox-selected]');
    for (let words = ''; !words.includes('endless'); words = await selected.innerText()) {
      await page.keyboard.press('ArrowDown');
      await expect(selected).toHaveCount(1);
      await expect(selected).not.toHaveText(words);
    }
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Endpoint: endless' })).toBeVisible();
    await expect(run.editor).toBeVisible();
    await page.keyboard.press('ControlOrMeta+Enter');
    await run.expectState('Running');
    await expect(run.output).toContainText('started');
    await page.keyboard.press('ControlOrMeta+.');
    await run.expectState('Cancelled');
  });

  await test.step('a Pod is deployed', async () => {
    await shell.command('Deploy a Pod');
    await write(page, pods.field('Image'), SHELL_IMAGE);
    await write(page, pods.field('Name'), 'keys');
    await write(page, pods.field('Command'), STAYS);
    await press(page, pods.sheet.getByRole('button', { name: /^Deploy/ }));
    await expect(pods.sheet).toBeHidden();
    await expect(pods.state).toHaveText('Running');
  });

  await test.step('a terminal is opened, typed into and left', async () => {
    await shell.command('Terminal in keys');
    const terminal = page.getByRole('region', { name: 'Terminal 1 in keys' });
    const screen = terminal.locator('.xterm-rows');
    await expect(screen).toContainText('#');
    await expect(terminal.getByRole('textbox')).toBeFocused();
    await page.keyboard.type('echo typed-$((40+2))');
    await page.keyboard.press('Enter');
    await expect(screen).toContainText('typed-42');
    // Tab and Ctrl+K belong to the shell.
    await page.keyboard.press('ControlOrMeta+Shift+p');
    await expect(shell.palette.getByPlaceholder('Search or run a command')).toBeFocused();
    await page.keyboard.insertText('Jobs');
    await expect(shell.palette.getByRole('button').first()).toContainText('Jobs');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
  });
});
