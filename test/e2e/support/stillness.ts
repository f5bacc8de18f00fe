/** Measures how far what is seen on the page moves while the page loads. */
import { expect, type Page } from '@playwright/test';

interface Loading {
  /** Ids of the requests of the page that have no answer yet. */
  open: Set<string>;
  /** Messages of the app that the page has not got yet, with the id of their request. */
  waiting: { id: string; hear: () => void }[];
  /** The page gets the messages of the newest request first. */
  newestFirst: boolean;
  moves: { value: number; parts: string }[];
  /** Texts that say that there is nothing, seen since the last answer of `movedUntilComplete`. */
  empty: Set<string>;
  /** The text of the page that was left, which is seen until the next one is there. */
  left: string;
}

declare global {
  interface Window {
    loading: Loading;
  }
}

/** The beginnings of what the page says where it has nothing to show. */
const EMPTY = String.raw`^(no|nothing|there (is|are) no)\b`;

/**
 * Notes what moves, and hands the messages of the app to the page one in each frame, so that every part of the page
 * comes alone, on a fast machine as on a slow one.
 */
function watchLoading(emptyPattern: string): void {
  const empty = new RegExp(emptyPattern, 'i');
  const loading: Loading = { open: new Set(), waiting: [], newestFirst: false, moves: [], empty: new Set(), left: '' };
  window.loading = loading;

  const idOf = (data: unknown) => /^\{"i":"?(\w+)/.exec(String(data))?.[1] ?? '';
  const isAbort = (data: unknown) => /^\{"i":"?\w+"?,"t":4/.test(String(data));
  const { send, addEventListener } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    const id = idOf(data);
    if (isAbort(data)) loading.open.delete(id);
    else if (id !== '') loading.open.add(id);
    send.call(this, data);
  };
  WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, listener: unknown, options: never) {
    const hear = listener as (event: Event) => void;
    const hearLater = (event: Event) => {
      const id = idOf((event as MessageEvent<unknown>).data);
      const hearNow = () => {
        hear.call(this, event);
        loading.open.delete(id);
      };
      loading.waiting.push({ id, hear: hearNow });
    };
    addEventListener.call(this, type, type === 'message' ? hearLater : hear, options);
  } as typeof addEventListener;

  const onFrame = () => {
    // The messages of one request keep their order.
    const next = loading.newestFirst ? loading.waiting.at(-1)?.id : loading.waiting[0]?.id;
    const place = loading.waiting.findIndex(({ id }) => id === next);
    if (place !== -1) loading.waiting.splice(place, 1)[0]?.hear();
    const texts = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.nodeValue ?? '';
      if (!empty.test(text) || node.parentElement?.checkVisibility({ visibilityProperty: true }) !== true) continue;
      loading.empty.add(text);
    }
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);

  type Shift = PerformanceEntry & {
    value: number;
    sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
  };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Shift[]) {
      const parts = sources.map(({ node, previousRect: { top, left }, currentRect }) => {
        const by = `${Math.round(currentRect.left - left)}, ${Math.round(currentRect.top - top)} px`;
        return `${node instanceof Element ? node.tagName : 'text'} "${node?.textContent?.slice(0, 30) ?? ''}" by ${by}`;
      });
      loading.moves.push({ value, parts: parts.join('; ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** To be called before the page is opened. */
export async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(watchLoading, EMPTY);
  // Parts wait a second at most for those above them. On a busy machine that second must not end early.
  const browser = await page.context().newCDPSession(page);
  await browser.send('Animation.enable');
  await browser.send('Animation.setPlaybackRate', { playbackRate: 0 });
}

/** So many frames in a row without a request, a skeleton or a font that is awaited: the page is complete. */
const CALM_FRAMES = 8;

export interface Moved {
  /** The sum of the layout shifts, as the browser scores them: 0 is still, 0.1 is seen by everybody. */
  sum: number;
  /** What moved by how much. */
  parts: string[];
  /** What said that there is nothing, and was gone in the end. */
  flashes: string[];
}

/** Waits until the page is complete. Answers what moved since the last call, or since the page was opened. */
export async function movedUntilComplete(page: Page): Promise<Moved> {
  await page.evaluate(
    (frames) =>
      new Promise<void>((resolve) => {
        let calm = 0;
        const checkFrame = () => {
          const { open, waiting } = window.loading;
          const isCalm =
            open.size + waiting.length === 0 &&
            document.fonts.status === 'loaded' &&
            document.querySelector('main h1') !== null &&
            document.querySelector('main :is(.mantine-Skeleton-root, [aria-busy=true])') === null;
          calm = isCalm ? calm + 1 : 0;
          if (calm < frames) requestAnimationFrame(checkFrame);
          else resolve();
        };
        checkFrame();
      }),
    CALM_FRAMES,
  );
  return page.evaluate(() => {
    const { moves, empty, left } = window.loading;
    const shown = left + (document.querySelector('main')?.textContent ?? '');
    const moved = {
      sum: moves.reduce((sum, { value }) => sum + value, 0),
      parts: moves.map(({ value, parts }) => `${value.toFixed(4)}: ${parts}`),
      flashes: [...empty].filter((text) => !shown.includes(text)),
    };
    window.loading.moves = [];
    window.loading.empty.clear();
    return moved;
  });
}

/** Answers reach a page that is opened from now on in the order of their coming, or those of the newest request first. */
export async function orderAnswers(page: Page, order: 'as they come' | 'newest first'): Promise<void> {
  await page.addInitScript((newestFirst) => (window.loading.newestFirst = newestFirst), order === 'newest first');
}

/** Opens a page in a new document, which has kept nothing of the last one. */
export async function openAnew(page: Page, hash: string): Promise<void> {
  // The new address alone would be a change of page. A reload takes half the time of another document between them.
  await page.evaluate((to) => history.replaceState(null, '', to), hash);
  await page.reload();
}

/** Goes to another page as a link does, and waits for nothing. */
export async function leaveFor(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    window.loading.left = document.querySelector('main')?.textContent ?? '';
    location.hash = to;
  }, hash);
  await expect(page).toHaveURL((url) => url.hash === hash);
}
