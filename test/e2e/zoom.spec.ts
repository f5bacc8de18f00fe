// A window of 1280 by 800 at 200 % zoom: what has the focus, and what a page exists for, is in sight. Tabs without room
// have arrows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { makeVolume } from './support/volumes.ts';

const ZOOMED = { width: 640, height: 400 };

/** Whether all of an element is in sight, and nothing lies over its corners. */
const isInSight = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    // A rounded corner is not the element.
    const inset = 5;
    return [left + inset, right - inset].every((x) =>
      [top + inset, bottom - inset].every((y) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (element.contains(hit) || hit.contains(element));
      }),
    );
  });

async function expectInSight(locator: Locator, what: string): Promise<void> {
  await expect.poll(() => isInSight(locator), what).toBe(true);
}

test('at 200 % zoom the field with the focus is in sight, and so are the run button and the begin of the output', async ({
  page,
  shell,
  run,
}) => {
  await page.setViewportSize(ZOOMED);
  await test.step('the name of a new endpoint stands above the buttons of its sheet', async () => {
    await shell.open('#/endpoints');
    await page.getByRole('button', { name: /^New endpoint/ }).click();
    const name = page.getByRole('dialog').getByRole('textbox', { name: /^Name/ });
    await expect(name).toBeFocused();
    await expectInSight(name, 'the name');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
  await test.step('the button to run is in sight, and its output comes into sight', async () => {
    await shell.goTo('Run');
    await run.choose('stream-words');
    await expectInSight(page.getByRole('button', { name: /^Run on/ }), 'the run button');
    await run.run();
    await run.expectState('Done');
    await expectInSight(run.output.getByText(/^A lighthouse/).first(), 'the begin of the output');
  });
  await test.step('a form scrolls with the page alone, shows two fields at once, and each of them above the run button', async () => {
    await run.choose('draw-fractal');
    await page.getByRole('tab', { name: 'Form', exact: true }).click();
    const fields = page.getByRole('tabpanel', { name: 'Form' }).getByRole('textbox');
    await expect(fields).toHaveCount(5);
    for (const at of [0, 4]) {
      await fields.nth(at).focus();
      await expectInSight(fields.nth(at), `field ${at}`);
    }
    await expectInSight(fields.nth(3), 'the field above the last one');
    await expectInSight(run.runButton, 'the run button');
    const box = await fields.nth(0).evaluate((field) => {
      const scrolls = (element: Element) => element.scrollHeight > element.clientHeight + 1;
      const above: Element[] = [];
      for (let one = field.parentElement; one !== null; one = one.parentElement) above.push(one);
      return above.filter((one) => getComputedStyle(one).overflowY === 'auto' && scrolls(one)).length;
    });
    expect(box, 'places that scroll').toBe(1);
    await page.getByRole('tab', { name: 'JSON', exact: true }).click();
  });
  await test.step('the message of a chat stands above the status bar', async () => {
    await page.getByRole('button', { name: /^Endpoint:/ }).click();
    await page.getByRole('option', { name: 'small-chat' }).click();
    const message = page.getByRole('textbox', { name: 'Message' });
    await expectInSight(message, 'the message');
    await expectInSight(page.getByRole('button', { name: /^Send to/ }), 'its button');
  });
  await test.step('a window that gets lower keeps the field in sight', async () => {
    await page.setViewportSize({ width: 640, height: 800 });
    await shell.open('#/endpoints');
    await page.getByRole('button', { name: /^New endpoint/ }).click();
    const last = page.getByRole('dialog').getByRole('textbox').last();
    await last.focus();
    await page.setViewportSize(ZOOMED);
    await expectInSight(last, 'the last field');
  });
});

test('the files of a volume have room in a low window, which scrolls to them, and Upload stays where it is', async ({
  page,
  shell,
  host,
}) => {
  const { id, folder } = await makeVolume(host, 'zoomed');
  await page.setViewportSize(ZOOMED);
  await shell.open(`#/resources/volumes/${id}`);
  const upload = page.getByRole('button', { name: 'Upload', exact: true });
  await expect(page.getByText('This folder is empty')).toBeVisible();
  const before = await upload.boundingBox();
  writeFileSync(join(folder, 'first.txt'), '1');
  const row = page.getByRole('row', { name: /^Select first\.txt / });
  await expect(row).toBeVisible();
  expect(await upload.boundingBox()).toEqual(before);
  // As low as with a Pod's head, its choice of a disk and transfers above the files.
  await page.setViewportSize({ width: 640, height: 270 });
  await upload.hover();
  await expect(async () => {
    await page.mouse.wheel(0, 40);
    expect(await isInSight(row)).toBe(true);
  }).toPass();
});

test('tabs without room have an arrow for the pointer, which shows the next ones, and the keys go on as before', async ({
  page,
  shell,
}) => {
  await page.setViewportSize({ width: 420, height: 800 });
  await shell.open('#/settings');
  const tabs = page.getByRole('tablist').first();
  const [last, first] = [tabs.getByRole('tab').last(), tabs.getByRole('tab').first()];
  await expect.poll(() => isInSight(last)).toBe(false);
  await expectNoFault(page, 'tabs with an arrow');
  const arrow = (side: 'before' | 'after') => page.locator(`[data-more-${side}] > [data-side=${side}]`).first();
  await expect(arrow('before')).toBeHidden();
  await expect(async () => {
    // It goes once there is nothing more to show.
    if (await arrow('after').isVisible()) await arrow('after').click({ timeout: 5000 });
    expect(await isInSight(last)).toBe(true);
  }).toPass();
  await expect(arrow('after')).toBeHidden();
  await arrow('before').click();
  await first.focus();
  await page.keyboard.press('End');
  await expect(last).toBeFocused();
  await expectInSight(last, 'the last tab');
});
