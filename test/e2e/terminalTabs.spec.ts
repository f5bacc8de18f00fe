// Tabs and panes of the page of terminals: a tab beside another one, and a pane that leaves.
import { expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { openTerminal, pane, screen, startOwnHost, type } from './support/terminalText.ts';

test('a tab that is dropped on a pane stands beside it with its screen, and leaves as a tab of its own', async ({
  page,
  shell,
}) => {
  await using host = await startOwnHost();
  await openTerminal(page, shell, host.link);
  const tabs = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab');
  await type(page, 0, 'echo first-$((1+1))');
  await expect(screen(page, 0)).toContainText('first-2');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(tabs).toHaveCount(2);
  await type(page, 1, 'echo second-$((1+1))');
  await expect(screen(page, 1)).toContainText('second-2');

  await test.step('the shown tab makes room for the one beside it, and comes to the side where it is dropped', async () => {
    const from = (await tabs.nth(1).boundingBox())!;
    const place = (await pane(page, 1).boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    const at = { x: place.x + place.width * 0.9, y: place.y + place.height / 2 };
    await page.mouse.move(at.x, at.y, { steps: 4 });
    await expect(pane(page, 0)).toBeVisible();
    await page.mouse.move(at.x + 1, at.y, { steps: 2 });
    await expect(page.locator('[data-side=right]')).toBeVisible();
    await page.mouse.up();
    await expect(tabs).toHaveCount(1);
    await expect(tabs).toContainText('2');
    await expect(screen(page, 0)).toContainText('first-2');
    await expect(screen(page, 1)).toContainText('second-2');
    const [left, right] = [(await pane(page, 0).boundingBox())!, (await pane(page, 1).boundingBox())!];
    expect(right.x).toBeGreaterThanOrEqual(left.x + left.width);
  });

  await test.step('both get what is typed into all panes', async () => {
    await page.getByRole('button', { name: 'Type into all panes of the tab' }).click();
    await page.keyboard.type('echo both-$((1+1))');
    await page.keyboard.press('Enter');
    for (const index of [0, 1]) await expect(screen(page, index)).toContainText('both-2');
  });

  await test.step('the menu of the tab moves a pane out again, and puts a tab beside or below the shown one', async () => {
    await pane(page, 1).locator('.xterm-screen').click();
    await tabs.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Move the pane to a tab of its own' }).click();
    await expect(tabs).toHaveCount(2);
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
    await expect(screen(page, 1)).toContainText('second-2');
    await tabs.nth(0).click({ button: 'right' });
    await expectNoFault(page, 'the menu of a tab', '[role=menu]');
    await page.getByRole('menuitem', { name: 'Put it below the shown terminal' }).click();
    await expect(tabs).toHaveCount(1);
    // Terminals are numbered from left to right and from top to bottom.
    await expect(screen(page, 0)).toContainText('second-2');
    await expect(screen(page, 1)).toContainText('first-2');
    const [top, bottom] = [(await pane(page, 0).boundingBox())!, (await pane(page, 1).boundingBox())!];
    expect(bottom.y).toBeGreaterThanOrEqual(top.y + top.height);
  });

  await test.step('a tab that is dropped nowhere is shown again', async () => {
    await page.keyboard.press('Control+Shift+Enter');
    await expect(tabs).toHaveCount(2);
    const from = (await tabs.nth(1).boundingBox())!;
    const place = (await pane(page, 2).boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(place.x + place.width / 2, place.y + 40, { steps: 4 });
    await expect(pane(page, 0)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(tabs).toHaveCount(2);
    await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
  });
});
