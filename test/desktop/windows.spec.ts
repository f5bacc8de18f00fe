// Several windows. The stand-in proves which there are, what each shows and where it comes back; how a system draws and
// places them only real Electron shows.
import type { ElectronApplication, Page } from '@playwright/test';
import { JobsPage } from '../e2e/pages/jobsPage.ts';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, nextWindow, test } from './support/desktop.ts';
import { logged } from './support/traces.ts';

const newWindow = async (app: ElectronApplication): Promise<Page> => {
  const opened = nextWindow(app);
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('new-window')?.click());
  const page = await opened;
  await page.waitForURL(({ protocol }) => protocol !== 'about:');
  return page;
};
const allBounds = (app: ElectronApplication): Promise<Electron.Rectangle[]> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.getBounds()));
const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((address) => {
    location.hash = address;
  }, hash);
/** The main process learns a moment later where its pages are. */
const knows = (app: ElectronApplication, hash: string): Promise<void> =>
  expect
    .poll(() =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getURL())),
    )
    .toContainEqual(expect.stringContaining(hash));

test('a second window is beside the first, is open again at the next start with what was run, and stays closed once a person closed it', async ({
  desktop,
  home,
}) => {
  await logged(home, 'started');
  await new Shell(desktop.page).ready();
  const run = new RunPage(desktop.page);
  await run.choose('stream-words');
  await run.write('{"input": {"text": "kept", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
  await go(desktop.page, '#/pods');
  await knows(desktop.app, '#/pods');
  const second = await newWindow(desktop.app);
  await test.step('a new window shows the same page beside the first, and each has a connection of its own', async () => {
    await new Shell(second).ready();
    await second.waitForURL(({ hash }) => hash === '#/pods');
    const [first, other] = await allBounds(desktop.app);
    expect(other).toEqual({ ...first, x: (first?.x ?? 0) + 28, y: (first?.y ?? 0) + 28 });

    // What one changes shows in the other: both speak with the same app.
    await new Shell(second).command('Pause this computer now');
    await expect(second.getByText(/Paused/).first()).toBeVisible();
    await expect(desktop.page.getByText(/Paused/).first()).toBeVisible();
  });
  await test.step('windows that were open at the end are open at the next start, each where it was, and one that a person closed is not', async () => {
    await go(desktop.page, '#/jobs');
    await go(second, '#/billing');
    await knows(desktop.app, '#/jobs');
    await knows(desktop.app, '#/billing');
    // A person closes a third one among them.
    await newWindow(desktop.app);
    expect(await allBounds(desktop.app)).toHaveLength(3);
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[2]?.close());
    await expect.poll(() => desktop.app.windows().length).toBe(2);
    const wanted = [
      { x: 40, y: 30, width: 1000, height: 700 },
      { x: 500, y: 200, width: 950, height: 650 },
    ];
    await desktop.app.evaluate(({ BrowserWindow }, rectangles) => {
      for (const [index, window] of BrowserWindow.getAllWindows().entries()) window.setBounds(rectangles[index] ?? {});
    }, wanted);
    await desktop.restart();
    await expect.poll(async () => (await allBounds(desktop.app)).toSorted((a, b) => a.x - b.x)).toEqual(wanted);
    const hashes = (): string[] => desktop.app.windows().map((page) => new URL(page.url()).hash);
    await expect.poll(() => hashes().toSorted()).toEqual(['#/billing', '#/jobs']);
  });
  await test.step('what was run before is in the ledger', async () => {
    const page = desktop.app.windows().find((one) => new URL(one.url()).hash === '#/jobs');
    const jobs = new JobsPage(page ?? desktop.page);
    await expect(jobs.rows).toHaveCount(1);
    await expect.poll(() => jobs.states()).toEqual(['Done']);
  });
});
