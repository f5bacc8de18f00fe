// Tray, login item and life without a window. The stand-in proves what the app asks for and what its entries do; that a desktop
// draws the tray, and that it starts the login item, only real Electron shows.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, isStandin, onlyElectron, test } from './support/desktop.ts';
import { engineStarts, logged } from './support/traces.ts';

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

/** The settings as the file has them; null while it is not written yet. */
function savedSettings(home: string): unknown {
  const file = join(home, 'hangar/config/desktop.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** As a person who has chosen it before. */
function keepSettings(home: string, settings: object): void {
  mkdirSync(join(home, 'hangar/config'), { recursive: true });
  writeFileSync(join(home, 'hangar/config/desktop.json'), JSON.stringify(settings));
}

test.describe('on a desktop with a tray', () => {
  test.beforeEach(({ env, home }) => answerTray(env, home, true));

  test('the tray shows the state, pauses and resumes this computer', async ({ desktop, home }) => {
    await logged(home, 'started');
    await expect.poll(() => trayState(desktop.app)).toBe('Hangar: Nothing runs');
    const after = ['Pause', 'No Running Pods', 'Open Hangar', 'Settings…', 'Quit Hangar'];
    expect(await trayMenu(desktop.app)).toEqual(['Nothing runs', ...after]);
    await click(desktop.app, 'tray-pause-30');
    await expect.poll(() => trayState(desktop.app)).toMatch(/^Hangar: Paused until \d/);
    await expect(desktop.page.getByText(/Paused/).first()).toBeVisible();
    await click(desktop.app, 'tray-resume');
    await expect.poll(() => trayState(desktop.app)).toBe('Hangar: Nothing runs');
    await click(desktop.app, 'tray-pause');
    await expect.poll(() => trayState(desktop.app)).toBe('Hangar: Paused');
  });

  test('closing the last window leaves Hangar running where a person wants that, and the tray leads back', async ({
    home,
    launch,
  }) => {
    keepSettings(home, { closeToTray: true });
    const app = await launch();
    await app.firstWindow();
    await logged(home, 'started');
    await closeWindow(app);
    await expect.poll(() => windowCount(app)).toBe(0);
    const [engine] = await engineStarts(home);
    expect((await fetch(`${engine?.address}/health`)).status).toBe(200);
    const opened = app.waitForEvent('window');
    await click(app, 'tray-settings');
    await (await opened).waitForURL(({ hash }) => hash === '#/settings/desktop');
    const exited = once(app.process(), 'exit');
    await click(app, 'tray-quit');
    expect(await exited).toEqual([0, null]);
  });

  test('the first close of the last window asks, and the answer is kept where the person wants that', async ({
    desktop,
    home,
  }) => {
    await logged(home, 'started');
    const { app } = desktop;
    await answerClose(app, { response: 0, checkboxChecked: true });
    await closeWindow(app);
    await expect.poll(() => closeQuestions(app)).toEqual(['Keep Hangar running in the background?']);
    await expect.poll(() => savedSettings(home)).toMatchObject({ closeToTray: true, decidedClose: true });
    const opened = app.waitForEvent('window');
    await click(app, 'tray-settings');
    await opened;
    await closeWindow(app);
    await expect.poll(() => windowCount(app)).toBe(0);
    expect(await closeQuestions(app)).toHaveLength(1);
  });

  test('the first close of the last window quits where the person says so, and says what stops', async ({
    desktop,
    home,
    records,
  }) => {
    await logged(home, 'started');
    await new Shell(desktop.page).ready();
    const run = new RunPage(desktop.page);
    await run.choose('stream-words');
    await run.write(LONG_JOB);
    await run.run();
    await run.expectState('Running');
    const exited = once(desktop.app.process(), 'exit');
    await closeWindow(desktop.app);
    await records.expect(
      'dialog',
      /^Keep Hangar running in the background\?: Now running: 1 job\. If you quit, Hangar stops this/,
    );
    expect(await exited).toEqual([0, null]);
  });

  test('the taskbar and the badge show that a job runs, and that none does', async ({ desktop, home }) => {
    await logged(home, 'started');
    await new Shell(desktop.page).ready();
    const shown = (): Promise<unknown> =>
      desktop.app.evaluate(({ app, BrowserWindow }) => ({
        badge: app.getBadgeCount(),
        progress: Reflect.get(BrowserWindow.getAllWindows()[0] ?? {}, 'progress') as unknown,
      }));
    const run = new RunPage(desktop.page);
    await run.choose('stream-words');
    await run.write(LONG_JOB);
    await run.run();
    // Above 1, because the end of a job is not known.
    await expect.poll(shown).toEqual({ badge: 1, progress: 2 });
    await run.stopButton.click();
    await expect.poll(shown).toEqual({ badge: 0, progress: -1 });
  });

  test.describe('started at login', () => {
    test.use({ appArgs: ['--port=0', '--background'] });

    test('Hangar has a tray and no window', async ({ home, launch }) => {
      const app = await launch();
      await logged(home, 'started');
      await expect.poll(() => trayState(app)).toMatch(/^Hangar: /);
      expect(await windowCount(app)).toBe(0);
    });
  });
});

test.describe('on a desktop without a tray', () => {
  test.beforeEach(({ env, home }) => answerTray(env, home, false));

  test('closing the last window quits, whatever was chosen, and the settings say why', async ({ home, launch }) => {
    keepSettings(home, { closeToTray: true });
    const app = await launch();
    const page = await app.firstWindow();
    await logged(home, 'started');
    expect(await trayState(app)).toBeUndefined();
    await page.evaluate(() => {
      location.hash = '#/settings/desktop';
    });
    await expect(page.getByText(/This desktop shows no tray/)).toBeVisible();
    await expect(page.getByLabel('Keep running when the last window is closed')).toBeDisabled();
    const exited = once(app.process(), 'exit');
    await closeWindow(app);
    expect(await exited).toEqual([0, null]);
  });

  test.describe('started at login', () => {
    test.use({ appArgs: ['--port=0', '--background'] });

    test('Hangar opens a window, the only way to reach it', async ({ home, launch }) => {
      const app = await launch();
      await logged(home, 'started');
      await expect.poll(() => windowCount(app)).toBe(1);
    });
  });
});

test('the three settings are separate, off until asked but for the tray, and kept', async ({ env, home, launch }) => {
  answerTray(env, home, true);
  env['ELECTRON_FORCE_IS_PACKAGED'] = 'true';
  const app = await launch();
  const page = await app.firstWindow();
  await logged(home, 'started');
  await page.evaluate(() => {
    location.hash = '#/settings/desktop';
  });
  const tray = page.getByLabel('Show Hangar in the tray');
  const background = page.getByLabel('Keep running when the last window is closed');
  const login = page.getByLabel('Start Hangar when I log in');
  const entry = join(home, 'config/autostart/hangar.desktop');
  await expect(tray).toBeChecked();
  await expect(background).not.toBeChecked();
  await expect(login).not.toBeChecked();
  expect(existsSync(entry)).toBe(false);

  await login.click();
  await expect(login).toBeChecked();
  await expect.poll(() => existsSync(entry) && readFileSync(entry, 'utf8')).toMatch(/^Exec=".+" --background$/m);
  await expect(background).not.toBeChecked();
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

  await background.click();
  await expect(background).toBeChecked();
  await tray.click();
  await expect(tray).not.toBeChecked();
  await expect.poll(() => trayState(app)).toBeUndefined();
  await expect(background).toBeDisabled();
  await expect.poll(() => savedSettings(home)).toMatchObject({ showTray: false, closeToTray: true });
});
