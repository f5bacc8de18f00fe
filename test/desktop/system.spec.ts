// What the system asks of the app and what the app asks of the system: sleep, the power source and the shutdown;
// notifications, the taskbar and pickers. The stand-in proves what the program does with the events and what it asks for;
// that a system sends them, and how it shows them, only real Electron shows.
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { EndpointsPage } from '../e2e/pages/endpointsPage.ts';
import { ResourcesPage } from '../e2e/pages/resourcesPage.ts';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { cloudV1, cloudV2 } from '../e2e/support/remoteTest.ts';
import { startRemote } from '../support/remote/remote.ts';
import { expect, isStandin, onlyElectron, test, type Desktop } from './support/desktop.ts';
import { engineStarts, isAlive, logged, processesOf } from './support/traces.ts';
import { answerQuestions, typeIntoFile } from './support/unsavedText.ts';

test.skip(!isStandin, onlyElectron);

type PowerEvent = 'suspend' | 'resume' | 'on-battery' | 'on-ac' | 'shutdown';
const send = (app: ElectronApplication, event: PowerEvent): Promise<boolean> =>
  app.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event);

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

async function followKeptAwake({ app, page }: Desktop): Promise<void> {
  const isKeptAwake = (): Promise<boolean> =>
    app.evaluate(({ powerSaveBlocker }) => [1, 2].some((id) => powerSaveBlocker.isStarted(id)));
  expect(await isKeptAwake()).toBe(false);
  const run = new RunPage(page);
  await run.choose('stream-words');
  await run.write(JSON.stringify({ input: { text: 'one '.repeat(20), delayMs: 10_000 } }));
  await run.run();
  await expect.poll(isKeptAwake).toBe(true);
  await open(page, '#/settings/desktop');
  const wanted = page.getByRole('switch', { name: 'Keep this computer awake while a job runs' });
  await expect(wanted).toBeChecked();
  await wanted.press('Space');
  await expect.poll(isKeptAwake).toBe(false);
  await wanted.press('Space');
  await expect.poll(isKeptAwake).toBe(true);
  await open(page, '#/run');
  await run.stopButton.click();
  await expect.poll(isKeptAwake).toBe(false);
}

