// The page of jobs in wide and narrow windows: what stands in a row of its own, and that nothing moves under the pointer.
import type { Locator } from '@playwright/test';
import { openTab } from './pages/tabs.ts';
import { setPrice } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const middleOf = async (element: Locator): Promise<number> => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return Math.round(box.y + box.height / 2);
};

/** The places of all elements in another one; zeros for one that is not laid out. */
const placesIn = (element: Locator): Promise<number[][]> =>
  element.evaluate((root) =>
    [...root.querySelectorAll('*')].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height];
    }),
  );

test.afterEach(({ host }) => setPrice(host, null));

/** Whether a click on the middle of an element meets the element. */
const isUncovered = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
};

test('the filters, a row and the tabs of a job keep their places in wide and narrow windows', async ({
  page,
  jobs,
  shell,
  run,
  host,
}) => {
  // The price gives the list a column more.
  await setPrice(host, 3600);
  await shell.open('#/run');
  await run.choose('stream-words');
  for (const text of ['one job', 'another job']) {
    await run.write(JSON.stringify({ input: { text, delayMs: 1 } }));
    await run.run();
    await expect(run.output).toContainText(text);
    await run.expectState('Done');
  }
  await shell.goTo('Jobs');
  await jobs.filter('State', 'Done');
  await jobs.filter('Source', 'Window of Hangar');
  await jobs.filter('Time', 'Last 24 hours');
  await jobs.filter('Endpoint', 'stream-words');
  await page.keyboard.press('Escape');
  // Tests before this one may have sent jobs, too. The number beside the chips changes with the rows.
  await expect(jobs.rows.filter({ hasNotText: 'stream-words' })).toHaveCount(0);
  await expect(jobs.filters).toContainText(/\d of \d+$/);
  const title = page.getByRole('heading', { level: 1, name: 'Jobs' });
  const clear = jobs.filters.getByRole('button', { name: 'Clear', exact: true });
  const chip = (name: string) => jobs.filters.getByRole('button', { name: `Remove the filter "${name}"` });
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await test.step(`the title and the buttons share a row at ${width} px, and all chips the one below`, async () => {
      // The page is laid out anew a moment after the window has its width.
      await expect(async () => {
        const head = await middleOf(title);
        for (const name of ['Filter', 'Export'])
          expect(Math.abs((await middleOf(page.getByRole('button', { name, exact: true }))) - head)).toBeLessThan(4);
        const chips = await middleOf(clear);
        expect(chips).toBeGreaterThan(head + 20);
        for (const name of ['Done', 'from: Window of Hangar', 'Last 24 hours', 'stream-words'])
          expect(Math.abs((await middleOf(chip(name))) - chips)).toBeLessThan(4);
        expect(await shell.sidewaysScroll()).toBe(0);
      }).toPass();
    });
  }
  await test.step('a chip without room is scrolled to and can be removed', async () => {
    // An arrow of the row would take the click in place of a chip that ends under it.
    for (const name of ['Done', 'from: Window of Hangar', 'Last 24 hours', 'stream-words']) {
      for (const inline of ['start', 'end'] as const) {
        await chip(name).evaluate((button, side) => button.scrollIntoView({ inline: side, block: 'nearest' }), inline);
        await expect.poll(() => chip(name).evaluate(isUncovered), `${name} at the ${inline}`).toBe(true);
      }
    }
    await chip('stream-words').click();
    await expect(chip('stream-words')).toHaveCount(0);
    await clear.click();
  });
  const row = jobs.rows.nth(0);
  await test.step('the lines below the jobs are as full as they can be, with prices beside them', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await jobs.rows.nth(1).click();
    const tags = jobs.inspector.getByRole('combobox', { name: 'Tags' });
    for (const tag of ['nightly', 'to be compared']) {
      await tags.fill(tag);
      await tags.press('Enter');
      await expect(jobs.rows.nth(1).getByRole('button', { name: tag, includeHidden: true })).toBeAttached();
    }
    await jobs.inspector.getByRole('button', { name: 'Close the job' }).click();
    await expect(jobs.inspector).toBeHidden();
  });
  await test.step('nothing in a row moves under the pointer, and its id comes over its end', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await row.click();
    const copy = jobs.rows.nth(1).getByRole('button', { name: 'Copy job id' });
    // The list gets narrow a moment after the job beside it is there.
    await expect(async () => {
      await page.mouse.move(1, 1);
      await expect(copy).toBeHidden();
      const before = await placesIn(jobs.rows.nth(1));
      await jobs.rows.nth(1).hover();
      await expect(copy).toBeVisible();
      const wasLaidOut = (_place: number[], index: number) => before[index]?.some((value) => value !== 0);
      expect(before.filter(wasLaidOut).length).toBeGreaterThan(10);
      expect((await placesIn(jobs.rows.nth(1))).filter(wasLaidOut)).toEqual(before.filter(wasLaidOut));
    }).toPass();
  });
  await test.step('the name of an endpoint is whole where it has room, alone and beside an open job', async () => {
    const name = jobs.rows.nth(1).getByTitle('stream-words', { exact: true });
    const cut = () => name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    const leftOf = async (element: Locator) => Math.round((await element.boundingBox())?.x ?? 0);
    for (const width of [1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(cut).toBe(0);
      // It begins where the text of the job begins.
      const text = jobs.rows.nth(1).getByTitle('one job', { exact: true });
      await expect.poll(async () => (await leftOf(name)) - (await leftOf(text))).toBe(0);
    }
    await page.keyboard.press('Escape');
    for (const width of [420, 1280, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(jobs.inspector).toBeHidden();
      await expect.poll(cut).toBe(0);
    }
  });
  await test.step('no row moves when a job is selected, so that a second click takes it back', async () => {
    const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
    for (const width of [1280, 420]) {
      await page.setViewportSize({ width, height: 800 });
      // It does not move any more.
      await row.getByRole('checkbox').click({ trial: true });
      const before = await middleOf(row);
      const box = await row.getByRole('checkbox').boundingBox();
      const click = () => page.mouse.click((box?.x ?? 0) + 7, (box?.y ?? 0) + 7);
      await click();
      await expect(bar).toContainText('1 selected');
      await expect.poll(() => middleOf(row)).toBe(before);
      await expect(bar.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 });
      await click();
      await expect(bar).toBeHidden();
      await expect.poll(() => middleOf(row)).toBe(before);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await row.click();
  });
  await test.step('at 420 px each tab can be reached in its row, and no request is cut', async () => {
    await page.setViewportSize({ width: 420, height: 800 });
    for (const name of ['Raw', 'Webhooks', 'Requests']) {
      await openTab(jobs.inspector, name);
      await expect(jobs.inspector.getByRole('tab', { name })).toBeInViewport({ ratio: 1 });
    }
    const requests = jobs.inspector.getByRole('region', { name: 'Requests' });
    await expect(requests).toContainText('POST run');
    expect(await requests.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0);
  });
});

test('the words of an error have the whole width, and what else there is stands below them', async ({
  page,
  shell,
  run,
}) => {
  await shell.open('#/run');
  await run.choose('fail-halfway');
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await run.run();
    await run.expectState('Failed');
    const words = run.error.locator('strong');
    await expect(words).toContainText('Try a smaller batch.');
    const shares = () =>
      words.evaluate((element) => ({
        width: element.clientWidth / (element.parentElement?.clientWidth ?? Infinity),
        height: element.clientHeight / element.scrollHeight,
      }));
    // The error of the run before may be shown for a moment still.
    await expect(async () => {
      const measured = await shares();
      expect(measured.width, `at ${width} px`).toBeGreaterThan(0.8);
      expect(measured.height, 'all of it is in sight').toBe(1);
    }).toPass();
    await expect(run.error.getByRole('button', { name: 'Open the code' })).toBeVisible();
    await expect(run.error.getByRole('button', { name: 'Copy error' })).toBeInViewport({ ratio: 1 });
  }
});
