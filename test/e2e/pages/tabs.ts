/** The tabs of a page or an inspector, of which some may be behind "More". */
import { expect, type Locator } from '@playwright/test';

/** How long a click waits before the place of the tab is looked for again. */
const MOVED_MS = 3000;

/** Opens the tab of this name, from the menu if it has no room in its row. `region` has one list of tabs. */
export async function openTab(region: Locator, name: string): Promise<void> {
  // One that has no room is there, too, but not as a tab.
  await expect(region.locator('[role=tablist] > button').filter({ hasText: name })).toBeAttached();
  const tab = region.getByRole('tab', { name });
  // A tab may move into the menu or out of it between the look and the click, as its list gets another width.
  await expect(async () => {
    if (await tab.isVisible()) await tab.click({ timeout: MOVED_MS });
    else {
      await region.getByRole('button', { name: 'More tabs' }).click({ timeout: MOVED_MS });
      await region.page().getByRole('menuitem', { name }).click({ timeout: MOVED_MS });
    }
    await expect(tab).toHaveAttribute('aria-selected', 'true', { timeout: MOVED_MS });
  }).toPass();
}
