/** The Accounts page, as a person uses it. Keys are typed, so that no script of the test ever hands one to the page. */
import { expect, type Locator, type Page } from '@playwright/test';

export interface NewAccount {
  kind: 'RunPod' | 'Another service with this API' | 'An engine on another machine';
  name: string;
  /** By the label of its field. */
  addresses: Readonly<Record<string, string>>;
  key: string;
}

export class AccountsPage {
  readonly page: Page;
  readonly list: Locator;
  readonly inspector: Locator;
  readonly sheet: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('grid', { name: 'Accounts' });
    this.inspector = page.getByRole('region', { name: 'Account', exact: true });
    this.sheet = page.getByRole('dialog', { name: 'Add an account' });
  }

  async fillIn({ kind, name, addresses, key }: NewAccount): Promise<void> {
    await this.page.getByRole('button', { name: 'Add an account' }).first().click();
    await this.sheet.getByRole('radio', { name: kind }).check();
    await this.sheet.getByLabel('Name').fill(name);
    // The usual ones are folded.
    if (kind === 'RunPod' && Object.keys(addresses).length > 0) await this.sheet.getByText(/^Addresses /).click();
    for (const [label, address] of Object.entries(addresses))
      await this.sheet.getByRole('textbox', { name: label, exact: true }).fill(address);
    await this.typeSecret(this.sheet.getByLabel('API key'), key);
  }

  async typeSecret(field: Locator, secret: string): Promise<void> {
    await field.click();
    await this.page.keyboard.insertText(secret);
  }

  async add(account: NewAccount): Promise<void> {
    await this.fillIn(account);
    await this.#submit(account.name);
  }

  /** Adds another machine by its address with a pairing code, as its page shows it. */
  async pair(name: string, link: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add an account' }).first().click();
    await this.sheet.getByRole('radio', { name: 'An engine on another machine' }).check();
    await this.sheet.getByRole('textbox', { name: 'Address', exact: true }).fill(link);
    await this.submit(name);
  }

  /** Opens the form for another machine, and in it the dialog that reads its pairing code. */
  async scan(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Add an account' }).first().click();
    await this.sheet.getByRole('radio', { name: 'An engine on another machine' }).check();
    await this.sheet.getByRole('button', { name: 'Scan a code…' }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Scan a pairing code' });
    await expect(dialog.getByRole('button', { name: 'Choose a picture…' })).toBeVisible();
    return dialog;
  }

  /** Sends the form, with this name, and waits until the account is there. */
  async submit(name: string): Promise<void> {
    await this.sheet.getByLabel('Name').fill(name);
    await this.#submit(name);
  }

  /** Waits until the account is there. */
  async #submit(name: string): Promise<void> {
    await this.sheet.getByRole('button', { name: /^Add this/ }).click();
    await expect(this.inspector.getByRole('heading', { level: 2 })).toHaveText(name);
  }

  /** By the list of targets. */
  async switchTo(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Target:/ }).click();
    await this.page.getByRole('menuitemradio', { name: new RegExp(`^${name}`) }).click();
    await expect(this.page.getByRole('button', { name: new RegExp(`^Target: ${name}`) })).toBeVisible();
  }
}
