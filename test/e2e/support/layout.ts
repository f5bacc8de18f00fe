/** Where elements stand on the page. */
import { expect, type Locator } from '@playwright/test';

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
