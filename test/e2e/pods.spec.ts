// The Pods page against the built host where nothing can run a container.
import { expect, startHost, test } from './support/host.ts';

test(
  'without a container engine the page says what is missing, and a Pod is refused in the same words',
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
      await pods.begin();
      await expect.poll(() => shell.sidewaysScroll()).toBe(0);
      await pods.fill({ Image: 'me/image:1', Name: 'refused' });
      await pods.deploy();
      await expect(pods.sheet.getByRole('alert')).toContainText('Not deployed.');
      await expect(pods.sheet.getByRole('alert')).toContainText('Docker');
      await page.keyboard.press('Escape');
      await host.stop();
      await expect(page.getByRole('status').filter({ hasText: /^As of .*offline/ })).toBeVisible();
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
