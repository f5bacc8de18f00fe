/** Where elements stand on the page. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Rounded to whole pixels, the middles of elements in one row differ by so much at most. */
const SAME_ROW_PX = 2;

/** Expects that all of the elements stand in one row. There must be two at least. */
export async function expectOneRow(elements: Locator, what: string): Promise<void> {
  const spread = () =>
    elements.evaluateAll((all) => {
      const middles = all.map((element) => {
        const { top, height } = element.getBoundingClientRect();
        return Math.round(top + height / 2);
      });
      return middles.length < 2 ? null : Math.max(...middles) - Math.min(...middles);
    });
  await expect.poll(spread, { message: `${what} stand in one row` }).not.toBeNull();
  await expect.poll(spread, { message: `${what} stand in one row` }).toBeLessThanOrEqual(SAME_ROW_PX);
}

/** Notes from now on how far below the top of the window an element stands, in each frame; `read` answers all places. */
export async function watchTop(page: Page, selector: string): Promise<{ read: () => Promise<number[]> }> {
  const places = await page.evaluateHandle((watched) => {
    const seen = new Set<number>();
    const noteTop = () => {
      const element = document.querySelector(watched);
      if (element !== null) seen.add(Math.round(element.getBoundingClientRect().top));
      requestAnimationFrame(noteTop);
    };
    noteTop();
    return seen;
  }, selector);
  return { read: () => places.evaluate((seen) => [...seen]) };
}

/** A row of tabs or filters without room: it fades at the end that has more, and shows what is selected. */
const STRIP = '[data-more-before], [data-more-after]';
/** Widths that a person scrolls on purpose: code, logs and tables, each in a region of its own that takes the focus. */
const MEANT = `pre, [tabindex="0"][role=region], [role=grid], .cm-scroller, ${STRIP}`;

/** What is wider than its place: it scrolls sideways, or it is cut off although a person has to read or press it. */
export const wideParts = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([meant, strip]) => {
      const isWide = (element: Element): boolean => element.scrollWidth > element.clientWidth + 1;
      const nameOf = (element: Element): string =>
        `${element.tagName.toLowerCase()}.${element.classList[0] ?? ''} "${(element.textContent ?? '').slice(0, 40)}"`;
      const scrolling = [...document.querySelectorAll('body *')].filter(
        (element) => /auto|scroll/.test(getComputedStyle(element).overflowX) && element.closest(meant) === null,
      );
      const pressed = [...document.querySelectorAll('[role=tablist], .mantine-Button-label')].filter(
        (element) => element.closest(strip) === null,
      );
      const isOutside = (element: Element): boolean =>
        element.checkVisibility() && element.getBoundingClientRect().right > window.innerWidth + 1;
      /** For screen readers only. */
      const isClipped = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).getPropertyValue('clip') !== 'auto' || isClipped(element.parentElement));
      const outside = [...document.querySelectorAll('main :is(button, a, input, label, th, td)')].filter(
        (element) =>
          isOutside(element) && !isClipped(element) && element.closest(`pre, .cm-scroller, ${strip}`) === null,
      );
      /** Tabs without room scroll in their row, and have no second one. */
      const tall = [...document.querySelectorAll('[role=tablist]')].filter((list) => {
        const tabs = [...list.querySelectorAll('[role=tab]')].filter((tab) => tab.checkVisibility());
        return new Set(tabs.map((tab) => Math.round(tab.getBoundingClientRect().top))).size > 1;
      });
      return [...[document.documentElement, ...scrolling, ...pressed].filter(isWide), ...outside, ...tall].map(nameOf);
    },
    [MEANT, STRIP] as const,
  );
