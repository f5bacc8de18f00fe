// A text that was typed and is not saved. The stand-in proves that the app asks before a window closes or the app quits,
// and what it does with the answer; that a reload asks, too, only real Electron shows. A shutdown of the system does not
// ask: power.spec.ts.
import { once } from 'node:events';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, test } from './support/desktop.ts';
import { logged } from './support/traces.ts';
import { answerQuestions, questions, typeIntoFile } from './support/unsavedText.ts';

test('a window with a text that is not saved asks before it closes or quits, and stays with it unless it is discarded', async ({
  desktop,
  home,
}) => {
  const { app } = desktop;
  await logged(home, 'started');
  await new Shell(desktop.page).ready();
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
