/** The Jobs page, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';

export class JobsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly rows: Locator;
  readonly filters: Locator;
  readonly inspector: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('grid', { name: 'Jobs, newest first' });
    this.rows = this.list.getByRole('rowgroup').getByRole('row');
    this.filters = page.getByRole('search', { name: 'Filter the jobs' });
    this.inspector = page.getByRole('region', { name: 'Job', exact: true });
  }

  /** Opens the form with the parts of the filter. */
  async openFilter(): Promise<void> {
    const button = this.filters.getByRole('button', { name: 'Filter', exact: true });
    if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
  }

  async filter(name: 'State' | 'Endpoint' | 'Time' | 'Source' | 'Account', choice: string): Promise<void> {
    await this.openFilter();
    await this.filters.getByRole('combobox', { name }).or(this.filters.getByRole('textbox', { name })).first().click();
    await this.page.getByRole('option', { name: choice, exact: true }).click();
  }

  async search(text: string): Promise<void> {
    await this.filters.getByRole('textbox', { name: 'Text' }).fill(text);
  }

  /** Opens Run with the input of the open job. Where there are several accounts, a menu asks on which one. */
  async editAndRun(): Promise<void> {
    await this.inspector.getByRole('button', { name: 'Edit and run…' }).click();
    const here = this.page.getByRole('menuitem', { name: 'On this computer' });
    await expect(here.or(this.page.getByRole('heading', { level: 1, name: 'Run' }))).toBeVisible();
    if (await here.isVisible()) await here.click();
  }

  /** The state words of the rows in sight. */
  states(): Promise<string[]> {
    return this.rows.locator('[data-status]').allTextContents();
  }
}
