/** A text in a window that is not saved, and the questions that the app asks about it. */
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { ResourcesPage } from '../../e2e/pages/resourcesPage.ts';
import { expect } from './desktop.ts';

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

/** Types into this file of the volume that is open. Returns the element with the text. */
export async function typeIntoFile(page: Page, name: string): Promise<Locator> {
  await new ResourcesPage(page).button(name).click();
  const text = page.getByRole('dialog').getByRole('textbox');
  await text.click();
  await page.keyboard.type('typed ');
  await expect(text).toContainText('typed ');
  return text;
}
