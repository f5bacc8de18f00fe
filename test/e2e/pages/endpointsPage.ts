/** The Endpoints page, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';

export type Tab = 'Overview' | 'Workers' | 'Logs' | 'Jobs' | 'Settings' | 'JSON';

export class EndpointsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly rows: Locator;
  readonly inspector: Locator;
  readonly sheet: Locator;
  readonly lanes: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('grid', { name: 'Endpoints' });
    this.rows = this.list.getByRole('row').filter({ has: page.getByRole('gridcell') });
    this.inspector = page.getByRole('region', { name: 'Endpoint', exact: true });
    this.sheet = page.getByRole('dialog', { name: /^New endpoint on/ });
    this.lanes = this.inspector.getByRole('group', { name: /^Lives of the workers/ });
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  async open(name: string): Promise<void> {
    await this.row(name).click();
    await expect(this.inspector.getByRole('heading', { level: 2, name })).toBeVisible();
  }

  async tab(name: Tab): Promise<void> {
    await this.inspector.getByRole('tab', { name }).click();
  }

  async begin(source: 'Folder' | 'Image' | 'Sample'): Promise<void> {
    await this.page.getByRole('button', { name: /^New endpoint on/ }).click();
    await this.sheet.getByText(source, { exact: true }).first().click();
  }

  async make(): Promise<void> {
    await this.sheet.getByRole('button', { name: /^Make it on/ }).click();
  }

  async menu(item: 'Purge the queue…' | 'Delete the endpoint…'): Promise<void> {
    await this.inspector.getByRole('button', { name: /^More for/ }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** The number below a word of the overview. */
  number(name: 'Queue' | 'Running' | 'Done' | 'Failed'): Locator {
    return this.inspector.locator('dl > div', { has: this.page.locator('dt', { hasText: name }) }).locator('dd');
  }
}
