/**
 * One window of the browser for the tests of a worker. A document of the host stays open beside those of the tests, so
 * the page keeps its process and the compiled code in it: a twelfth of the processor time of all browser tests. Each test
 * has a new page, and of what the page stores only its session.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';

/** What the page keeps of its pairing: the cookies, and one token in its storage. */
export type Session = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

/** A document of the host that runs no program. */
const STILL = '/nothing-here';

export class SharedContext {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #session: Session;
  #context!: BrowserContext;
  /** Stays open: while a document of the host is, the browser keeps the process of the page. */
  #still!: Page;
  #page!: Page;
  /** Whether a test has given the context a script that each page begins with, which nothing takes back. */
  #hasScript = false;

  private constructor(browser: Browser, origin: string, session: Session) {
    this.#browser = browser;
    this.#origin = origin;
    this.#session = session;
  }

  /** `origin`: that of the host, such as `http://127.0.0.1:4000`. */
  static async open(browser: Browser, origin: string, session: Session): Promise<SharedContext> {
    const shared = new SharedContext(browser, origin, session);
    await shared.#begin();
    return shared;
  }

  get context(): BrowserContext {
    return this.#context;
  }

  /** The page of the next test, which is empty. */
  get page(): Page {
    return this.#page;
  }

  /** Takes back what a test has left, and opens the page of the next one. */
  async leave(): Promise<void> {
    const context = this.#context;
    const used = context.pages().filter((page) => page !== this.#still);
    // Both would keep the next document from loading.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.setOffline(false);
    await this.#openPage();
    const hasClock = await this.#page.evaluate(() => !Function.prototype.toString.call(Date).includes('[native code]'));
    if (hasClock || this.#hasScript) {
      await context.close();
      await this.#begin();
      return;
    }
    for (const page of used) await page.close();
    await context.clearPermissions();
    await context.clearCookies();
    await context.addCookies(this.#session.cookies);
    const stored = this.#session.origins.flatMap(({ localStorage }) => localStorage);
    await this.#still.evaluate((entries) => {
      localStorage.clear();
      for (const { name, value } of entries) localStorage.setItem(name, value);
    }, stored);
  }

  async #begin(): Promise<void> {
    this.#context = await this.#browser.newContext({
      storageState: this.#session,
      baseURL: this.#origin,
      reducedMotion: 'reduce',
      // Without it, the context has the locale of the first test of the worker.
      locale: 'en-US',
    });
    this.#hasScript = false;
    const addInitScript = this.#context.addInitScript.bind(this.#context);
    this.#context.addInitScript = (...script) => {
      this.#hasScript = true;
      return addInitScript(...script);
    };
    this.#still = await this.#context.newPage();
    await this.#still.goto(this.#origin + STILL);
    await this.#openPage();
  }

  /** By a document of the host: the new page then begins in its process, not in one of its own for a moment. */
  async #openPage(): Promise<void> {
    const opened = this.#still.waitForEvent('popup');
    await this.#still.evaluate(() => void window.open());
    this.#page = await opened;
  }
}
