/** The Run page, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';

export class RunPage {
  readonly page: Page;
  readonly editor: Locator;
  readonly runButton: Locator;
  readonly stopButton: Locator;
  readonly state: Locator;
  readonly output: Locator;
  readonly hint: Locator;
  readonly error: Locator;
  readonly recent: Locator;
  readonly policyRow: Locator;

  constructor(page: Page) {
    this.page = page;
    this.editor = page.getByRole('textbox', { name: 'Request body, JSON' });
    this.runButton = page.getByRole('button', { name: /^Run on / });
    this.stopButton = page.getByRole('button', { name: 'Stop' });
    const job = page.getByRole('region', { name: 'Job', exact: true });
    this.state = job.locator('[data-status]').first();
    this.error = job.getByRole('group', { name: 'Job error' });
    this.output = page.getByRole('region', { name: 'Output', exact: true });
    // A notice of the whole program is an alert too.
    this.hint = page.locator('p[role=alert]');
    this.recent = page.getByRole('region', { name: 'Last runs of this endpoint' }).locator('tbody tr');
    this.policyRow = page.getByRole('region', { name: 'Request' });
  }

  async choose(endpoint: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Endpoint:/ }).click();
    await this.page.getByRole('option', { name: endpoint }).click();
    await expect(this.page.getByRole('button', { name: `Endpoint: ${endpoint}` })).toBeVisible();
    await expect(this.editor).toBeVisible();
  }

  async mode(label: 'Stream' | 'Wait for result'): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'Mode' }).getByText(label).click();
  }

  /** Replaces the request body, as pasting it would. */
  async write(body: string): Promise<void> {
    await this.editor.click();
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(body);
  }

  /** Puts the sample of the endpoint in the place of the request body. */
  async useSample(): Promise<void> {
    await this.page.getByRole('button', { name: 'Saved', exact: true }).click();
    await this.page.getByRole('button', { name: 'Sample of the endpoint' }).click();
  }

  /** The text in the editor, for bodies that fit into it. */
  async written(): Promise<string> {
    return (await this.editor.locator('.cm-line').allTextContents()).join('\n');
  }

  async run(): Promise<void> {
    await this.runButton.click();
  }

  async expectState(word: string): Promise<void> {
    await expect(this.state).toHaveText(word);
  }

  /**
   * Counts from now on how often the output grows while its job runs. Counted within the page: from outside, a busy machine
   * would miss some.
   */
  async countGrowth(): Promise<() => Promise<number>> {
    const counted = await this.page.evaluateHandle(() => {
      const output = { length: 0, times: 0 };
      new MutationObserver(() => {
        const length = document.querySelector('[role=region][aria-label=Output]')?.textContent?.length ?? 0;
        if (length > output.length && document.querySelector('[data-status=IN_PROGRESS]')) output.times += 1;
        output.length = length;
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      return output;
    });
    return async () => (await counted.jsonValue()).times;
  }

  tab(name: 'Output' | 'Chunks' | 'Raw'): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  /** The number on the Chunks tab. */
  async chunkCount(): Promise<number> {
    return Number(((await this.tab('Chunks').textContent()) ?? '').replace(/\D/g, ''));
  }
}
