// What docs/security.md says of the desktop program, as far as no other spec holds it. The stand-in proves what the
// program asks of Electron, and what Chromium does with its answers; that Electron asks in every case only real Electron
// shows.
import type { ElectronApplication, Page } from '@playwright/test';
import { AccountsPage } from '../e2e/pages/accountsPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { drawnCode } from '../e2e/scan/shownCode.ts';
import { expect, isStandin, onlyElectron, test, type Desktop, type Records } from './support/desktop.ts';
import { logged } from './support/traces.ts';
import { keepWhatIsOpened, opened } from './support/opened.ts';

/** Which directive of the content policy an attempt in the page violates. */
async function violated(page: Shell['page'], attempt: string): Promise<string | undefined> {
  await page.evaluate(async (name) => {
    const remote = 'https://example.com/x';
    const element = (tag: string, properties: object): void => {
      document.body.append(Object.assign(document.createElement(tag), properties));
    };
    const attempts: Record<string, () => unknown> = {
      // Not within this call: the tool of the test is allowed to run texts.
      eval: () => setTimeout(() => new Function('return 1')() as unknown),
      'a timer with a text': () => setTimeout('window.injected = true' as never),
      'an inline script': () => element('script', { textContent: 'window.injected = true' }),
      'a remote script': () => element('script', { src: `${remote}.js` }),
      'a remote style': () => element('link', { rel: 'stylesheet', href: `${remote}.css` }),
      'a remote picture': () => element('img', { src: `${remote}.png` }),
      'a remote frame': () => element('iframe', { src: remote }),
      'a remote request': () => fetch(remote).catch(() => null),
      'a remote socket': () => new WebSocket('wss://example.com/x'),
      'an object': () => element('object', { data: '/index.html' }),
      'a base': () => element('base', { href: 'https://example.com/' }),
    };
    const seen: string[] = [];
    Object.assign(window, { seen });
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective), {
      once: true,
    });
    try {
      await attempts[name]?.();
    } catch {
      // The violation is reported besides the exception.
    }
  }, attempt);
  const violations = (): Promise<string[]> => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  // Without a violation nothing is reported.
  await expect.poll(violations, `${attempt} is refused`).not.toEqual([]);
  return (await violations())[0];
}

/** Emits an event of the page as Electron does, and returns whether the program refused it. */
const ask = (app: ElectronApplication, event: string, details: object): Promise<boolean> =>
  app.evaluate(
    ({ BrowserWindow }, [name, facts]) => {
      let isRefused = false;
      const preventDefault = (): void => {
        isRefused = true;
      };
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.emit(name, { ...facts, preventDefault }, {}, {});
      return isRefused;
    },
    [event, details] as const,
  );

async function comeByScheme(desktop: Desktop, home: string): Promise<void> {
  const address = await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  );
  expect(address).toMatch(/^app:\/\/bundle\/index\.html/);
  await new Shell(desktop.page).ready();
  // Chromium itself refuses a file to a page, so the question of Electron is asked here.
  const isRefused = await ask(desktop.app, 'will-frame-navigate', { url: 'file:///etc/passwd', isMainFrame: true });
  expect(isRefused).toBe(true);
  const [line] = await logged(home, 'a navigation was refused');
  expect(line?.to).toBe('file:///etc/passwd');
}

async function refuseWebview(desktop: Desktop): Promise<void> {
  expect(await ask(desktop.app, 'will-attach-webview', {})).toBe(true);
  expect(await ask(desktop.app, 'will-redirect', { url: 'app://bundle/index.html' })).toBe(true);
}

