// The application menu. The stand-in proves what each entry does; how a system draws the menu only real Electron shows.
import type { ElectronApplication } from '@playwright/test';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, isStandin, test } from './support/desktop.ts';
import { engineStarts, logged } from './support/traces.ts';

const click = (app: ElectronApplication, id: string): Promise<void> =>
  app.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
    if (!item) throw new Error(`the menu has no ${wanted}`);
    item.click();
  }, id);

/** What an entry opens in the page. */
const dialogs = [
  ['do-shortcuts', 'Keyboard shortcuts'],
  ['do-palette', 'Command palette'],
  ['do-new-endpoint', 'New endpoint'],
  ['do-new-account', 'Add an account'],
] as const;

test('every page of the sidebar is in the menu with the same keys, and opens, as do the dialogs of the menu', async ({
  desktop,
  home,
}) => {
  await logged(home, 'started');
  await new Shell(desktop.page).ready();
  const items = await desktop.app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu()
      ?.items.flatMap(({ submenu }) => submenu?.items ?? [])
      .filter(({ id }) => id?.startsWith('page-'))
      .map(({ id, label, accelerator }) => ({ id, label, keys: accelerator })),
  );
  const links = desktop.page.getByRole('navigation').first().getByRole('link');
  const titles = await links.locator('span').allTextContents();
  for (const title of titles) expect(items?.map(({ label }) => label.replace('…', ''))).toContain(title.trim());
  for (const { id } of items ?? []) {
    await click(desktop.app, id);
    await desktop.page.waitForURL(({ hash }) => hash.split('/')[1] === id.replace('page-', ''));
  }
  // The keys themselves are the page's: what the menu shows works there.
  expect(items?.find(({ id }) => id === 'page-jobs')?.keys).toBe('CommandOrControl+2');
  await desktop.page.keyboard.press('ControlOrMeta+2');
  await desktop.page.waitForURL(({ hash }) => hash === '#/jobs');
  await click(desktop.app, 'do-back');
  await desktop.page.waitForURL(({ hash }) => hash === '#/accounts');
  await click(desktop.app, 'do-forward');
  await desktop.page.waitForURL(({ hash }) => hash === '#/jobs');
  for (const [id, name] of dialogs) {
    await test.step(`${id} opens "${name}" in the page`, async () => {
      const dialog = desktop.page.getByRole('dialog', { name });
      await click(desktop.app, id);
      await expect(dialog).toBeVisible();
      await desktop.page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
  }
});

test('the help leads to the documentation that the engine serves and to the logs, and a report copies facts without paths', async ({
  desktop,
  home,
  records,
}) => {
  test.skip(!isStandin, 'real Electron would open a browser and a folder');
  const [engine] = await engineStarts(home);
  await logged(home, 'started');
  await click(desktop.app, 'documentation');
  await records.expect('open-external', new RegExp(`^${engine?.address}/v1/docs$`));
  expect((await fetch(`${engine?.address}/v1/docs`)).status).toBe(200);
  await click(desktop.app, 'logs-folder');
  await records.expect('open-path', /hangar\/logs$/);
  await test.step('a report of a problem copies facts without paths, and opens the logs', async () => {
    await desktop.app.evaluate(({ dialog, shell }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
      shell.openPath = async (path) => {
        Object.assign(globalThis, { openedPath: path });
        return '';
      };
    });
    await click(desktop.app, 'report-problem');
    const openedPath = () => desktop.app.evaluate(() => String(Reflect.get(globalThis, 'openedPath')));
    await expect.poll(openedPath).toMatch(/hangar\/logs$/);
    const copied = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied).toMatch(/^Hangar \d+\.\d+\.\d+\n/);
    expect(copied).not.toContain(home);
  });
});

test.describe('in the language of testers', () => {
  test.use({ appArgs: ['--port=0', '--lang=en-XA'] });

  test('the host puts its texts in brackets, too', async ({ desktop, home }) => {
    test.skip(!isStandin, 'Electron has no such language');
    await logged(home, 'started');
    const labels = await desktop.app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.items.flatMap(({ submenu }) => submenu?.items ?? [])
        .flatMap(({ id, label }) => (id === undefined || id === '' ? [] : label.replace('…', ''))),
    );
    expect(labels?.length).toBeGreaterThan(15);
    expect(labels?.filter((label) => !/^⟦.+⟧?$/.test(label))).toEqual([]);
  });
});
