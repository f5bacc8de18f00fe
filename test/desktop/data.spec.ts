// The data of the desktop program: its places can be shown, and its folder moves with a start of the program in
// between.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { executablePath, expect, isStandin, root, test as base } from './support/desktop.ts';

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

test.describe('a data folder that cannot be opened', () => {
  test.skip(!isStandin || process.platform !== 'linux', 'real Electron shows a dialog that waits for a person');

  /** Starts the program, which ends by itself after its message. */
  async function startAndEnd(env: Record<string, string>): Promise<void> {
    const child = spawn(executablePath, [root, '--port=0'], { env, cwd: root, stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([1, null]);
  }

  test('a damaged note of a move is named in a message, with what to do', async ({ env, home, records }) => {
    const note = join(home, 'state', 'hangar', 'moved-to.json');
    mkdirSync(dirname(note), { recursive: true });
    writeFileSync(note, '{"to":');
    await startAndEnd(env);
    await records.expect(
      'dialog',
      new RegExp(`Hangar cannot open its data folder.*${note} cannot be read: .*backup`, 's'),
    );
  });

  test('a file in the place of the folder is named in a message, with what to do', async ({ env, home, records }) => {
    mkdirSync(join(home, 'state'));
    writeFileSync(join(home, 'state', 'hangar'), '');
    await startAndEnd(env);
    await records.expect('dialog', /Hangar cannot open its data folder.*a file is in the way\. Remove that/s);
  });
});