async function refusePermissions(desktop: Desktop): Promise<void> {
  const answers = await desktop.page.evaluate(async () => ({
    position: await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('allowed'),
        ({ code }) => resolve(code),
      ),
    ),
    notification: await Notification.requestPermission(),
    clipboard: await navigator.clipboard.readText().then(
      () => 'allowed',
      (error: unknown) => (error instanceof DOMException ? error.name : 'failed'),
    ),
    microphone: await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'allowed',
      () => 'refused',
    ),
  }));
  expect(answers).toEqual({
    position: 1,
    notification: 'denied',
    clipboard: 'NotAllowedError',
    microphone: 'refused',
  });
}

async function useFewFeatures(desktop: Desktop): Promise<void> {
  const facts = await desktop.app.evaluate(({ app, BrowserWindow, ipcMain }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Electron.WebPreferences;
    };
    const { experimentalFeatures = false, enableBlinkFeatures = '' } = contents.getLastWebPreferences();
    const switches = ['enable-blink-features', 'disable-web-security', 'enable-features', 'ignore-certificate-errors'];
    return {
      experimentalFeatures,
      enableBlinkFeatures,
      switches: switches.filter((name) => app.commandLine.hasSwitch(name)),
      channels: ipcMain.eventNames(),
      // Not in the public types, but there.
      asked: [...(ipcMain as unknown as { _invokeHandlers: Map<string, unknown> })._invokeHandlers.keys()],
    };
  });
  expect(facts).toEqual({
    experimentalFeatures: false,
    enableBlinkFeatures: '',
    switches: [],
    channels: ['hangar:port'],
    asked: ['hangar:file'],
  });
}

async function runNoText(desktop: Desktop): Promise<void> {
  const { page } = desktop;
  await new Shell(page).ready();
  const results: Record<string, string | undefined> = {};
  const attempts = [
    'eval',
    'a timer with a text',
    'an inline script',
    'a remote script',
    'a remote style',
    'a remote picture',
    'a remote frame',
    'a remote request',
    'a remote socket',
    'an object',
    'a base',
  ];
  for (const attempt of attempts) results[attempt] = await violated(page, attempt);
  expect(results).toEqual({
    eval: 'script-src',
    'a timer with a text': 'script-src',
    'an inline script': 'script-src-elem',
    'a remote script': 'script-src-elem',
    'a remote style': 'style-src-elem',
    'a remote picture': 'img-src',
    'a remote frame': 'frame-src',
    'a remote request': 'connect-src',
    'a remote socket': 'connect-src',
    'an object': 'object-src',
    'a base': 'base-uri',
  });
  expect(await page.evaluate(() => 'injected' in window)).toBe(false);
}

/** Asks the page to go there, which is refused. */
const goesNowhere = async (desktop: Desktop, home: string, address: string, count: number): Promise<void> => {
  // On the stand-in an address of our scheme is written as Chromium knows it.
  const target = address.replace('app://bundle', new URL(desktop.page.url()).origin);
  const before = desktop.page.url();
  await desktop.page.evaluate((url) => {
    location.href = url;
  }, target);
  const lines = await logged(home, 'a navigation was refused', count);
  expect(lines.map(({ to }) => to).at(-1)).toBe(address);
  expect(desktop.page.url()).toBe(before);
  await expect(desktop.page.locator('#root')).not.toBeEmpty();
};

interface Parts {
  readonly desktop: Desktop;
  readonly home: string;
  readonly records: Records;
}

async function navigatesNowhere({ desktop, home, records }: Parts): Promise<void> {
  const refused = (await logged(home, 'a navigation was refused')).length;
  for (const [index, address] of ['https://example.com/elsewhere', 'app://bundle/assets/page.js'].entries()) {
    await test.step(`the page cannot navigate to ${address}`, () =>
      goesNowhere(desktop, home, address, refused + index + 1));
  }
  await records.expect('refused-navigation', /elsewhere/);
  await records.expect('refused-navigation', /page\.js/);
}

