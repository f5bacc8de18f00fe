// The Pods page against the built host where nothing can run a container.
import { expect, startHost, test } from './support/host.ts';

test(
  'without a container engine the page says what is missing, and nothing can be deployed',
  { tag: '@journey' },
  async ({ page, shell, pods }) => {
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
      await page
        .getByRole('button', { name: /^Deploy on/ })
        .last()
        .click();
      await expect(pods.sheet).toContainText('Pods need a container engine');
      await expect(pods.sheet).toContainText('/nowhere/docker.sock');
      await expect(pods.sheet.getByRole('button', { name: /^Deploy on/ })).toHaveCount(0);
      await expect.poll(() => shell.sidewaysScroll()).toBe(0);
      await page.keyboard.press('Escape');
      await expect(pods.sheet).toBeHidden();
      await expect(page).toHaveURL(/#\/gpus$/);
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
