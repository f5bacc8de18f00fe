/** What has the focus, and thereby takes the keys. */
import { expect, type Locator } from '@playwright/test';

/**
 * Waits until a part of the page, such as a dialog or a menu, has the focus. It gets the focus a moment after it is shown,
 * and takes no key before.
 */
export const expectFocusIn = (part: Locator): Promise<void> =>
  expect
    .poll(() => part.evaluate((element) => element.contains(document.activeElement)), `${String(part)} has the focus`)
    .toBe(true);
