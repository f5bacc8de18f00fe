/** The frame round every page, as a person uses it. Takes a page only, so that desktop tests drive it, too. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { pageFacts } from '#contract/app/pages.ts';

type PageTitle = (typeof pageFacts)[keyof typeof pageFacts]['title'];

/** The banner of an engine that does not run. */
export const engineAway = /^The engine (?!found|crashed)/;

export class Shell {
  readonly page: Page;
  readonly target: Locator;
  readonly navigation: Locator;
  readonly statusBar: Locator;
  readonly banner: Locator;
  readonly palette: Locator;
  readonly shortcuts: Locator;

  constructor(page: Page) {
    this.page = page;
    this.target = page.getByRole('button', { name: /^Target:/ });
    this.navigation = page.getByRole('navigation', { name: 'Pages' });
    this.statusBar = page.getByRole('contentinfo');
    this.banner = page
      .getByRole('main')
      .locator('strong')
      .getByText(new RegExp(`${engineAway.source}|^Connection to Hangar lost`));
    this.palette = page.getByRole('dialog').filter({ has: page.getByPlaceholder('Search or run a command') });
    this.shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  }

  /** Settles once the page is connected and the engine is ready. */
  async ready(): Promise<void> {
    await expect(this.target).toHaveAccessibleName(/engine ready$/);
  }

  /** `hash` is an address such as `#/jobs`. */
  async open(hash: string): Promise<void> {
    await this.page.goto(`/${hash}`);
    await this.ready();
    // A font that comes later moves texts.
    await this.page.evaluate(async () => void (await document.fonts.ready));
  }

  /** Opens a page by the sidebar. Throws before `open`: nothing is loaded yet, and a click would wait in vain. */
  async goTo(title: PageTitle): Promise<void> {
    if (this.page.url() === 'about:blank') throw new Error('Hangar is not open yet: call shell.open first.');
    await this.navigation.getByRole('link', { name: new RegExp(`^${title}`) }).click();
    await expect(this.page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }

  /**
   * Opens the palette by its keys, types, and takes the first answer; again where the page reloaded meanwhile
   * (`lazyPart`).
   */
  async command(text: string): Promise<void> {
    const field = this.palette.getByPlaceholder('Search or run a command');
    const answer = this.palette.getByRole('option').or(this.palette.getByRole('button')).first();
    // One that is about to close takes a text, too.
    await expect(this.palette).toBeHidden();
    await expect(async () => {
      if (!(await this.palette.isVisible())) await this.page.keyboard.press('ControlOrMeta+k');
      await field.fill(text, { timeout: 5000 });
      await expect(answer).toContainText(text, { timeout: 5000 });
    }).toPass();
    await this.page.keyboard.press('Enter');
    await expect(this.palette).toBeHidden();
  }

  async chooseTheme(label: 'Match system' | 'Light' | 'Dark'): Promise<void> {
    await this.page.getByRole('button', { name: 'Appearance' }).click();
    await this.page.getByRole('menuitemradio', { name: label }).click();
    await this.page.keyboard.press('Escape');
    await expect(this.page.getByRole('menu')).toBeHidden();
  }

  /**
   * Notes each banner from now on, within the page: one of an engine that is soon back is gone before a busy machine
   * has looked from outside.
   */
  watchBanner(): Promise<() => Promise<string[]>> {
    return this.#watch('main strong');
  }

  /** Notes each notice from now on, within the page: it goes by itself after some seconds. */
  watchNotices(): Promise<() => Promise<string[]>> {
    return this.#watch('.mantine-Notification-root');
  }

  async #watch(parts: string): Promise<() => Promise<string[]>> {
    const watch = await this.page.evaluateHandle((selector) => {
      const texts: string[] = [];
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll(selector)) texts.push(textContent ?? '');
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      return texts;
    }, parts);
    return () => watch.jsonValue();
  }

  /**
   * Rests the pointer where notices appear, so that the next one does not go by itself. It has to be brought by a key,
   * because a click moves the pointer, and not from a dialog: where an overlay goes, the pointer enters nothing.
   */
  async restOnNotices(): Promise<void> {
    const { x, y, width } = (await this.statusBar.boundingBox())!;
    await this.page.mouse.move(x + width - 80, y - 40);
  }

  /** The notice of a crash stays until then, also for the next test on the same host. */
  async dismissCrash(): Promise<void> {
    const notice = this.page.getByRole('status').filter({ hasText: 'The engine crashed.' });
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toBeHidden();
  }

  /** What the page is painted on, as the browser computed it. */
  background(): Promise<string> {
    return this.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  }

  /** How far the page could be scrolled sideways. */
  sidewaysScroll(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
}
