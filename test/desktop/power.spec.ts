// Sleep, resume and the power source. The stand-in proves what the program does with the events; that a system sends them only
// real Electron shows.
import type { ElectronApplication } from '@playwright/test';
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { cloudV2 } from '../e2e/support/remoteTest.ts';
import { startRemote } from '../support/remote/remote.ts';
import { expect, isStandin, onlyElectron, test } from './support/desktop.ts';
import { isAlive, logged, processesOf } from './support/traces.ts';

test.skip(!isStandin, onlyElectron);

type PowerEvent = 'suspend' | 'resume' | 'on-battery' | 'on-ac' | 'shutdown';
const send = (app: ElectronApplication, event: PowerEvent): Promise<boolean> =>
  app.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event);

test('the rule of the battery follows the events of the system', async ({ desktop, home }) => {
  await logged(home, 'started');
  const { app, page } = desktop;
  await new Shell(page).ready();
  await page.evaluate(() => (location.hash = '#/machine'));
  const rule = page.getByRole('switch', { name: 'Pause on battery' });
  await rule.press('Space');
  await expect(rule).toBeChecked();
  await send(app, 'on-battery');
  await expect(page.getByText('Paused because this computer runs on its battery.').first()).toBeVisible();
  // The rule ends ten seconds later, so that a loose plug does not start and stop workers.
  await send(app, 'on-ac');
  const [, change] = await logged(home, 'power', 2);
  expect(change).toMatchObject({ event: 'source', onBattery: false });
});

test('an engine that is started again knows that the machine runs on its battery', async ({ desktop, home }) => {
  const [line] = await logged(home, 'engine ready');
  const { app, page } = desktop;
  await new Shell(page).ready();
  await page.evaluate(() => (location.hash = '#/machine'));
  await send(app, 'on-battery');
  process.kill(line?.enginePid ?? 0, 'SIGKILL');
  await logged(home, 'engine ready', 2);
  const rule = page.getByRole('switch', { name: 'Pause on battery' });
  await rule.press('Space');
  await expect(rule).toBeChecked();
  await expect(page.getByText('Paused because this computer runs on its battery.').first()).toBeVisible();
});

test('an account that wanted a pause of an hour is tried at once after a sleep', async ({ desktop, home }) => {
  await logged(home, 'started');
  await using remote = await startRemote();
  const { app, page } = desktop;
  const accounts = new AccountsPage(page);
  await new Shell(page).ready();
  await page.evaluate(() => (location.hash = '#/accounts'));
  await accounts.add(cloudV2(remote, 'service'));
  await accounts.switchTo('service');
  const repair = remote.fault({ as: { status: 503, json: {}, headers: { 'retry-after': '3600' } } });
  await page.evaluate(() => (location.hash = '#/endpoints'));
  const banner = page.getByRole('alert').filter({ hasText: 'service cannot be reached.' });
  await expect(banner).toContainText('Next try in');
  // A page that asks the account for nothing.
  await page.evaluate(() => (location.hash = '#/settings'));
  repair();
  await send(app, 'suspend');
  await send(app, 'resume');
  await expect(banner).toBeHidden();
});

test('the computer is kept awake while a job runs, unless a person does not want that', async ({ desktop, home }) => {
  await logged(home, 'started');
  const { app, page } = desktop;
  await new Shell(page).ready();
  const isKeptAwake = (): Promise<boolean> =>
    app.evaluate(({ powerSaveBlocker }) => [1, 2].some((id) => powerSaveBlocker.isStarted(id)));
  expect(await isKeptAwake()).toBe(false);
  const run = new RunPage(page);
  await run.choose('stream-words');
  await run.write(JSON.stringify({ input: { text: 'one '.repeat(20), delayMs: 10_000 } }));
  await run.run();
  await expect.poll(isKeptAwake).toBe(true);
  await page.evaluate(() => (location.hash = '#/settings/desktop'));
  const wanted = page.getByRole('switch', { name: 'Keep this computer awake while a job runs' });
  await expect(wanted).toBeChecked();
  await wanted.press('Space');
  await expect.poll(isKeptAwake).toBe(false);
  await wanted.press('Space');
  await expect.poll(isKeptAwake).toBe(true);
  await page.evaluate(() => (location.hash = '#/run'));
  await run.stopButton.click();
  await expect.poll(isKeptAwake).toBe(false);
});

test('a shutdown of the system ends Hangar in order', async ({ desktop, home }) => {
  const [line] = await logged(home, 'engine ready');
  await logged(home, 'started');
  await send(desktop.app, 'shutdown');
  await logged(home, 'the system shuts down');
  await expect.poll(() => isAlive(line?.enginePid ?? 0)).toBe(false);
  await expect.poll(() => processesOf(home)).toEqual([]);
});
