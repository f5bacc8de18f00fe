// Sleep, resume and the power source. The stand-in proves what the program does with the events; that a system sends
// them only real Electron shows.
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { ResourcesPage } from '../e2e/pages/resourcesPage.ts';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { cloudV2 } from '../e2e/support/remoteTest.ts';
import { startRemote } from '../support/remote/remote.ts';
import { expect, isStandin, onlyElectron, test, type Desktop } from './support/desktop.ts';
import { engineStarts, isAlive, logged, processesOf } from './support/traces.ts';
import { answerQuestions, typeIntoFile } from './support/unsavedText.ts';

test.skip(!isStandin, onlyElectron);

type PowerEvent = 'suspend' | 'resume' | 'on-battery' | 'on-ac' | 'shutdown';
const send = (app: ElectronApplication, event: PowerEvent): Promise<boolean> =>
  app.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event);

const open = (page: Page, hash: string): Promise<string> => page.evaluate((address) => (location.hash = address), hash);

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
}

/** Makes a volume with a file, and types into that. */
async function typeIntoVolume(page: Page, home: string): Promise<void> {
  await open(page, '#/resources/volumes');
  const resources = new ResourcesPage(page);
  await resources.button('New volume').click();
  await resources.answer('New volume on this computer', 'Create the volume', { Name: 'notes', 'Size, GB': '10' });
  // Its folder is made before its row is shown.
  await expect(resources.button('notes')).toBeVisible();
  const volumes = join(home, 'hangar/volumes');
  writeFileSync(join(volumes, readdirSync(volumes)[0] ?? '', 'list.txt'), 'first line\n');
  await resources.button('notes').click();
  await typeIntoFile(page, 'list.txt');
}

test('Hangar follows sleep, the power source and the shutdown of the system', async ({ desktop, home }) => {
  const { app, page } = desktop;
  const rule = page.getByRole('switch', { name: 'Pause on battery' });
  const banner = page.getByTestId('pause-banner');
  const reason = 'Paused because this computer runs on its battery.';
  await logged(home, 'started');
  await new Shell(page).ready();
  await test.step('the computer is kept awake while a job runs, unless a person does not want that', () =>
    followKeptAwake(desktop));
  await test.step('the rule of the battery follows the events of the system', async () => {
    await open(page, '#/machine');
    await rule.press('Space');
    await expect(rule).toBeChecked();
    await send(app, 'on-battery');
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
  await test.step('an account that wanted a pause of an hour is tried at once after a sleep', () =>
    followSleep(desktop));
  await test.step('a shutdown of the system ends Hangar in order, and is not held up by a text that is not saved', async () => {
    const [, second] = await engineStarts(home, 2);
    await new AccountsPage(page).switchTo('This computer');
    await typeIntoVolume(page, home);
    await answerQuestions(app, 1);
    const exited = once(app.process(), 'exit');
    await send(app, 'shutdown');
    expect(await exited).toEqual([0, null]);
    await logged(home, 'the system shuts down');
    await expect.poll(() => isAlive(second?.pid ?? 0)).toBe(false);
    await expect.poll(() => processesOf(home)).toEqual([]);
  });
});
