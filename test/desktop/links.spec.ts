// Links of the scheme hangar:. The stand-in proves what the app does with a link; how each system registers the scheme
// and delivers a link only real Electron in a package shows. A package registers the scheme: menu.spec.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ElectronApplication, Page } from '@playwright/test';
import { executablePath, expect, nextWindow, root, test } from './support/desktop.ts';

type WithQuestions = typeof globalThis & { questions: { message: string; detail: string }[] };

/** Answers each dialog with its button `response`, and keeps what it said. */
const answerDialogs = (app: ElectronApplication, response: number): Promise<void> =>
  app.evaluate(({ dialog }, button) => {
    const page = globalThis as WithQuestions;
    page.questions = [];
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail = '' } = args.at(-1) as Electron.MessageBoxOptions;
      page.questions.push({ message, detail });
      return { response: button, checkboxChecked: false };
    };
  }, response);
const questions = (app: ElectronApplication): Promise<WithQuestions['questions']> =>
  app.evaluate(() => (globalThis as WithQuestions).questions);
const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

/** As macOS delivers a link. */
const openUrl = (app: ElectronApplication, url: string): Promise<void> =>
  app.evaluate((electron, link) => void electron.app.emit('open-url', { preventDefault: () => undefined }, link), url);

test.describe('a clone', () => {
  test.use({ appArgs: ['--port=0', 'hangar://page/accounts'] });

  test('opens the page of a link, at its start and later, and refuses what it does not know', async ({
    desktop,
    env,
  }) => {
    await test.step('a link among the arguments opens its page', async () => {
      await expect.poll(() => hashOf(desktop.page)).toBe('#/accounts');
    });
    await test.step('a clone leaves the scheme to the Hangar that is installed', async () => {
      expect(await desktop.app.evaluate(({ app }) => app.isDefaultProtocolClient('hangar'))).toBe(false);
    });
    await test.step('an unknown link, and one with a key, is refused with a sentence that does not repeat the key', async () => {
      await answerDialogs(desktop.app, 0);
      const key = `rpa_${'k'.repeat(30)}`;
      await openUrl(desktop.app, 'hangar://launch/missiles');
      await openUrl(desktop.app, `hangar://account?key=${key}`);
      await expect.poll(() => questions(desktop.app)).toHaveLength(2);
      const [unknown, withKey] = await questions(desktop.app);
      expect(unknown).toEqual({
        message: 'Hangar cannot open this link.',
        detail: 'Hangar does not know this kind of link.\n\nhangar://launch/missiles',
      });
      expect(withKey?.detail).toMatch(/contains a key/);
      expect(withKey?.detail).not.toContain(key);
      expect(await hashOf(desktop.page)).not.toContain('launch');
    });
    await test.step('a second start ends by itself and hands its link to the first, which comes forward', async () => {
      await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
      const args = ['--no-sandbox', root, '--port=0', 'hangar://endpoint/abc123'];
      expect(await once(spawn(executablePath, args, { env, stdio: 'ignore' }), 'exit')).toEqual([0, null]);
      await expect.poll(() => hashOf(desktop.page)).toBe('#/endpoints/abc123');
      const state = (): Promise<{ minimized?: boolean; visible?: boolean; windows: number }> =>
        desktop.app.evaluate(({ BrowserWindow }) => {
          const [window, ...others] = BrowserWindow.getAllWindows();
          const shown = window && { minimized: window.isMinimized(), visible: window.isVisible() };
          return { ...shown, windows: others.length + 1 };
        });
      await expect.poll(state).toEqual({ minimized: false, visible: true, windows: 1 });
    });
    await test.step('a link that fills in the form of an account is confirmed first, and brings no key', async () => {
      const link = 'hangar://account?preset=engine&name=The%20rack&jobs=http%3A%2F%2Frack.example%3A47800';
      await answerDialogs(desktop.app, 1);
      await openUrl(desktop.app, link);
      await expect.poll(() => questions(desktop.app)).toHaveLength(1);
      const [question] = await questions(desktop.app);
      expect(question?.message).toBe('A link wants to add an account.');
      expect(question?.detail).toContain('http://rack.example:47800');
      // The next link is opened after the answer, so nothing of the first may be there by then.
      await openUrl(desktop.app, 'hangar://page/jobs');
      await expect.poll(() => hashOf(desktop.page)).toBe('#/jobs');
      await expect(desktop.page.getByRole('dialog')).toHaveCount(0);

      await answerDialogs(desktop.app, 0);
      await openUrl(desktop.app, link);
      const form = desktop.page.getByRole('dialog', { name: 'Add an account' });
      await expect(form.getByLabel('Name')).toHaveValue('The rack');
      await expect(form.getByLabel('Address')).toHaveValue('http://rack.example:47800');
      await expect(form.getByLabel('An engine on another machine')).toBeChecked();
      await expect(form.getByLabel('API key')).toHaveValue('');
    });
    await test.step('a link opens a window where none is left', async () => {
      await desktop.app.evaluate(({ app, BrowserWindow }) => {
        // As on macOS, where the app stays without a window.
        app.removeAllListeners('window-all-closed').on('window-all-closed', () => undefined);
        BrowserWindow.getAllWindows()[0]?.close();
      });
      const windows = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
      await expect.poll(windows).toBe(0);
      const opened = nextWindow(desktop.app);
      await openUrl(desktop.app, 'hangar://page/pods');
      await (await opened).waitForURL(({ hash }) => hash === '#/pods');
    });
  });
});
