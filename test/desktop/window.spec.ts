// The windows and what their page may do. The stand-in proves what the app asks of Electron, what Chromium does with our
// headers, which windows there are, what each shows and where it comes back. How a system draws and places them, that the
// sandbox holds and that the page has no Node only real Electron shows (onlyElectron.spec.ts).
import type { ElectronApplication, Page } from '@playwright/test';
import { contentPolicy } from '../../main/hosts/electron/pageFiles.ts';
import { JobsPage } from '../e2e/pages/jobsPage.ts';
import { RunPage } from '../e2e/pages/runPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, nextWindow, test, type Desktop } from './support/desktop.ts';
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

async function opensOnPage(desktop: Desktop): Promise<void> {
  await expect(desktop.page).toHaveTitle(/Hangar/);
  await expect(desktop.page.locator('#root')).not.toBeEmpty();
  const visible = (): Promise<boolean | undefined> =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(visible).toBe(true);
}

async function isSandboxed(desktop: Desktop): Promise<void> {
  const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Electron.WebPreferences;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
  });
  const pageState = await desktop.page.evaluate(() => ({
    host: Object.entries(Reflect.get(window, 'hangarHost') as object).map(([name, value]) => [name, typeof value]),
    isFrozen: Object.isFrozen(Reflect.get(window, 'hangarHost')),
    node: ['require', 'process', 'module', 'Buffer', 'electron'].filter((name) => name in window),
  }));
  const host = [
    ['kind', 'string'],
    ['grantFile', 'function'],
  ];
  expect(pageState).toEqual({ host, isFrozen: true, node: [] });
}

async function carriesPolicy(desktop: Desktop): Promise<void> {
  const headers = await desktop.page.evaluate(async () => {
    const response = await fetch('/index.html');
    return Object.fromEntries(response.headers);
  });
  expect(headers).toMatchObject({ 'content-security-policy': contentPolicy, 'x-content-type-options': 'nosniff' });
  expect(contentPolicy).not.toMatch(/script-src[^;]*'unsafe/);

  const violated = await desktop.page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
          once: true,
        });
        const script = document.createElement('script');
        script.textContent = 'window.injected = true';
        document.body.append(script);
      }),
  );
  expect(violated).toBe('script-src-elem');
  expect(await desktop.page.evaluate(() => 'injected' in window)).toBe(false);
}

async function servesOwnFiles(desktop: Desktop): Promise<void> {
  const answers = await desktop.page.evaluate(() =>
    Promise.all(
      [
        '/../package.json',
        '/%2e%2e/%2e%2e/package.json',
        '/..%2f..%2fpackage.json',
        '/..%5c..%5cpackage.json',
        '//package.json',
        '/assets/',
        '/%00',
        '/%',
      ].map(async (path) => {
        const { status } = await fetch(`${location.origin}${path}`);
        return `${path} ${status}`;
      }),
    ),
  );
  for (const answer of answers) expect(answer).toMatch(/ 404$/);
}

async function followsTheme(desktop: Desktop): Promise<void> {
  const colourIn = (theme: 'light' | 'dark'): Promise<string | undefined> =>
    desktop.app.evaluate(({ BrowserWindow, nativeTheme }, source) => {
      nativeTheme.themeSource = source;
      return BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase();
    }, theme);
  await expect.poll(() => colourIn('dark')).toBe('#101113');
  await expect.poll(() => colourIn('light')).toBe('#ffffff');
  await desktop.app.evaluate(({ nativeTheme }) => (nativeTheme.themeSource = 'system'));
}

async function runJob(desktop: Desktop): Promise<void> {
  const run = new RunPage(desktop.page);
  await run.choose('stream-words');
  await run.write('{"input": {"text": "kept", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
}

interface Two {
  readonly desktop: Desktop;
  /** The page of the second window. */
  readonly second: Page;
}

async function isBeside({ desktop, second }: Two): Promise<void> {
  await new Shell(second).ready();
  await second.waitForURL(({ hash }) => hash === '#/pods');
  const [first, other] = await allBounds(desktop.app);
  expect(other).toEqual({ ...first, x: (first?.x ?? 0) + 28, y: (first?.y ?? 0) + 28 });

  // What one changes shows in the other: both speak with the same app.
  await new Shell(second).command('Pause this computer now');
  await expect(second.getByText(/Paused/).first()).toBeVisible();
  await expect(desktop.page.getByText(/Paused/).first()).toBeVisible();
}

async function comeBack({ desktop, second }: Two): Promise<void> {
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
  const minimums = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.getMinimumSize()),
  );
  expect(minimums).toEqual([
    [900, 600],
    [900, 600],
  ]);
  const hashes = (): string[] => desktop.app.windows().map((page) => new URL(page.url()).hash);
  await expect.poll(() => hashes().toSorted()).toEqual(['#/billing', '#/jobs']);
}

async function hasLedger(desktop: Desktop): Promise<void> {
  const page = desktop.app.windows().find((one) => new URL(one.url()).hash === '#/jobs');
  const jobs = new JobsPage(page ?? desktop.page);
  await expect(jobs.rows).toHaveCount(1);
  await expect.poll(() => jobs.states()).toEqual(['Done']);
}

test('the window shows its page, which has no way out of its sandbox and its files, and it and a second one come back where they were, with what was run', async ({
  desktop,
  home,
}) => {
  await test.step('the window opens on the page, and is shown once it can be seen', () => opensOnPage(desktop));
  await test.step('the page is sandboxed, isolated and without Node', () => isSandboxed(desktop));
  await test.step('every answer carries the strict content policy, and Chromium keeps it', () =>
    carriesPolicy(desktop));
  await test.step('no path leads out of the page’s own files', () => servesOwnFiles(desktop));
  await test.step('the colour behind the page follows the theme', () => followsTheme(desktop));
  await logged(home, 'started');
  await new Shell(desktop.page).ready();
  await runJob(desktop);
  await go(desktop.page, '#/pods');
  await knows(desktop.app, '#/pods');
  const two = { desktop, second: await newWindow(desktop.app) };
  await test.step('a new window shows the same page beside the first, and each has a connection of its own', () =>
    isBeside(two));
  await test.step('windows that were open at the end are open at the next start, each where it was, and one that a person closed is not', () =>
    comeBack(two));
  await test.step('what was run before is in the ledger', () => hasLedger(desktop));
});