async function followSleep({ app, page }: Desktop): Promise<void> {
  await using remote = await startRemote();
  const accounts = new AccountsPage(page);
  await open(page, '#/accounts');
  await accounts.add(cloudV2(remote, 'service'));
  await accounts.switchTo('service');
  const repair = remote.fault({ as: { status: 503, json: {}, headers: { 'retry-after': '3600' } } });
  await open(page, '#/endpoints');
  const banner = page.getByRole('alert').filter({ hasText: 'service cannot be reached.' });
  await expect(banner).toContainText('Next try in');
  // A page that asks the account for nothing.
  await open(page, '#/settings');
  repair();
  await send(app, 'suspend');
  await send(app, 'resume');
  await expect(banner).toBeHidden();
  await accounts.switchTo('This computer');
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

/** Makes the volume "notes" and uploads a file to it. */
async function showProgress({ app, page }: Desktop, home: string): Promise<void> {
  const engine = (await engineStarts(home, 2)).at(-1);
  const progress = (): Promise<number> =>
    app.evaluate(({ BrowserWindow }) => Number(Reflect.get(BrowserWindow.getAllWindows()[0] ?? {}, 'progress')));
  const resources = new ResourcesPage(page);
  await open(page, '#/resources/volumes');
  await resources.button('New volume').click();
  await resources.answer('New volume on this computer', 'Create the volume', { Name: 'notes', 'Size, GB': '10' });
  await resources.button('notes').click();
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
  await new AccountsPage(page).add(cloudV1(remote, 'pods'));
  await open(page, '#/home');
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('Pod trainer is idle');
  await expect.poll(() => titles(app)).toEqual([...former, 'The Pod trainer is idle']);
  await clickNotice(app);
  await expect(
    page.getByRole('region', { name: 'Pod', exact: true }).getByRole('heading', { name: 'trainer' }),
  ).toBeVisible();
}

/** Types into a file of the volume that is open. */
async function typeIntoVolume(page: Page, home: string): Promise<void> {
  const volumes = join(home, 'hangar/volumes');
  writeFileSync(join(volumes, readdirSync(volumes)[0] ?? '', 'list.txt'), 'first line\n');
  await open(page, '#/resources/volumes');
  await new ResourcesPage(page).button('notes').click();
  await typeIntoFile(page, 'list.txt');
}

async function followBattery({ app, page }: Desktop, home: string): Promise<void> {
  const rule = page.getByRole('switch', { name: 'Pause on battery' });
  const banner = page.getByTestId('pause-banner');
  const reason = 'Paused because this computer runs on its battery.';
  await test.step('the rule of the battery follows the events of the system, which tells of the pause', async () => {
    const former = await titles(app);
    await open(page, '#/machine');
    await rule.press('Space');
    await expect(rule).toBeChecked();
    await open(page, '#/home');
    await takeFocus(app);
    await send(app, 'on-battery');
    await expect.poll(() => titles(app)).toEqual([...former, 'Jobs on this computer are paused']);
    await clickNotice(app);
    await page.waitForURL(({ hash }) => hash === '#/machine');
    await expect(banner).toContainText(reason);
    await rule.press('Space');
    await expect(rule).not.toBeChecked();
    await expect(banner).toBeHidden();
  });
  await test.step('an engine that is started again knows that the machine runs on its battery', async () => {
    const [first] = await engineStarts(home);
    process.kill(first?.pid ?? 0, 'SIGKILL');
    await engineStarts(home, 2);
    await rule.press('Space');
    await expect(rule).toBeChecked();
    await expect(banner).toContainText(reason);
    // The rule ends ten seconds later, so that a loose plug does not start and stop workers.
    await send(app, 'on-ac');
    const [, change] = await logged(home, 'power', 2);
    expect(change).toMatchObject({ event: 'source', onBattery: false });
  });
}

async function tellOfFailures({ app, page }: Desktop): Promise<void> {
  const failed = 'A job of stream-words failed';
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
}

test('Hangar follows sleep, the power source and the shutdown of the system, which tells what happens while no window has the focus, shows the dialog of a folder, and in the taskbar how much of a transfer is done', async ({
  desktop,
  home,
}) => {
  const { app, page } = desktop;
  await logged(home, 'started');
  await new Shell(page).ready();
  await test.step('the computer is kept awake while a job runs, unless a person does not want that', () =>
    followKeptAwake(desktop));
  await tellOfFailures(desktop);
  await followBattery(desktop, home);
  await test.step('a folder for an endpoint is chosen in a dialog of the system', () => chooseFolder(desktop, home));
  await test.step('the taskbar shows how much of a file transfer is done', () => showProgress(desktop, home));
  // Before there is another account, whose next read would be minutes away.
  await test.step('an idle Pod of a cloud account is shown on Home and, after a while, by the system', () =>
    tellOfIdlePod(desktop));
  await test.step('an account that wanted a pause of an hour is tried at once after a sleep', () =>
    followSleep(desktop));
  await test.step('a shutdown of the system ends Hangar in order, and is not held up by a text that is not saved', async () => {
    const engine = (await engineStarts(home, 2)).at(-1);
    await new AccountsPage(page).switchTo('This computer');
    await typeIntoVolume(page, home);
    await answerQuestions(app, 1);
    const exited = once(app.process(), 'exit');
    await send(app, 'shutdown');
    expect(await exited).toEqual([0, null]);
    await logged(home, 'the system shuts down');
    await expect.poll(() => isAlive(engine?.pid ?? 0)).toBe(false);
    await expect.poll(() => processesOf(home)).toEqual([]);
  });
});
