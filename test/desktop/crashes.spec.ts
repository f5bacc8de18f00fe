// Crashes of the processes of the desktop program. On the stand-in, Chromium's own processes really end; how Electron
// names the end of a process only real Electron shows.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expectFocusIn } from '../e2e/pages/focus.ts';
import { expect, test, type Desktop, type Records } from './support/desktop.ts';
import { makeGatedEndpoint, type GatedEndpoint } from './support/gatedEndpoint.ts';
import { engineStarts, logged, savedSettings } from './support/traces.ts';

/** Text of the first window. Playwright gives up a page that has crashed, so the app itself reads it. */
const windowText = (app: ElectronApplication): Promise<string> =>
  app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Until it is loaded again there is no page to read.
    return String(await contents?.executeJavaScript('document.body.innerText').catch(() => ''));
  });

const reportsIn = (home: string): string[] => readdirSync(join(home, 'hangar/crash-reports')).toSorted();

interface Parts {
  desktop: Desktop;
  home: string;
  records: Records;
}

/** Runs a job that lasts until its gate is opened. */
async function runGatedJob({ desktop, home }: Parts): Promise<GatedEndpoint> {
  const run = new RunPage(desktop.page);
  const gated = await makeGatedEndpoint(desktop, home);
  await run.choose('waits');
  await run.write(JSON.stringify({ input: { text: 'one two three four' } }));
  await run.run();
  await run.expectState('Running');
  return gated;
}

async function killGpuProcess({ desktop, home, records }: Parts): Promise<void> {
  const gpuProcess = (): Promise<number> =>
    desktop.app.evaluate(({ app }) => app.getAppMetrics().find(({ type }) => type === 'GPU')?.pid ?? 0);
  await expect.poll(gpuProcess).not.toBe(0);
  process.kill(await gpuProcess(), 'SIGKILL');
  await records.expect('gpu-process-gone', /killed/);
  const notice = desktop.page.getByRole('status').filter({ hasText: 'The GPU process of the window crashed.' });
  await expect(notice).toContainText('jobs do not use it.');
  await notice.getByRole('button', { name: 'Show report' }).click();
  await expect(desktop.page.getByLabel('Text of the report')).toContainText('"part": "gpu"');
  await expectFocusIn(desktop.page.getByRole('dialog'));
  await desktop.page.keyboard.press('Escape');
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  await new RunPage(desktop.page).expectState('Running');
  expect(reportsIn(home)).toHaveLength(1);
}

async function crashPage({ desktop, home, records }: Parts): Promise<void> {
  const [former] = reportsIn(home);
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await records.expect('render-process-gone', /crashed/);
  await expect.poll(() => windowText(desktop.app)).toContain('The window crashed and was loaded again.');
  const [report, ...others] = reportsIn(home).filter((name) => name !== former);
  expect(others).toEqual([]);
  const content = readFileSync(join(home, 'hangar/crash-reports', report ?? ''), 'utf8');
  expect(JSON.parse(content)).toMatchObject({ part: 'page', program: { host: 'electron' } });
  expect(content).not.toContain('three four');
}

async function crashAgainAndAgain({ desktop }: Parts): Promise<void> {
  await desktop.app.evaluate(({ BrowserWindow, dialog }) => {
    const seen = { asked: [] as string[], reloads: 0 };
    Object.assign(globalThis, { seen });
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail } = args.at(-1) as Electron.MessageBoxOptions;
      seen.asked.push(`${message} ${detail}`);
      return { response: 0, checkboxChecked: false };
    };
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (!contents) throw new Error('there is no window');
    contents.reload = () => void (seen.reloads += 1);
    // Five real crashes would take 21 seconds, because each reload waits longer.
    for (let crash = 0; crash < 5; crash += 1) {
      contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    }
  });
  const seen = (): Promise<unknown> => desktop.app.evaluate(() => Reflect.get(globalThis, 'seen') as unknown);
  await expect
    .poll(seen)
    .toEqual({ asked: [expect.stringMatching(/^The window stopped working\. It crashed 5 times/)], reloads: 1 });
}

