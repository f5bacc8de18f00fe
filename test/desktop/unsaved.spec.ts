// A text that was typed and is not saved. The stand-in proves that the app asks before a window closes or the app quits,
// and what it does with the answer; that a reload asks, too, only real Electron shows.
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Locator } from '@playwright/test';
import { ResourcesPage } from '../e2e/pages/resourcesPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, isStandin, onlyElectron, test, type Desktop } from './support/desktop.ts';
import { logged } from './support/traces.ts';

/** Notes each question, and answers it with the button of this number. */
const answerQuestions = (app: ElectronApplication, response: number): Promise<void> =>
  app.evaluate(({ dialog }, chosen) => {
    const questions: string[] = [];
    Object.assign(globalThis, { questions });
    dialog.showMessageBoxSync = (...args: unknown[]) => {
      questions.push((args.at(-1) as Electron.MessageBoxSyncOptions).message);
      return chosen;
    };
  }, response);
const questions = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);

/** Types into a file of a volume. Returns the element with the text. */
async function typeIntoFile({ page }: Desktop, home: string): Promise<Locator> {
  await logged(home, 'started');
  await new Shell(page).ready();
  await page.evaluate(() => (location.hash = '#/resources/volumes'));
  const resources = new ResourcesPage(page);
  await resources.button('New volume').click();
  await resources.answer('New volume on this computer', 'Create the volume', { Name: 'notes', 'Size, GB': '10' });
  // Its folder is made before its row is shown.
  await expect(resources.button('notes')).toBeVisible();
  const volumes = join(home, 'hangar/volumes');
  writeFileSync(join(volumes, readdirSync(volumes)[0] ?? '', 'list.txt'), 'first line\n');
  await resources.button('notes').click();
  await resources.button('list.txt').click();
  const text = page.getByRole('dialog').getByRole('textbox');
  await text.click();
  await page.keyboard.type('typed ');
  await expect(text).toContainText('typed ');
  return text;
}

test('a window with a text that is not saved asks before it closes or quits, and stays with it unless it is discarded', async ({
  desktop,
  home,
}) => {
  const { app } = desktop;
  const text = await typeIntoFile(desktop, home);
  await answerQuestions(app, 1);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => questions(app)).toEqual(['A text in this window is not saved.']);
  await app.evaluate((electron) => electron.app.quit());
  await expect.poll(() => questions(app)).toHaveLength(2);
  await expect(text).toContainText('typed ');

  const exited = once(app.process(), 'exit');
  await answerQuestions(app, 0);
  await app.evaluate((electron) => electron.app.quit());
  expect(await exited).toEqual([0, null]);
});

test('a shutdown of the system is not held up by a text that is not saved', async ({ desktop, home }) => {
  test.skip(!isStandin, onlyElectron);
  const { app } = desktop;
  await typeIntoFile(desktop, home);
  await answerQuestions(app, 1);
  const exited = once(app.process(), 'exit');
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('shutdown'));
  expect(await exited).toEqual([0, null]);
});
