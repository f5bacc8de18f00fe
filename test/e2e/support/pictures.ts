/** Pictures of pages in a state that is rarely seen, to be looked at: they lie in the folder of the test's results. */
import { expect, type Page } from '@playwright/test';
import { test } from './host.ts';

/** Goes to the page without loading it anew, as a link does; `hash` is an address such as `#/jobs`. */
export async function visit(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/**
 * Leaves a picture of the page that is shown, named after the state and the page's address. A JPEG, because a PNG costs
 * three times the processor time.
 */
export async function leavePicture(page: Page, state: string): Promise<void> {
  const name = new URL(page.url()).hash.replace(/^#\//, '').replaceAll('/', '-');
  await page.screenshot({ path: test.info().outputPath(`${state}-${name}.jpg`), type: 'jpeg', quality: 90 });
}
