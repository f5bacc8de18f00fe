// The main job, from the window: the same page objects as in the browser, over the port instead of a WebSocket. Then the
// end of the app. The stand-in proves it: page, port, app, engine and worker are the real ones.
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, test } from './support/desktop.ts';
import { engineStarts, isAlive, processesOf } from './support/traces.ts';

const title =
  'a job streams its chunks into the window, one after another, and quitting stops the engine and leaves no process behind';

test(title, { tag: '@journey' }, async ({ desktop, home }) => {
  const [engine] = await engineStarts(home);
  const shell = new Shell(desktop.page);
  await shell.ready();
  await expect(shell.statusBar).toContainText(new URL(engine?.address ?? '').host);

  const run = new RunPage(desktop.page);
  await run.choose('stream-words');
  const growth = await run.countGrowth();
  // Long enough for the slowest page; it is stopped as soon as it was seen to grow.
  const text = Array.from({ length: 1500 }, (_, word) => `word${word}`).join(' ');
  await run.write(JSON.stringify({ input: { text, delayMs: 60 } }));
  await run.run();
  await expect.poll(growth, 'how often the output grew while the job ran').toBeGreaterThanOrEqual(10);
  await run.stopButton.click();
  await run.expectState('Cancelled');

  const main = desktop.app.process();
  const enginePid = engine?.pid ?? 0;
  expect(isAlive(enginePid)).toBe(true);
  await desktop.quit();
  expect(main.exitCode).toBe(0);
  await expect.poll(() => isAlive(enginePid)).toBe(false);
  await expect.poll(() => processesOf(home)).toEqual([]);
});
