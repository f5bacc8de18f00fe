// The window and what its page may do. The stand-in proves what the app asks of Electron and what Chromium does with
// our headers; that the sandbox holds and the page has no Node can only be shown by real Electron
// (onlyElectron.spec.ts).
import { contentPolicy } from '../../main/hosts/electron/pageFiles.ts';
import { expect, test } from './support/desktop.ts';

test('the window shows its page, which has no way out of its sandbox and its files, and comes back where it was', async ({
  desktop,
}) => {
  await test.step('the window opens on the page, and is shown once it can be seen', async () => {
    await expect(desktop.page).toHaveTitle(/Hangar/);
    await expect(desktop.page.locator('#root')).not.toBeEmpty();
    const visible = (): Promise<boolean | undefined> =>
      desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
    await expect.poll(visible).toBe(true);
  });
  await test.step('the page is sandboxed, isolated and without Node', async () => {
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
  });
  await test.step('every answer carries the strict content policy, and Chromium keeps it', async () => {
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
  });
  await test.step('no path leads out of the page’s own files', async () => {
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
  });
  await test.step('the colour behind the page follows the theme', async () => {
    const colourIn = (theme: 'light' | 'dark'): Promise<string | undefined> =>
      desktop.app.evaluate(({ BrowserWindow, nativeTheme }, source) => {
        nativeTheme.themeSource = source;
        return BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase();
      }, theme);
    await expect.poll(() => colourIn('dark')).toBe('#101113');
    await expect.poll(() => colourIn('light')).toBe('#ffffff');
  });
  await test.step('the window is at least 900 by 600 and comes back where it was', async () => {
    const bounds = { x: 60, y: 50, width: 1010, height: 710 };
    await desktop.app.evaluate(
      ({ BrowserWindow }, newBounds) => BrowserWindow.getAllWindows()[0]?.setBounds(newBounds),
      bounds,
    );
    await desktop.restart();
    const windowState = await desktop.app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0];
      return { bounds: window?.getBounds(), minimum: window?.getMinimumSize() };
    });
    expect(windowState).toEqual({ bounds, minimum: [900, 600] });
  });
});
