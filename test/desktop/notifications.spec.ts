// Notifications, the taskbar and pickers. The stand-in proves what the app asks the system for; how a system shows it
// only real Electron shows.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { EndpointsPage } from '../e2e/pages/endpointsPage.ts';
import { ResourcesPage } from '../e2e/pages/resourcesPage.ts';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { cloudV1 } from '../e2e/support/remoteTest.ts';
import { startRemote } from '../support/remote/remote.ts';
import { expect, isStandin, onlyElectron, test, type Desktop } from './support/desktop.ts';
import { engineStarts, logged } from './support/traces.ts';

test.skip(!isStandin, onlyElectron);

type Shown = { title: string; body: string; emit(event: string): void };
const titles = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ Notification }) =>
    (Notification as unknown as { shown(): Shown[] }).shown().map(({ title }) => title),
  );
/** Clicks the newest. */
const clickNotice = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Notification }) => {
    (Notification as unknown as { shown(): Shown[] }).shown().at(-1)?.emit('click');
  });
const takeFocus = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());

const open = (page: Page, hash: string): Promise<string> => page.evaluate((address) => (location.hash = address), hash);

/** Runs a job that fails: its input is none that the sample takes. */
async function failJob(page: Page): Promise<void> {
  await open(page, '#/run');
  const run = new RunPage(page);
  await run.choose('stream-words');
  await run.write(JSON.stringify({ input: { text: 7 } }));
  await run.run();
  await run.expectState('Failed');
}

/** Turns the rule on and lets it pause this computer. */
async function pauseByRule({ app, page }: Desktop): Promise<void> {
  await open(page, '#/machine');
  const rule = page.getByRole('switch', { name: 'Pause on battery' });
  await rule.press('Space');
  await expect(rule).toBeChecked();
  await open(page, '#/home');
  await takeFocus(app);
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('on-battery'));
}

async function chooseFolder({ app, page }: Desktop, home: string): Promise<void> {
  const folder = join(home, 'handler');
  mkdirSync(folder);
  await app.evaluate(({ dialog, Menu }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    Menu.getApplicationMenu()?.getMenuItemById('do-new-endpoint')?.click();
  }, folder);
  await new EndpointsPage(page).source('Folder');
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(page.getByRole('textbox', { name: 'Folder' })).toHaveValue(folder);
  await page.keyboard.press('Escape');
}

async function showProgress({ app, page }: Desktop, home: string): Promise<void> {
  const [engine] = await engineStarts(home);
  const progress = (): Promise<number> =>
    app.evaluate(({ BrowserWindow }) => Number(Reflect.get(BrowserWindow.getAllWindows()[0] ?? {}, 'progress')));
  const resources = new ResourcesPage(page);
  await open(page, '#/resources/volumes');
  await resources.button('New volume').click();
  await resources.answer('New volume on this computer', 'Create the volume', { Name: 'models', 'Size, GB': '10' });
  await resources.button('models').click();
  const file = join(home, 'model.bin');
  writeFileSync(file, Buffer.alloc(24 * 1024 * 1024));
  const chosen = resources.region.getByLabel('Files to upload');
  await expect(chosen).toBeAttached();
  expect(await progress()).toBe(-1);
  // The file stays where it is while the engine takes no more of it.
  process.kill(engine?.pid ?? 0, 'SIGSTOP');
  try {
    await chosen.setInputFiles(file);
    await expect.poll(progress).toBeGreaterThan(0);
    expect(await progress()).toBeLessThan(1);
  } finally {
    process.kill(engine?.pid ?? 0, 'SIGCONT');
  }
  await expect(resources.transfers).toContainText('Done');
  await expect.poll(progress).toBe(-1);
}

async function tellOfIdlePod({ app, page }: Desktop): Promise<void> {
  const former = await titles(app);
  await using remote = await startRemote();
  const startedAt = Date.now() - 3_600_000;
  remote.addPod({ name: 'trainer', isIdle: true, startedAt });
  remote.addPod({ name: 'busy', startedAt });
  // The minutes between two reads pass at once. Timers of the HTTP client, which are as long, have arguments.
  await app.evaluate(() => {
    const { setTimeout } = globalThis;
    const hasten = (run: () => void, ms?: number, ...args: []): unknown =>
      setTimeout(run, ms === 300_000 && args.length === 0 ? 200 : ms, ...args);
    Object.assign(globalThis, { setTimeout: hasten });
  });
  // The system tells of a Pod once, and only while no window has the focus.
  await takeFocus(app);
  await open(page, '#/accounts');
  await new AccountsPage(page).add(cloudV1(remote, 'service'));
  await open(page, '#/home');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('Pod trainer is idle');
  await expect.poll(() => titles(app)).toEqual([...former, 'The Pod trainer is idle']);
  await clickNotice(app);
  await expect(
    page.getByRole('region', { name: 'Pod', exact: true }).getByRole('heading', { name: 'trainer' }),
  ).toBeVisible();
}

test('the system tells what happens while no window has the focus, shows the dialog of a folder, and in the taskbar how much of a transfer is done', async ({
  desktop,
  home,
}) => {
  const { app, page } = desktop;
  await logged(home, 'started');
  await new Shell(page).ready();
  const [failed, paused] = ['A job of stream-words failed', 'Jobs on this computer are paused'];
  await test.step('a failed job is told, and a click opens it', async () => {
    await takeFocus(app);
    await failJob(page);
    await expect.poll(() => titles(app)).toEqual([failed]);
    await clickNotice(app);
    await page.waitForURL(({ hash }) => /^#\/jobs\/.+/.test(hash));
  });
  await test.step('a kind that a person has switched off is not told', async () => {
    await open(page, '#/settings/desktop');
    const isWanted = page.getByRole('switch', { name: 'A job fails' });
    await isWanted.press('Space');
    await expect(isWanted).not.toBeChecked();
    await takeFocus(app);
    await failJob(page);
    expect(await titles(app)).toEqual([failed]);
  });
  await test.step('a rule that pauses the jobs of this computer is told', async () => {
    await pauseByRule(desktop);
    await expect.poll(() => titles(app)).toEqual([failed, paused]);
    await clickNotice(app);
    await page.waitForURL(({ hash }) => hash === '#/machine');
  });
  await test.step('a folder for an endpoint is chosen in a dialog of the system', () => chooseFolder(desktop, home));
  await test.step('the taskbar shows how much of a file transfer is done', () => showProgress(desktop, home));
  await test.step('an idle Pod of a cloud account is shown on Home and, after a while, by the system', () =>
    tellOfIdlePod(desktop));
});
