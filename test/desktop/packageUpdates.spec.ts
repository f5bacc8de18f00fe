// Updates of packages that a package manager installed: Hangar names the newer version and the command, and fetches
// nothing. What the package manager then does is its own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, isStandin, onlyElectron, test as base } from './support/desktop.ts';
import { startUpdateServer, type UpdateServer } from './support/updateServer.ts';

interface Fixtures {
  /** As the packer writes it into the resources of the package. */
  packageType: 'deb' | 'rpm';
  server: UpdateServer;
}

const test = base.extend<Fixtures>({
  packageType: ['deb', { option: true }],
  server: async ({}, use) => {
    await using server = await startUpdateServer();
    await use(server);
  },
  env: async ({ env, home, server, packageType }, use) => {
    const resources = join(home, 'resources');
    mkdirSync(resources);
    writeFileSync(join(resources, 'package-type'), packageType);
    await use({ ...env, HANGAR_STANDIN_RESOURCES: resources, HANGAR_UPDATE_FEED: server.address });
  },
});
test.skip(!isStandin, onlyElectron);
test.skip(process.platform !== 'linux', 'these are packages of Linux');

for (const [packageType, manager, command] of [
  ['deb', 'apt', 'sudo apt-get install ./Hangar-9.0.0.deb'],
  ['rpm', 'dnf', 'sudo dnf install ./Hangar-9.0.0.rpm'],
] as const) {
  test.describe(`a .${packageType}`, () => {
    test.use({ packageType });

    test(`names a newer version and the command of ${manager}`, async ({ desktop: { page }, server }) => {
      await page.evaluate(() => (location.hash = '#/settings/general'));
      const updates = page.getByRole('region', { name: 'Updates' });
      await expect(updates).toContainText('The update server has no release on this channel.');
      server.publish({ version: '9.0.0', packages: ['Hangar-9.0.0.deb', 'Hangar-9.0.0.rpm'] });
      await updates.getByRole('button', { name: 'Check for updates' }).click();
      await expect(updates).toContainText(
        'Version 9.0.0 is available. Download its package and install it in a terminal.',
      );
      await expect(updates).toContainText(`${manager} installed this Hangar. Use it to update Hangar, too.`);
      await expect(updates).toContainText(command);
      await expect(updates.getByRole('button', { name: /Install/ })).toHaveCount(0);

      const notice = page.getByRole('status').filter({ hasText: 'A new version is available.' });
      await expect(notice).toContainText(command);
      await notice.getByRole('button', { name: 'Dismiss' }).click();
      await expect(notice).toBeHidden();
      expect(server.requests.filter(({ path }) => !path.endsWith('.yml'))).toEqual([]);
    });
  });
}