test('a GPU process, a page and an engine that end come back, the window reports each, and a job runs on without the first two', async ({
  desktop,
  home,
  records,
}) => {
  const parts = { desktop, home, records };
  const text = (): Promise<string> => windowText(desktop.app);
  await logged(home, 'started');
  await new Shell(desktop.page).ready();
  const gated = await runGatedJob(parts);
  await test.step('a GPU process that is killed while a job runs comes back', () => killGpuProcess(parts));
  await test.step('a page that crashes is loaded again while its job runs, and the window says so', async () => {
    await crashPage(parts);
    gated.open();
    await desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("location.hash = '#/jobs'"),
    );
    await expect.poll(text).toMatch(/Done[\s\S]*waits/);
  });
  await test.step('an engine that is killed is reported in the window', async () => {
    const [engine] = await engineStarts(home);
    process.kill(engine?.pid ?? 0, 'SIGKILL');
    await engineStarts(home, 2);
    await expect.poll(text).toContain('The engine ended unexpectedly (signal SIGKILL).');
    await expect.poll(() => reportsIn(home)).toHaveLength(3);
  });
});

test('an error of Hangar itself is reported until it is dismissed, the switch of the GPU counts from the next start, and a page that crashes again and again is not loaded again', async ({
  desktop,
  home,
  records,
}) => {
  await engineStarts(home);
  await new Shell(desktop.page).ready();
  await desktop.app.evaluate(({ dialog }) => {
    dialog.showErrorBox = (title, content) => Object.assign(globalThis, { shown: `${title}: ${content}` });
    setTimeout(() => {
      throw new Error('the tray fell over, with rpa_ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    });
    void Promise.reject(new Error('nobody waits for this'));
  });
  await records.expect('exception', /the tray fell over/);
  await records.expect('rejection', /nobody waits/);
  const shown = (): Promise<string> => desktop.app.evaluate(() => String(Reflect.get(globalThis, 'shown')));
  await expect.poll(shown).toMatch(/^Something in Hangar went wrong: Error: the tray fell over, with \S*•••/);
  const draws = (): Promise<boolean> => desktop.app.evaluate(({ app }) => app.isHardwareAccelerationEnabled());
  expect(await draws()).toBe(true);
  await desktop.page.evaluate(() => (location.hash = '#/settings/desktop'));
  const draw = desktop.page.getByRole('switch', { name: 'Hardware acceleration' });
  await draw.press('Space');
  await expect(draw).not.toBeChecked();
  // A switch turns before it is saved.
  await expect.poll(() => savedSettings(home)).toMatchObject({ drawWithGpu: false });
  await desktop.restart();
  await new Shell(desktop.page).ready();
  await test.step('a person can have the windows drawn without the GPU from the next start on', async () => {
    expect(await draws()).toBe(false);
  });
  const notice = desktop.page.getByRole('status').filter({ hasText: 'Hangar had an internal error.' });
  await expect(notice).toContainText('Nothing handled this error: Error: the tray fell over');
  await expect(notice).toContainText('This is crash 2');
  await notice.getByRole('button', { name: 'Show report' }).click();
  const report = desktop.page.getByLabel('Text of the report');
  await expect(report).toContainText('"part": "main"');
  await expect(report).not.toContainText('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  await expectFocusIn(desktop.page.getByRole('dialog'));
  await desktop.page.keyboard.press('Escape');
  // The next start has the notice as long as this file is there: main/app/crashes/crashes.spec.ts.
  const noted = join(home, 'hangar/crash-reports/undismissed.json');
  expect(existsSync(noted)).toBe(true);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  await expect.poll(() => existsSync(noted)).toBe(false);
  await test.step('a page that crashes again and again is not loaded again until the person says so', () =>
    crashAgainAndAgain({ desktop, home, records }));
});
