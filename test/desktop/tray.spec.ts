// Tray, login item and life without a window. The stand-in proves what the app asks for and what its entries do; that a
// desktop draws the tray, and that it starts the login item, only real Electron shows.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, firstWindow, isStandin, nextWindow, onlyElectron, test, type Desktop } from './support/desktop.ts';
import { engineStarts, logged, savedSettings } from './support/traces.ts';

test.skip(!isStandin || process.platform !== 'linux', onlyElectron);

/** For the sample stream-words, which takes five minutes for it: longer than any test waits. */
const LONG_JOB = JSON.stringify({ input: { text: 'word '.repeat(30), delayMs: 10_000 } });

/** The tray as the stand-in knows it. */
interface Shown {
  toolTip: string;
  menu: Electron.Menu;
}
const trayState = (app: ElectronApplication): Promise<string | undefined> =>
  app.evaluate(({ Tray }) => {
    const [tray] = (Tray as unknown as { shown(): Shown[] }).shown();
    return tray?.toolTip;
  });
const click = (app: ElectronApplication, id: string): Promise<void> =>
  app.evaluate(({ Tray }, wanted) => {
    const [tray] = (Tray as unknown as { shown(): Shown[] }).shown();
    const item = tray?.menu.getMenuItemById(wanted);
    if (!item) throw new Error(`the tray has no ${wanted}`);
    item.click();
  }, id);
/** The labels of the tray's menu, from its first line. */
const trayMenu = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(({ Tray }) => {
    const [tray] = (Tray as unknown as { shown(): Shown[] }).shown();
    return tray?.menu.items.flatMap(({ label }) => label || []) ?? [];
  });
const windowCount = (app: ElectronApplication): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
const closeWindow = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

/** Puts a `gdbus` before all others that answers as on a desktop with, or without, a program that draws trays. */
function answerTray(env: Record<string, string>, home: string, hasTray: boolean): void {
  const folder = join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'gdbus'), `#!/bin/sh\necho '(<${hasTray}>,)'\n`, { mode: 0o755 });
  env['PATH'] = `${folder}${delimiter}${env['PATH'] ?? ''}`;
}
type WithQuestions = typeof globalThis & { closeQuestions: string[] };
/** Answers the question at the close of the last window, and keeps it. */
const answerClose = (app: ElectronApplication, answer: Electron.MessageBoxReturnValue): Promise<void> =>
  app.evaluate(({ dialog }, result) => {
    const messages: string[] = [];
    (globalThis as WithQuestions).closeQuestions = messages;
    dialog.showMessageBox = async (...args: unknown[]) => {
      messages.push((args.at(-1) as Electron.MessageBoxOptions).message);
      return result;
    };
  }, answer);
const closeQuestions = (app: ElectronApplication): Promise<string[]> =>
  app.evaluate(() => (globalThis as WithQuestions).closeQuestions);

/** As a person who has chosen it before. */
function keepSettings(home: string, settings: object): void {
  mkdirSync(join(home, 'hangar/config'), { recursive: true });
  writeFileSync(join(home, 'hangar/config/desktop.json'), JSON.stringify(settings));
}

/** The window that the entry of the tray opens. */
async function openSettings(app: ElectronApplication): Promise<Page> {
  const opened = nextWindow(app);
  await click(app, 'tray-settings');
  const page = await opened;
  await page.waitForURL(({ hash }) => hash === '#/settings/desktop');
  return page;
}

async function runLongJob(page: Page): Promise<RunPage> {
  const run = new RunPage(page);
  await run.write(LONG_JOB);
  await run.run();
  return run;
}

async function followBadge({ app, page }: Desktop): Promise<void> {
  const shown = (): Promise<unknown> =>
    app.evaluate((electron) => ({
      badge: electron.app.getBadgeCount(),
      progress: Reflect.get(electron.BrowserWindow.getAllWindows()[0] ?? {}, 'progress') as unknown,
    }));
  await new RunPage(page).choose('stream-words');
  const run = await runLongJob(page);
  // Above 1, because the end of a job is not known.
  await expect.poll(shown).toEqual({ badge: 1, progress: 2 });
  await run.stopButton.click();
  await expect.poll(shown).toEqual({ badge: 0, progress: -1 });
}

async function chooseLogin(page: Page, home: string): Promise<void> {
  const login = page.getByLabel('Start Hangar when I log in');
  const entry = join(home, 'config/autostart/hangar.desktop');
  await expect(login).not.toBeChecked();
  expect(existsSync(entry)).toBe(false);
  await login.click();
  await expect(login).toBeChecked();
  await expect.poll(() => existsSync(entry) && readFileSync(entry, 'utf8')).toMatch(/^Exec=".+" --background$/m);
  // A person switches it off in the settings of the desktop.
  writeFileSync(entry, `${readFileSync(entry, 'utf8')}Hidden=true\n`);
  await page.reload();
  await expect(login).not.toBeChecked();
  expect(existsSync(entry)).toBe(true);
  await login.click();
  await expect(login).toBeChecked();
  await login.click();
  await expect(login).not.toBeChecked();
  await expect.poll(() => existsSync(entry)).toBe(false);
}

