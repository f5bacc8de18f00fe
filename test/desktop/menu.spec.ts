// The application menu, and what a package registers. The stand-in proves what each entry does; how a system draws the menu only real Electron shows.
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { Shell } from '../e2e/pages/shell.ts';
import { expectFocusIn } from '../e2e/pages/focus.ts';
import { expect, isStandin, test, type Desktop } from './support/desktop.ts';
import { engineStarts, logged } from './support/traces.ts';
import { keepWhatIsOpened, opened } from './support/opened.ts';

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

async function leadToHelp({ app }: Desktop, home: string): Promise<void> {
  const [engine] = await engineStarts(home);
  const documents = `${engine?.address}/v1/docs`;
  await keepWhatIsOpened(app);
  await click(app, 'documentation');
  await expect.poll(() => opened(app)).toEqual([documents]);
  expect((await fetch(documents)).status).toBe(200);
  await click(app, 'logs-folder');
  await expect.poll(() => opened(app)).toEqual([documents, join(home, 'hangar/logs')]);
}

async function reportProblem({ app }: Desktop, home: string): Promise<void> {
  await keepWhatIsOpened(app);
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
  });
  await click(app, 'report-problem');
  await expect.poll(() => opened(app)).toEqual([join(home, 'hangar/logs')]);
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toMatch(/^Hangar \d+\.\d+\.\d+\n/);
  expect(copied).not.toContain(home);
}

test('every page of the sidebar is in the menu with the same keys, and opens, as do the dialogs, the help and the report of a problem', async ({
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
      await expectFocusIn(dialog);
      await desktop.page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
  }
  await test.step('the help leads to the documentation that the engine serves and to the logs', () =>
    leadToHelp(desktop, home));
  await test.step('a report of a problem copies facts without paths, and opens the logs', () =>
    reportProblem(desktop, home));
});

test.describe('in a package, in the language of testers', () => {
  test.use({ appArgs: ['--port=0', '--lang=en-XA'] });

  test('the scheme of links is registered, and the host puts its texts in brackets, too', async ({
    env,
    home,
    launch,
  }) => {
    env['ELECTRON_FORCE_IS_PACKAGED'] = 'true';
    const app = await launch();
    await logged(home, 'started');
    expect(await app.evaluate((electron) => electron.app.isDefaultProtocolClient('hangar'))).toBe(true);

    // Electron has no such language.
    if (!isStandin) return;
    const labels = await app.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()
        ?.items.flatMap(({ submenu }) => submenu?.items ?? [])
        .flatMap(({ id, label }) => (id === undefined || id === '' ? [] : label.replace('…', ''))),
    );
    expect(labels?.length).toBeGreaterThan(15);
    expect(labels?.filter((label) => !/^⟦.+⟧?$/.test(label))).toEqual([]);
  });
});
