// An engine that hangs: what was read before stays, with its time, and what was not read yet says so at once.
import { enginePid, expect, startHost, test } from './support/host.ts';
import { visit } from './support/pictures.ts';
import { expectNoFault } from './support/handlers.ts';

/** A page that has nothing says so within this time, in milliseconds. Requests to the engine have 25 s and more. */
const SOON_MS = 20_000;
const LAST_KNOWN = /^Last known, \d.*offline$/;

test('a hanging engine leaves the last numbers, dimmed and with their time, and no page loads for ever', async ({
  page,
  shell,
}) => {
  const host = await startHost();
  const pid = enginePid(host);
  test.skip(pid === null, 'this system does not tell which process is the engine');
  const main = page.getByRole('main');
  const lastKnown = main.getByRole('status').filter({ hasText: LAST_KNOWN });
  try {
    await page.goto(host.link);
    await shell.ready();
    await visit(page, '#/machine');
    await expect(main.getByText('Memory').first()).toBeVisible();
    await visit(page, '#/home');
    await expect(main.getByRole('region', { name: 'This computer' }).getByText('Memory')).toBeVisible();
    process.kill(pid ?? 0, 'SIGSTOP');
    await expect(shell.banner).toHaveText('The engine does not answer.');
    for (const hash of ['#/home', '#/machine']) {
      await visit(page, hash);
      await expect(lastKnown).toHaveCount(1);
      await expect(main.getByText('Memory').first()).toBeVisible();
      await expectNoFault(page, `${hash} of an engine that hangs`);
    }

    await page.reload();
    await expect(shell.banner).toHaveText('The engine does not answer.');
    await visit(page, '#/machine');
    await expect(main.getByText('Available again when the engine is back')).toBeVisible({ timeout: SOON_MS });
    await visit(page, '#/settings/storage');
    await expect(main.getByText('Data folder', { exact: true })).toBeVisible({ timeout: SOON_MS });
    await expect(main.getByRole('row', { name: /^Record of jobs/ })).toBeVisible({ timeout: SOON_MS });
    await visit(page, '#/home');
    await expect(lastKnown).toHaveCount(1);
    await expect(main.getByRole('region', { name: 'This computer' }).getByText('Unknown now')).toBeVisible();
    await expect(main.locator('.mantine-Skeleton-root')).toHaveCount(0);

    process.kill(pid ?? 0, 'SIGCONT');
    await expect(lastKnown).toHaveCount(0);
    await expect(main.getByRole('region', { name: 'This computer' }).getByText('Memory')).toBeVisible();
  } finally {
    process.kill(pid ?? 0, 'SIGCONT');
    await host.stop();
  }
});