test.describe('on a desktop with a tray', () => {
  test.beforeEach(({ env, home }) => answerTray(env, home, true));

  test('the tray and the taskbar show the state until the first close of the last window quits', async ({
    desktop,
    home,
    records,
  }) => {
    const { app, page } = desktop;
    await logged(home, 'started');
    await test.step('the tray shows the state, pauses and resumes this computer', async () => {
      await expect.poll(() => trayState(app)).toBe('Hangar: Nothing is running');
      const after = ['Pause', 'No Running Pods', 'Open Hangar', 'Settings…', 'Quit Hangar'];
      await expect.poll(() => trayMenu(app)).toEqual(['Nothing is running', ...after]);
      await click(app, 'tray-pause-30');
      await expect.poll(() => trayState(app)).toMatch(/^Hangar: Paused until \d/);
      await expect(page.getByText(/Paused/).first()).toBeVisible();
      await click(app, 'tray-resume');
      await expect.poll(() => trayState(app)).toBe('Hangar: Nothing is running');
      await click(app, 'tray-pause');
      await expect.poll(() => trayState(app)).toBe('Hangar: Paused');
      await click(app, 'tray-resume');
      await expect.poll(() => trayState(app)).toBe('Hangar: Nothing is running');
    });
    await new Shell(page).ready();
    await test.step('the taskbar and the badge show that a job runs, and that none does', () => followBadge(desktop));
    await test.step('the close quits where the person says so, and says what stops', async () => {
      await (await runLongJob(page)).expectState('Running');
      const exited = once(app.process(), 'exit');
      await closeWindow(app);
      await records.expect(
        'dialog',
        /^Keep Hangar running in the background\?: Now running: 1 job\. If you quit, Hangar stops this/,
      );
      expect(await exited).toEqual([0, null]);
    });
  });

  test('the three settings are separate, off until asked but for the tray, and kept', async ({ env, home, launch }) => {
    env['ELECTRON_FORCE_IS_PACKAGED'] = 'true';
    const app = await launch();
    let page = await firstWindow(app);
    await logged(home, 'started');
    await page.evaluate(() => {
      location.hash = '#/settings/desktop';
    });
    const tray = () => page.getByLabel('Show Hangar in the tray');
    const background = () => page.getByLabel('Keep running when the last window is closed');
    await expect(tray()).toBeChecked();
    await expect(background()).not.toBeChecked();
    await test.step('the login item is in the hands of the desktop, too', () => chooseLogin(page, home));
    await expect(background()).not.toBeChecked();
    await test.step('the first close of the last window asks, and the answer is kept', async () => {
      await answerClose(app, { response: 0, checkboxChecked: true });
      await closeWindow(app);
      await expect.poll(() => closeQuestions(app)).toEqual(['Keep Hangar running in the background?']);
      await expect.poll(() => savedSettings(home)).toMatchObject({ closeToTray: true, decidedClose: true });
      await openSettings(app);
      await closeWindow(app);
      await expect.poll(() => windowCount(app)).toBe(0);
      expect(await closeQuestions(app)).toHaveLength(1);
      page = await openSettings(app);
    });
    await expect(background()).toBeChecked();
    await background().click();
    await expect.poll(() => savedSettings(home)).toMatchObject({ showTray: true, closeToTray: false });
    await background().click();
    await expect(background()).toBeChecked();
    await tray().click();
    await expect(tray()).not.toBeChecked();
    await expect.poll(() => trayState(app)).toBeUndefined();
    await expect(background()).toHaveAttribute('aria-disabled', 'true');
    await expect.poll(() => savedSettings(home)).toMatchObject({ showTray: false, closeToTray: true });
  });
});

test.describe('started at login, by a person who wants Hangar to run without a window', () => {
  test.use({ appArgs: ['--port=0', '--background'] });
  test.beforeEach(({ home }) => keepSettings(home, { closeToTray: true }));

  test('Hangar has a tray and no window, and the tray opens one whose close leaves it running', async ({
    env,
    home,
    launch,
  }) => {
    answerTray(env, home, true);
    const app = await launch();
    await logged(home, 'started');
    await expect.poll(() => trayState(app)).toMatch(/^Hangar: /);
    expect(await windowCount(app)).toBe(0);
    await openSettings(app);
    await closeWindow(app);
    await expect.poll(() => windowCount(app)).toBe(0);
    const [engine] = await engineStarts(home);
    expect((await fetch(`${engine?.address}/health`)).status).toBe(200);
    await openSettings(app);
    const exited = once(app.process(), 'exit');
    await click(app, 'tray-quit');
    expect(await exited).toEqual([0, null]);
  });

  test('Hangar opens a window on a desktop without a tray, says why, and quits when it is closed', async ({
    env,
    home,
    launch,
  }) => {
    answerTray(env, home, false);
    const app = await launch();
    const page = await firstWindow(app);
    await logged(home, 'started');
    expect(await windowCount(app)).toBe(1);
    expect(await trayState(app)).toBeUndefined();
    await page.evaluate(() => {
      location.hash = '#/settings/desktop';
    });
    await expect(page.getByText(/This desktop shows no tray/)).toBeVisible();
    await expect(page.getByLabel('Keep running when the last window is closed')).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    const exited = once(app.process(), 'exit');
    await closeWindow(app);
    expect(await exited).toEqual([0, null]);
  });
});
