/** The Endpoints page, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';
import { openTab } from './tabs.ts';

export type Tab = 'Overview' | 'Metrics' | 'Workers' | 'Logs' | 'Jobs' | 'Settings' | 'JSON';

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
    this.sheet = page.getByRole('dialog', { name: /^(New endpoint|Endpoint created) on/ });
    this.lanes = this.inspector.getByRole('group', { name: /^History of the workers/ });
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  async open(name: string): Promise<void> {
    await this.row(name).click();
    await expect(this.inspector.getByRole('heading', { level: 2, name })).toBeVisible();
  }

  async tab(name: Tab): Promise<void> {
    await openTab(this.inspector, name);
  }

  async begin(source: 'New handler' | 'Folder' | 'Container image' | 'Sample'): Promise<void> {
    await this.page.getByRole('button', { name: /^New endpoint on/ }).click();
    await this.source(source);
  }

  async source(source: 'New handler' | 'Folder' | 'Container image' | 'Sample'): Promise<void> {
    await this.sheet.getByRole('radiogroup', { name: 'Start from' }).getByText(source, { exact: true }).click();
  }

  field(label: string): Locator {
    const name = { name: label, exact: true };
    return this.sheet.getByRole('textbox', name).or(this.sheet.getByRole('combobox', name));
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.field(label).fill(value);
  }

  async make(): Promise<void> {
    await this.sheet.getByRole('button', { name: /^Create on/ }).click();
    await expect(this.sheet).toBeHidden();
  }

  async menu(item: 'Duplicate…' | 'Pause' | 'Resume' | 'Purge the queue…' | 'Delete the endpoint…'): Promise<void> {
    await this.inspector.getByRole('button', { name: /^More for/ }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Deletes the endpoint that is shown, by typing its name. */
  async remove(name: string): Promise<void> {
    await this.menu('Delete the endpoint…');
    const dialog = this.dialog(`Delete the endpoint ${name}?`);
    const confirm = dialog.getByRole('button', { name: 'Delete the endpoint' });
    await expect(confirm).toBeDisabled();
    await dialog.getByRole('textbox').fill(name);
    await confirm.click();
    await expect(this.row(name)).toHaveCount(0);
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** The word of the endpoint's state, in the head of the inspector. */
  get state(): Locator {
    return this.inspector.locator('header [data-endpoint-state]');
  }

  /** What is in the way of the endpoint, and what the list says of itself. */
  get notice(): Locator {
    return this.page.locator('main').getByRole('alert').or(this.page.locator('main').getByRole('status'));
  }

  /** A part of the overview, by its name. */
  part(name: 'Python' | 'Check this worker'): Locator {
    return this.inspector.getByRole('region', { name, exact: true });
  }

  /** Chooses how far back the metrics go. */
  async period(name: '1 h' | '24 h' | '7 d' | '30 d'): Promise<void> {
    const period = this.inspector.getByRole('radiogroup', { name: 'Period' });
    await period.getByText(name, { exact: true }).click();
    await expect(period.getByRole('radio', { name, exact: true })).toBeChecked();
  }

  /** A chart of the metrics, by its title. */
  chart(title: 'Jobs' | 'Run time' | 'Queue delay' | 'Workers' | 'Cost'): Locator {
    return this.inspector.getByRole('region', { name: title, exact: true });
  }

  /** The number below a word of the overview. */
  number(name: 'Queue' | 'Running' | 'Done' | 'Failed'): Locator {
    return this.inspector
      .locator('dl > div', { has: this.page.locator('dt', { hasText: new RegExp(`^${name}(, 24 h)?$`) }) })
      .locator('dd');
  }

  /** The lines of the log that are in sight. */
  get lines(): Locator {
    return this.inspector.getByRole('region', { name: /^Log of/ }).locator('[data-index]');
  }
}