async function opensNoOther({ desktop, home, records }: Parts): Promise<void> {
  const addresses = ['http://example.com/', 'https://name:word@example.com/', 'mailto:a@example.com'];
  for (const [index, address] of addresses.entries()) {
    await desktop.page.evaluate((url) => void window.open(url), address);
    await logged(home, 'a new window was refused', index + 1);
  }
  expect(await opened(desktop.app)).toEqual([]);
  await expect.poll(() => desktop.app.windows().length).toBe(1);
  for (const address of [/^http:\/\/example\.com/, /^https:\/\/name:word@example\.com/, /^mailto:a@/])
    await records.expect('refused-window', address);
}

async function opensNoWindow({ desktop, records }: Parts): Promise<void> {
  expect(await desktop.page.evaluate(() => window.open('https://example.com/docs'))).toBeNull();
  await expect.poll(() => opened(desktop.app)).toEqual(['https://example.com/docs']);
  await expect.poll(() => desktop.app.windows().length).toBe(1);
  await records.expect('refused-window', /^https:\/\/example\.com\/docs$/);
}

async function opensLink({ desktop, records }: Parts): Promise<void> {
  await desktop.page.evaluate(() => {
    const link = document.createElement('a');
    Object.assign(link, { href: 'https://example.com/link', target: '_blank', textContent: 'A planted link' });
    link.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 99999; background: white';
    document.body.append(link);
  });
  await desktop.page.getByText('A planted link').click();
  await expect.poll(() => opened(desktop.app)).toEqual(['https://example.com/docs', 'https://example.com/link']);
  await records.expect('refused-window', /link/);
}

async function givesTwoPermissions({ desktop }: Parts): Promise<void> {
  const states = await desktop.page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write'];
    const states = await Promise.all(
      names.map((name) => navigator.permissions.query({ name: name as PermissionName })),
    );
    return Object.fromEntries(states.map(({ state }, index) => [names[index], state]));
  });
  expect(states).toEqual({
    geolocation: 'denied',
    notifications: 'denied',
    camera: 'granted',
    microphone: 'denied',
    'clipboard-read': 'denied',
    'clipboard-write': 'granted',
  });
}

async function readCode(page: Page): Promise<void> {
  const shell = new Shell(page);
  await shell.ready();
  await shell.goTo('Accounts');
  const accounts = new AccountsPage(page);
  const dialog = await accounts.scan();
  await dialog.locator('input[type=file]').setInputFiles(drawnCode());
  await expect(dialog).toBeHidden();
  await expect(accounts.sheet.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue(
    'http://127.0.0.1:47800',
  );
}

test.describe('with a scheme of its own', () => {
  test.skip(isStandin, onlyElectron);

  test('the page cannot navigate to another host of the scheme', async ({ desktop, home }) => {
    await goesNowhere(desktop, home, 'app://other/index.html', 1);
  });
});

test('the program gives its page what docs/security.md says, and no more', async ({ desktop, home, records }) => {
  const parts = { desktop, home, records };
  await test.step('the page comes by a scheme of its own, never from a file', () => comeByScheme(desktop, home));
  await test.step('a picture of a pairing code fills in the address', () => readCode(desktop.page));
  await navigatesNowhere(parts);
  await keepWhatIsOpened(desktop.app);
  await test.step('an address that is neither https nor of a Pod is not opened', () => opensNoOther(parts));
  await test.step('window.open makes no window; an https address goes to the person’s browser', () =>
    opensNoWindow(parts));
  await test.step('a link that a person clicks opens in their browser', () => opensLink(parts));
  await test.step('the page is given no permission but to copy text and to use the camera', () =>
    givesTwoPermissions(parts));
  await test.step('a webview is not attached, and a redirect is not followed', () => refuseWebview(desktop));
  await test.step('a request of the page for a permission is refused', () => refusePermissions(desktop));
  await test.step('no experimental feature of Chromium is on, and the program listens to two channels only', () =>
    useFewFeatures(desktop));
  await test.step('the page runs no text as a program and loads nothing from elsewhere', () => runNoText(desktop));
});
