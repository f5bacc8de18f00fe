// The data of the desktop program: its places can be shown, and its folder moves with a start of the program in
// between.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, isStandin, test as base } from './support/desktop.ts';

/** The default data folder: only that one moves while the program runs. */
const test = base.extend({
  env: async ({ env, home }, use) => {
    const { HANGAR_HOME: _named, ...rest } = env;
    await use({ ...rest, HOME: home, XDG_STATE_HOME: join(home, 'state') });
  },
});

test('the data folder is shown, and moves to a place where the next start finds it', async ({
  desktop,
  home,
  records,
}) => {
  test.skip(!isStandin || process.platform !== 'linux', 'real Electron starts itself again, and opens a file manager');
  const [from, to] = [join(home, 'state', 'hangar'), join(home, 'elsewhere')];
  const open = () => desktop.page.evaluate(() => (location.hash = '#/settings/storage'));
  await open();
  const row = () => desktop.page.getByRole('row', { name: /^Samples/ });
  await row().getByRole('button', { name: 'Show Samples' }).click();
  await records.expect('open-path', new RegExp(`${from}/examples`));
  await desktop.page.getByLabel('Move the data folder to').fill(to);
  await desktop.page.getByRole('button', { name: 'Move', exact: true }).click();
  await records.expect('relaunch', /^$/);
  expect(readdirSync(from)).toEqual(['moved-to.json']);
  expect(existsSync(join(to, 'ledger.db'))).toBe(true);
  await desktop.restart();
  await open();
  await expect(row()).toContainText(join(to, 'examples'));
});
