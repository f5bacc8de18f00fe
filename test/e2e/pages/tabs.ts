/** The tabs of a page or an inspector, of which some may be behind "More". */
import { expect, type Locator } from '@playwright/test';

/** Opens the tab of this name, from the menu if it has no room in its row. `region` has one list of tabs. */
export async function openTab(region: Locator, name: string): Promise<void> {
  // One that has no room is there, too, but not as a tab.
  await expect(region.locator('[role=tablist] > button').filter({ hasText: name })).toBeAttached();
  const tab = region.getByRole('tab', { name });
  if (await tab.isVisible()) await tab.click();
  else {
    await region.getByRole('button', { name: 'More tabs' }).click();
    await region.page().getByRole('menuitem', { name }).click();
  }
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}
