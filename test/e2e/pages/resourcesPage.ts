/** The Resources page, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';
import { openTab } from './tabs.ts';

export class ResourcesPage {
  readonly page: Page;
  readonly region: Locator;
  readonly transfers: Locator;

  constructor(page: Page) {
    this.page = page;
    this.region = page.getByRole('region', { name: 'Resources' });
    this.transfers = this.region.getByRole('list', { name: 'Transfers' }).getByRole('listitem');
  }

  async tab(name: 'Templates' | 'Volumes' | 'Registries' | 'Files'): Promise<void> {
    await openTab(this.region, name);
  }

  row(name: string): Locator {
    return this.region.getByRole('row', { name });
  }

  /** The row that the keys of a list are at. */
  get activeRow(): Locator {
    return this.region.getByRole('grid').getByRole('row').and(this.page.locator('[data-active]'));
  }

  button(name: string): Locator {
    return this.region.getByRole('button', { name, exact: true });
  }

  async menu(
    row: string,
    item: 'Edit…' | 'Rename or grow…' | 'Download' | 'Download as ZIP' | 'Rename' | 'Delete…',
  ): Promise<void> {
    await this.region.getByRole('button', { name: `More for ${row}`, exact: true }).click();
    // The menu that was open before goes only after its transition. That of a file is named by its actions.
    const menuOf = (word: string) => this.page.getByRole('menu', { name: `${word} for ${row}`, exact: true });
    const menu = menuOf('More').or(menuOf('Actions'));
    await menu.getByRole('menuitem', { name: item }).click();
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** Answers the dialog with this name by the button with that one. */
  async answer(name: string, button: string, fields: Record<string, string> = {}): Promise<void> {
    const dialog = this.dialog(name);
    for (const [label, value] of Object.entries(fields)) {
      // A password has no role.
      const password = dialog.locator('[type=password]').and(dialog.getByLabel(label));
      await dialog.getByRole('textbox', { name: label, exact: true }).or(password).fill(value);
    }
    await dialog.getByRole('button', { name: button }).click();
    await expect(dialog).toBeHidden();
  }
}
