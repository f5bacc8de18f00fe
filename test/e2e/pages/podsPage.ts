/** The Pods page as a person uses it. */
import { expect, type Locator, type Page } from '@playwright/test';
import { openTab } from './tabs.ts';

export class PodsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly rows: Locator;
  readonly inspector: Locator;
  readonly sheet: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('grid', { name: 'Pods' });
    this.rows = this.list.getByRole('row').filter({ has: page.getByRole('gridcell') });
    this.inspector = page.getByRole('region', { name: 'Pod', exact: true });
    this.sheet = page.getByRole('dialog', { name: /^Deploy a Pod on/ });
  }

  row(name: string): Locator {
    return this.rows.filter({ hasText: name });
  }

  /** The word of the Pod's state, in the head of the inspector. */
  get state(): Locator {
    return this.inspector.locator('header [data-pod-state]');
  }

  async open(name: string): Promise<void> {
    await this.row(name).click();
    await expect(this.inspector.getByRole('heading', { level: 2, name })).toBeVisible();
  }

  async tab(name: 'Overview' | 'Logs' | 'Terminal' | 'Events' | 'Settings' | 'JSON'): Promise<void> {
    await openTab(this.inspector, name);
  }

  async begin(): Promise<void> {
    await this.page.getByRole('button', { name: /^Deploy on/ }).click();
    await expect(this.field('Image')).toBeVisible();
  }

  field(label: string): Locator {
    const name = { name: label, exact: true };
    return this.sheet.getByRole('textbox', name).or(this.sheet.getByRole('combobox', name));
  }

  /** A field of the settings of the Pod that is shown. */
  setting(label: string): Locator {
    return this.inspector.getByRole('textbox', { name: label, exact: true });
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await this.field(label).fill(value);
  }

  async deploy(): Promise<void> {
    await this.sheet.getByRole('button', { name: /^Deploy/ }).click();
  }

  async menu(item: 'Restart…' | 'Reset…' | 'Delete…'): Promise<void> {
    await this.inspector.getByRole('button', { name: /^More for/ }).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  async stop(name: string): Promise<void> {
    await this.inspector.getByRole('button', { name: 'Stop…' }).click();
    await this.dialog(`Stop the Pod ${name}?`).getByRole('button', { name: 'Stop the Pod' }).click();
    await expect(this.state).toHaveText('Stopped');
  }

  /** Deletes the Pod that is shown, by typing its name. */
  async remove(name: string): Promise<void> {
    await this.menu('Delete…');
    const dialog = this.dialog(`Delete the Pod ${name}?`);
    const confirm = dialog.getByRole('button', { name: 'Delete the Pod' });
    await expect(confirm).toBeDisabled();
    await dialog.getByRole('textbox').fill(name);
    await confirm.click();
    await expect(this.row(name)).toHaveCount(0);
  }
}
