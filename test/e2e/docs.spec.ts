// The page of the management API, which the engine serves: read by anybody with a browser, without a key.
import { expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

test('axe finds nothing on the page of the management API, light or dark, nothing is cut off in a narrow window', async ({
  page,
  host,
  shell,
}) => {
  await page.goto(`${host.api}/v1/docs`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const link = page.getByRole('navigation', { name: 'Operations' }).getByRole('link').first();
  await link.click();
  const first = page.locator('details').first();
  if (!(await first.evaluate((element: HTMLDetailsElement) => element.open))) await first.locator('summary').click();
  await expect(first.getByRole('heading', { name: 'Answers' })).toBeVisible();
  await expectNoFault(page, 'the page of the management API');
  for (const width of [900, 420]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  }
});
