// What the page may not do. The stand-in proves that the app refuses when Electron asks, and what Chromium then does;
// that Electron asks in every case only real Electron shows.
import type { ElectronApplication } from '@playwright/test';
import { expect, isStandin, onlyElectron, test, type Desktop } from './support/desktop.ts';
import { logged } from './support/traces.ts';

type WithOpened = typeof globalThis & { opened: string[] };

/** A test must not open a browser: what would be opened is kept instead. */
const keepWhatIsOpened = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ shell }) => {
    const page = globalThis as WithOpened;
    page.opened = [];
    shell.openExternal = async (url) => void page.opened.push(url);
  });
const opened = (app: ElectronApplication): Promise<string[]> => app.evaluate(() => (globalThis as WithOpened).opened);

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

test.describe('with a scheme of its own', () => {
  test.skip(isStandin, onlyElectron);

  test('the page cannot navigate to another host of the scheme', async ({ desktop, home }) => {
    await goesNowhere(desktop, home, 'app://other/index.html', 1);
  });
});

test('the page navigates nowhere else and opens no window, its addresses go to the person’s browser or nowhere, and it may only copy text and use the camera', async ({
  desktop,
  home,
  records,
}) => {
  for (const [index, address] of ['https://example.com/elsewhere', 'app://bundle/assets/page.js'].entries()) {
    await test.step(`the page cannot navigate to ${address}`, () => goesNowhere(desktop, home, address, index + 1));
  }
  await records.expect('refused-navigation', /elsewhere/);
  await records.expect('refused-navigation', /page\.js/);
  await keepWhatIsOpened(desktop.app);
  await test.step('an address that is neither https nor of a Pod is not opened', async () => {
    const addresses = ['http://example.com/', 'https://name:word@example.com/', 'mailto:a@example.com'];
    for (const [index, address] of addresses.entries()) {
      await desktop.page.evaluate((url) => void window.open(url), address);
      await logged(home, 'a new window was refused', index + 1);
    }
    expect(await opened(desktop.app)).toEqual([]);
    await expect.poll(() => desktop.app.windows().length).toBe(1);
    for (const address of [/^http:\/\/example\.com/, /^https:\/\/name:word@example\.com/, /^mailto:a@/])
      await records.expect('refused-window', address);
  });
  await test.step('window.open makes no window; an https address goes to the person’s browser', async () => {
    expect(await desktop.page.evaluate(() => window.open('https://example.com/docs'))).toBeNull();
    await expect.poll(() => opened(desktop.app)).toEqual(['https://example.com/docs']);
    await expect.poll(() => desktop.app.windows().length).toBe(1);
    await records.expect('refused-window', /^https:\/\/example\.com\/docs$/);
  });
  await test.step('a link that a person clicks opens in their browser', async () => {
    await desktop.page.evaluate(() => {
      const link = document.createElement('a');
      Object.assign(link, { href: 'https://example.com/link', target: '_blank', textContent: 'A planted link' });
      link.style.cssText = 'position: fixed; inset: 0 auto auto 0; z-index: 99999; background: white';
      document.body.append(link);
    });
    await desktop.page.getByText('A planted link').click();
    await expect.poll(() => opened(desktop.app)).toEqual(['https://example.com/docs', 'https://example.com/link']);
    await records.expect('refused-window', /link/);
  });
  await test.step('the page is given no permission but to copy text and to use the camera', async () => {
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
  });
});
