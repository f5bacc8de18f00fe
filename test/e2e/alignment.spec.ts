// What stands in a column or in a row stays in line: states with their head, tabs and choices in their places.
import type { Locator, Page } from '@playwright/test';
import { call, chatty, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { visit } from './support/pictures.ts';

/** The long ones among the words of all states. */
const WORDS = [
  'Not running',
  'Restarting…',
  'Resetting…',
  'Crash loop',
  'Cannot run',
  'No answer',
  'Cancelled',
  'Timed out',
];

/** Where the words of an element begin, in pixels of the window. */
const wordsStart = (element: Locator): Promise<number> =>
  element.evaluate((node) => {
    const words = document.createRange();
    words.selectNodeContents(node);
    return words.getBoundingClientRect().left;
  });

/** How much wider a chip in a list is than the longest of all words of states needs, in pixels. */
const spareWidth = (chip: Locator): Promise<number> =>
  chip.evaluate((element, words) => {
    const needs = words.map((word) => {
      const copy = element.cloneNode(true) as HTMLElement;
      copy.lastChild?.replaceWith(word);
      copy.style.minWidth = '0';
      element.after(copy);
      const { width } = copy.getBoundingClientRect();
      copy.remove();
      return width;
    });
    return element.getBoundingClientRect().width - Math.max(...needs);
  }, WORDS);

async function expectAligned(page: Page, list: string, chip: Locator): Promise<void> {
  const head = page.getByRole('grid', { name: list }).getByRole('columnheader', { name: 'State' });
  await expect(chip).toBeVisible();
  const distance = async () => Math.abs((await wordsStart(head)) - ((await chip.locator('svg').boundingBox())?.x ?? 0));
  await expect.poll(distance, `${list}: from the head to the shape below it`).toBeLessThan(1.5);
}

test('the head of a column of states stands above their shapes, and a narrow window shows their words', async ({
  page,
  shell,
  jobs,
  run,
  host,
}) => {
  await makeEndpoint(host, 'aligned', chatty);
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.run();
  await run.expectState('Done');
  for (const width of [1440, 420]) {
    await page.setViewportSize({ width, height: 900 });
    await shell.open('#/endpoints');
    const ready = page.getByRole('row', { name: /^aligned/ }).locator('[data-endpoint-state]');
    await expectAligned(page, 'Endpoints', ready);
    expect(await ready.evaluate((chip) => Number.parseFloat(getComputedStyle(chip).fontSize))).toBeGreaterThan(10);
    await shell.open('#/jobs');
    const done = jobs.rows.first().locator('[data-status]');
    await expectAligned(page, 'Jobs, newest first', done);
    expect(await done.evaluate((chip) => Number.parseFloat(getComputedStyle(chip).fontSize))).toBeGreaterThan(10);
    const spare = await spareWidth(done);
    expect(spare, 'no word is longer than the chips').toBeGreaterThanOrEqual(-0.5);
    expect(spare, 'the chips are not wider than the longest word').toBeLessThan(2);
  }
});

test('tabs and choices stay in their places when another one is chosen', async ({ page, shell }) => {
  const placesOf = (choices: Locator) =>
    choices.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().x * 10) / 10));
  await shell.open('#/settings');
  const tabs = page.getByRole('tablist', { name: 'Kinds of settings' }).getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  const before = await placesOf(tabs);
  for (const name of ['Keys', 'Rates and limits', 'General']) {
    await tabs.filter({ hasText: name }).click();
    await expect(page.getByRole('tab', { name, selected: true })).toBeVisible();
    expect(await placesOf(tabs), name).toEqual(before);
  }
  const themes = page.getByRole('radiogroup', { name: 'Theme' });
  const labels = themes.locator('label');
  const places = await placesOf(labels);
  for (const name of ['Light', 'Match system']) {
    await themes.getByText(name, { exact: true }).click();
    await expect(themes.getByRole('radio', { name })).toBeChecked();
    expect(await placesOf(labels), name).toEqual(places);
  }
});

test('long names that differ at their end are told apart in a narrow window, in lists and where one is chosen', async ({
  page,
  shell,
  host,
}) => {
  await page.setViewportSize({ width: 420, height: 800 });
  await shell.open('#/home');
  const ids = [];
  for (const end of ['for-prints', 'for-videos']) {
    const id = await makeEndpoint(host, `alignment-portraits-upscaled-four-times-${end}`, chatty);
    await call(host, 'POST', `/v2/${id}/runsync`, { input: { steps: 1 } });
    ids.push(id);
  }
  for (const hash of ['#/endpoints', '#/jobs']) {
    await visit(page, hash);
    for (const end of ['or-prints', 'or-videos']) {
      const name = page.getByRole('row').getByText(end, { exact: true }).first();
      await expect(name, hash).toBeInViewport({ ratio: 1 });
      // Not below the next column, nor cut off by its own.
      await expect.poll(() => name.evaluate(isSeen), `${hash} ${end}`).toBe(true);
    }
  }
  await visit(page, `#/run/${ids[1]}`);
  await expect(page.getByRole('button', { name: /^Endpoint:/ }).getByText('or-videos', { exact: true })).toBeInViewport(
    {
      ratio: 1,
    },
  );
});

/** Whether what is seen at the right end of the element is the element. */
function isSeen(element: Element): boolean {
  const { right, top, bottom } = element.getBoundingClientRect();
  return document.elementFromPoint(right - 2, (top + bottom) / 2) === element;
}
