/** The tabs of a page or an inspector. */
import { expect, type Locator } from '@playwright/test';

/** Opens the tab of this name. `region` has one list of tabs. */
export async function openTab(region: Locator, name: string): Promise<void> {
  const tab = region.getByRole('tab', { name });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}
