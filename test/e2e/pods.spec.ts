// The Pods page against the built host where nothing can run a container.
import { startEngineApi } from '../support/containers/answeringEngine.ts';
import { expect, startHost, test } from './support/host.ts';
import { expectOneRow } from './support/layout.ts';

test(
  'without a container engine the page says what is missing, and nothing can be deployed',
  { tag: '@journey' },
  async ({ page, shell }) => {
    const host = await startHost({ dockerHost: 'unix:///nowhere/docker.sock' });
    try {
      await page.goto(host.link);
      await shell.ready();
      await page.goto(`${host.page}/#/pods`);
      await expect(page.getByText('Pods need a container engine')).toBeVisible();
      await expect(page.getByText('/nowhere/docker.sock')).toBeVisible();
      await page.setViewportSize({ width: 640, height: 480 });
      await expect(page.getByRole('button', { name: /^Deploy on/ })).toBeDisabled();
      await page.goto(`${host.page}/#/gpus`);
      const deploy = page.getByRole('button', { name: /^Deploy on/ }).last();
      await expect(deploy).toHaveAttribute('aria-disabled', 'true');
      await expect(deploy).toHaveAccessibleDescription(/^Pods need a container engine\./);
      await expect.poll(() => shell.sidewaysScroll()).toBe(0);
      await page.goto(`${host.page}/#/pods`);
      await expect(page.getByText('/nowhere/docker.sock')).toBeVisible();
      await host.stop();
      await expect(page.getByText('Available again when Hangar is back')).toBeVisible();
    } finally {
      await host.stop();
    }
  },
);

test('a Pod that is not here is said to be so, and its address leads to the list', async ({ page, shell, pods }) => {
  await shell.open('#/pods/nobody/settings');
  await expect(pods.inspector).toContainText('Pod not found');
  await pods.inspector.getByRole('button', { name: 'Show all Pods' }).click();
  await expect(page).toHaveURL(/#\/pods$/);
});

test('the buttons of the sheet for a new Pod stand in one row in a window of 420 px', async ({ page, shell, pods }) => {
  await using containers = await startEngineApi(
    { '/version': { Version: '29.1.2' }, '/info': { OSType: 'linux' } },
    process.platform === 'win32' ? 'port' : 'socket',
  );
  const host = await startHost({ dockerHost: containers.host });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  await page.setViewportSize({ width: 420, height: 800 });
  await page.goto(host.link);
  await shell.ready();
  await page.goto(`${host.page}/#/pods`);
  await page
    .getByRole('button', { name: /^Deploy on/ })
    .first()
    .click();
  await expectOneRow(pods.sheet.getByRole('button', { name: /^(Cancel|Copy as curl|Deploy on )/ }), 'the buttons');
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
});
