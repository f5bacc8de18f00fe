// Updates of packages that a package manager installed: Hangar names the newer version and the command, and fetches
// nothing. What the package manager then does is its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, isStandin, onlyElectron, test as base } from './support/desktop.ts';
import { startUpdateServer, type UpdateServer } from './support/updateServer.ts';

const test = base.extend<{ server: UpdateServer }>({
  server: async ({}, use) => {
    await using server = await startUpdateServer();
    await use(server);
  },
  env: async ({ env, home, server }, use) => {
    const resources = join(home, 'resources');
    mkdirSync(resources);
    // As the packer writes it into the resources of the package.
    writeFileSync(join(resources, 'package-type'), 'rpm');
    await use({ ...env, HANGAR_STANDIN_RESOURCES: resources, HANGAR_UPDATE_FEED: server.address });
  },
});
test.skip(!isStandin, onlyElectron);
test.skip(process.platform !== 'linux', 'these are packages of Linux');

// What is said of other packages: main/hosts/electron/updates/installation.spec.ts.
test('a .rpm names a newer version and the command of dnf', async ({ desktop: { page }, server }) => {
  await page.evaluate(() => (location.hash = '#/settings/general'));
  const updates = page.getByRole('region', { name: 'Updates' });
  await expect(updates).toContainText('The update server has no release on this channel.');
  server.publish({ version: '9.0.0', packages: ['Hangar-9.0.0.deb', 'Hangar-9.0.0.rpm'] });
  await updates.getByRole('button', { name: 'Check for updates' }).click();
  await expect(updates).toContainText('Version 9.0.0 is available. Download its package and install it in a terminal.');
  await expect(updates).toContainText('dnf installed this Hangar. Use it to update Hangar, too.');
  const command = 'sudo dnf install ./Hangar-9.0.0.rpm';
  await expect(updates).toContainText(command);
  await expect(updates.getByRole('button', { name: /Install/ })).toHaveCount(0);

  const notice = page.getByRole('status').filter({ hasText: 'A new version is available.' });
  await expect(notice).toContainText(command);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  expect(server.requests.filter(({ path }) => !path.endsWith('.yml'))).toEqual([]);
});
