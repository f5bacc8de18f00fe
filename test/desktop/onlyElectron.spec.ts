// What no stand-in can show: skipped, by name, wherever Electron's binary is not there.
import { expect, isStandin, onlyElectron, test } from './support/desktop.ts';

test.skip(isStandin, onlyElectron);

test('the page’s process is in the system’s sandbox', async ({ desktop }) => {
  test.skip(process.platform === 'linux', 'the tests start Electron without its sandbox on Linux');
  const metrics = await desktop.app.evaluate(({ app }) => app.getAppMetrics());
  expect(metrics.filter(({ type }) => type === 'Tab').map(({ sandboxed }) => sandboxed)).toEqual([true]);
});

test('the page is served under app://bundle, in a secure context, with storage of its own', async ({ desktop }) => {
  const pageState = await desktop.page.evaluate(() => {
    localStorage.setItem('kept', 'yes');
    return { origin: location.origin, isSecureContext, kept: localStorage.getItem('kept') };
  });
  expect(pageState).toEqual({ origin: 'app://bundle', isSecureContext: true, kept: 'yes' });
});

test('a webview in the page attaches nothing', async ({ desktop }) => {
  await desktop.page.evaluate(() => {
    const view = document.createElement('webview');
    view.setAttribute('src', 'https://example.com/');
    document.body.append(view);
  });
  expect(await desktop.app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
});

test('the menu has the system’s standard roles', async ({ desktop }) => {
  const roles = await desktop.app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items.map(({ role }) => role?.toLowerCase())),
  );
  expect(roles).toEqual(expect.arrayContaining(['copy', 'paste', 'undo', 'reload', 'togglefullscreen', 'minimize']));
});
