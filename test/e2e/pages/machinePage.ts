/** The page about the computer, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';

export class MachinePage {
  readonly page: Page;
  readonly service: Locator;
  readonly load: Locator;
  readonly runtimes: Locator;
  readonly workers: Locator;
  readonly queue: Locator;
  readonly waiting: Locator;
  readonly rules: Locator;
  readonly handlers: Locator;
  readonly log: Locator;
  readonly banner: Locator;
  readonly pauseButton: Locator;
  readonly resumeButton: Locator;

  constructor(page: Page) {
    this.page = page;
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    this.service = card('Engine');
    this.load = card('CPU and GPUs');
    this.runtimes = card('Runtimes');
    this.workers = card('Workers');
    this.queue = card('Queue');
    this.waiting = this.queue.getByRole('list', { name: /^Waiting jobs/ }).getByRole('listitem');
    this.rules = card('Rules');
    this.handlers = card('Handlers');
    this.log = card('Log');
    this.banner = page.getByTestId('pause-banner');
    this.pauseButton = page.getByRole('button', { name: 'Pause', exact: true });
    this.resumeButton = page.getByRole('button', { name: /^Resume/ });
  }

  async pauseBy(way: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: 'More ways to pause' }).click();
    await this.page.getByRole('menuitem', { name: way }).click();
  }

  /** A switch, which the browser knows as a checkbox behind its picture. */
  rule(label: string): Locator {
    return this.rules.getByRole('switch', { name: label });
  }

  async switchRule(label: string, on: boolean): Promise<void> {
    const choice = this.rule(label);
    if ((await choice.isChecked()) !== on) await this.rules.locator('label').filter({ hasText: label }).click();
    await expect(choice).toBeChecked({ checked: on });
  }

  async chooseQueue(endpoint: string): Promise<void> {
    await this.queue.getByRole('combobox', { name: 'Endpoint of the queue' }).click();
    await this.page.getByRole('option', { name: new RegExp(`^${endpoint}( [\\d,]+ waiting)?$`) }).click();
  }

  /** Ids of the jobs that wait, in the order shown. */
  async order(): Promise<string[]> {
    return this.waiting
      .locator('[data-job]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-job') ?? ''));
  }
}
