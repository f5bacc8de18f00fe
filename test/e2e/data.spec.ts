// All data: the places, an export, a move and an import of the running Hangar, and its removal at the end.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost, test, type Host } from './support/host.ts';
import { Shell } from './pages/shell.ts';

test.describe('all data', () => {
  let home: string;
  let host: Host & { stop: () => Promise<void> };
  test.beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'hangar-e2e-home-'));
    // The default data folder: only that one moves while Hangar runs.
    host = await startHost({ home });
  });
  test.afterAll(async () => {
    await host.stop();
    await rm(home, { recursive: true, force: true });
  });

  test('is listed, exported, moved, imported and removed in Settings', async ({ browser }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(host.link);
    const shell = new Shell(page);
    await page.goto(`${host.page}/#/settings/storage`);
    await shell.ready();
    const places = page.getByRole('table');
    await expect(places.getByRole('row', { name: /^Samples/ })).toContainText(join(host.dataDir, 'examples'));
    await expectNoFault(page, 'the places of all data', 'main');

    const file = join(home, 'all.tar.gz');
    await page.getByLabel('Export to').fill(file);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(page.getByText('The export is complete.')).toBeVisible();
    expect(existsSync(file)).toBe(true);

    const to = join(home, 'elsewhere');
    await page.getByLabel('Move the data folder to').fill(file);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await expect(page.getByText('is not a folder')).toBeVisible();
    await page.getByLabel('Move the data folder to').fill(to);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    // Hangar starts again there, and the page comes back by itself.
    await expect(page.getByText('The data was moved.')).toBeVisible();
    await expect(places.getByRole('row', { name: /^Samples/ })).toContainText(join(to, 'examples'));
    expect(await readdir(host.dataDir)).toEqual(['moved-to.json']);

    await page.getByLabel('Import from').fill(file);
    await page.getByRole('button', { name: 'Import…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await expect(page.getByText('The import is complete.')).toBeVisible();
    expect((await readdir(to)).some((name) => name.startsWith('before-import-'))).toBe(true);

    // While the engine starts, a removal is refused.
    await shell.ready();
    await page.getByRole('button', { name: 'Remove everything…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('remove');
    await dialog.getByRole('button', { name: 'Remove everything' }).click();
    await expect(page.getByText('Everything is being removed')).toBeVisible();
    await expect.poll(() => existsSync(to) || existsSync(host.dataDir)).toBe(false);
    await context.close();
  });
});
