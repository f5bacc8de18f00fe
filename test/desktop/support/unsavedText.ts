/** A text in a window that is not saved, and the questions that the app asks about it. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Locator } from '@playwright/test';
import { ResourcesPage } from '../../e2e/pages/resourcesPage.ts';
import { expect, type Desktop } from './desktop.ts';

/** Notes each question, and answers it with the button of this number. */
export const answerQuestions = (app: ElectronApplication, response: number): Promise<void> =>
  app.evaluate(({ dialog }, chosen) => {
    const questions: string[] = [];
    Object.assign(globalThis, { questions });
    dialog.showMessageBoxSync = (...args: unknown[]) => {
      questions.push((args.at(-1) as Electron.MessageBoxSyncOptions).message);
      return chosen;
    };
  }, response);
export const questions = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions);

/** Types into a file of a volume. Returns the element with the text. */
export async function typeIntoFile({ page }: Desktop, home: string): Promise<Locator> {
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
