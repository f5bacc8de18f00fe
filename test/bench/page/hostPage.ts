/** A host of its own with its page in a browser, for measuring what a person waits for. */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../../scripts/chromium.mjs';
import { startHost, type Host } from '../../e2e/support/host.ts';

/** A step that takes longer than this has failed. */
const STEP_MS = 60_000;
const VIEWPORT = { width: 1280, height: 800 };

export interface HostPage extends AsyncDisposable {
  readonly host: Host;
  readonly browser: Browser;
  /** A window with the session of the pairing and an empty cache. */
  newContext(): Promise<BrowserContext>;
}

/** The host of `options` with a browser that is paired with it. */
export async function startHostPage(options: Parameters<typeof startHost>[0] = {}): Promise<HostPage> {
  await using cleanup = new AsyncDisposableStack();
  const host = cleanup.adopt(await startHost(options), ({ stop }) => stop());
  const executablePath = findChromium();
  const browser = cleanup.adopt(
    await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: chromiumFlags }),
    (running) => running.close(),
  );
  const first = await browser.newContext();
  await (await first.newPage()).goto(host.link);
  const storageState = await first.storageState();
  await first.close();
  const stack = cleanup.move();
  return {
    host,
    browser,
    newContext: () => browser.newContext({ storageState, baseURL: host.page, viewport: VIEWPORT }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Opens `address` in a new window, lets `work` use it and closes the window. */
export async function onPage<T>(
  context: Promise<BrowserContext>,
  address: string,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const opened = await context;
  try {
    const page = await opened.newPage();
    page.setDefaultTimeout(STEP_MS);
    await page.goto(address);
    return await work(page);
  } finally {
    await opened.close();
  }
}

/**
 * Milliseconds from the start of `act` until the page has painted an element that fits `selector`, by the page's clock.
 */
export async function msUntilShown(page: Page, selector: string, act: () => Promise<void>): Promise<number> {
  const shown = page.evaluateHandle((wanted) => {
    const from = { at: 0 };
    addEventListener('click', (event) => (from.at ||= event.timeStamp), { capture: true, once: true });
    return {
      ms: new Promise<number>((resolve) => {
        const check = (): void => {
          if (document.querySelector(wanted) === null) requestAnimationFrame(check);
          // The frame after the one that has it: by then it was painted.
          else requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from.at)));
        };
        check();
      }),
    };
  }, selector);
  const watch = await shown;
  await act();
  return watch.evaluate(({ ms }) => ms);
}
