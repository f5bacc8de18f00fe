// A new text makes the browser compute the style of few elements, on every page. A selector such as `li:has(> .chip)`,
// without a class beside `:has()`, is checked for ancestors and siblings of each change: it once made 540 of the 700
// elements of a page be styled again at every change, which took ten times as long. So does `td:last-child button`: an
// element that is no longer the last one may have buttons in it. The rules of each page stay for those after it.
import type { CDPSession, Page } from '@playwright/test';
import { call } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

interface TraceEvent {
  name: string;
  /** Microseconds. */
  ts: number;
  args: { elementCount?: number };
}

/** What the browser reports of its work during `act`, in order. */
async function trace(session: CDPSession, act: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    categories: 'devtools.timeline,blink.user_timing',
    transferMode: 'ReportEvents',
  });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return events.toSorted((a, b) => a.ts - b.ts);
}

/** The marks before and after a change. */
const ADDED = 'added to ';
const STYLED = 'styled';

/** Adds a text at up to sixty places of the page, one after the other. */
const addTexts = (page: Page) =>
  page.evaluate(
    ([added, styled]) => {
      const elements = [...document.querySelectorAll<HTMLElement>('#page *:not(svg, svg *)')];
      const step = Math.ceil(elements.length / 60);
      for (const [index, element] of elements.entries()) {
        if (index % step > 0) continue;
        const text = document.createElement('span');
        // It takes no room: a container whose size changes may be styled again.
        text.style.position = 'absolute';
        // Reading a size makes the browser compute all styles that have changed.
        void document.body.offsetWidth;
        performance.mark(`${added}${index} ${element.tagName} ${element.className}`);
        element.append(text);
        void document.body.offsetWidth;
        performance.mark(styled);
        text.remove();
      }
    },
    [ADDED, STYLED] as const,
  );

/** How many elements were styled after a text was added, for each place. */
async function restyledAt(page: Page, session: CDPSession): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let place: string | null = null;
  for (const { name, args } of await trace(session, () => addTexts(page))) {
    if (name.startsWith(ADDED)) place = name;
    else if (name === STYLED) place = null;
    else if (place !== null && name === 'UpdateLayoutTree') {
      counts[place] = (counts[place] ?? 0) + (args.elementCount ?? 0);
    }
  }
  return counts;
}

/** Whether all that comes and goes is over: what is still being faded in is styled again with each change. */
const hasNoTransition = (): boolean =>
  document.getAnimations().every(({ effect }) => effect?.getComputedTiming().iterations === Infinity);

/** The text, its element and its neighbours: five, and fifteen in the frame of tabs. */
const MOST = 24;
/** Rows with buttons, as a person has who made many endpoints. */
const TEMPLATES = 30;

test('a text that comes makes the browser style few elements on every page', async ({ page, shell, host }) => {
  const templates: string[] = [];
  for (let number = 0; number < TEMPLATES; number++) {
    const fields = { name: `restyled-${number}`, imageName: 'busybox:1' };
    templates.push((await call<{ id: string }>(host, 'POST', '/v1/templates', fields)).id);
  }
  await shell.open('#/home');
  const session = await page.context().newCDPSession(page);
  for (const link of await shell.navigation.getByRole('link').all()) {
    await link.click();
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(hasNoTransition);
    const counts = await restyledAt(page, session);
    expect(Object.keys(counts), page.url()).not.toEqual([]);
    expect(
      Object.entries(counts).filter(([, count]) => count > MOST),
      page.url(),
    ).toEqual([]);
  }
  for (const id of templates) await call(host, 'DELETE', `/v1/templates/${id}`);
});
