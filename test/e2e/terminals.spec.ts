// The page of terminals against the built host where nothing can run a container: shells of this computer.
// Shells in real Pods are in containers/.
import type { Page } from '@playwright/test';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost, test, type Host } from './support/host.ts';

async function startOwnHost(flags: string[] = []): Promise<Host & AsyncDisposable> {
  const host = await startHost({ flags, env: { PS1: '$ ' } });
  return { ...host, [Symbol.asyncDispose]: host.stop };
}

const pane = (page: Page, index: number) =>
  page.getByRole('region', { name: `Terminal ${index + 1} in This computer`, exact: true });
const screen = (page: Page, index: number) => pane(page, index).locator('.xterm-rows');

async function type(page: Page, index: number, line: string): Promise<void> {
  await pane(page, index).locator('.xterm-screen').click();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

test(
  'a shell of this computer stays over a reload, asks before it ends a program, and says how it ended',
  { tag: '@journey' },
  async ({ page, shell }) => {
    // A host of its own: its sessions would appear on the pages of other tests.
    await using host = await startOwnHost();
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Terminals');
    await expect(page.getByText('Terminals also open in Pods')).toBeVisible();
    await expectNoFault(page, 'no terminal', 'main');
    await page.screenshot({ path: test.info().outputPath('begin.png') });
    await page
      .getByRole('main')
      .getByRole('button', { name: /^This computer/ })
      .click();
    await type(page, 0, 'echo first-$((40+2)); stty size');
    await expect(screen(page, 0)).toContainText(/first-42\d+ \d+/);
    await expectNoFault(page, 'a terminal of this computer', 'main');

    await page.reload();
    await shell.ready();
    await expect(screen(page, 0)).toContainText('first-42');
    await type(page, 0, 'cd /usr && echo moved-$((1+1))');
    await expect(screen(page, 0)).toContainText('moved-2');
    await page.getByRole('button', { name: 'Split side by side' }).click();
    await type(page, 1, 'echo "<$PWD>"');
    await expect(screen(page, 1)).toContainText('</usr>');
    await type(page, 1, 'echo begun-$((1+2)); sleep 4711');
    await expect(screen(page, 1)).toContainText('begun-3');
    await page.screenshot({ path: test.info().outputPath('split.png') });
    await page.getByRole('button', { name: 'Close the terminal and end its shell' }).click();
    const question = page.getByRole('dialog', { name: 'Close the shell of this computer?' });
    await expect(question).toContainText('sleep 4711');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await pane(page, 1).locator('.xterm-screen').click();
    await page.keyboard.press('Control+c');
    await type(page, 1, 'exit 3');
    await expect(pane(page, 1).getByRole('status')).toContainText('The shell has ended with exit code 3.');
    await page.keyboard.press('Enter');
    await type(page, 1, 'echo next-$((1+1))');
    await expect(screen(page, 1)).toContainText(/exit 3.*next-2/);
    await page.setViewportSize({ width: 420, height: 800 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  },
);

test('a host that was started without shells says so where one would be opened, and leads to the Pods', async ({
  page,
  shell,
}) => {
  await using host = await startOwnHost(['--no-shell']);
  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Terminals');
  const choice = page.getByRole('main').getByRole('button', { name: /^This computer/ });
  await expect(choice).toBeDisabled();
  await expect(choice).toContainText('are switched off by the flag --no-shell');
  await page.getByRole('button', { name: 'New terminal' }).click();
  await expect(page.getByRole('menuitem', { name: /^This computer: Shells of this computer are/ })).toBeDisabled();
  await page.screenshot({ path: test.info().outputPath('off.png') });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show Pods' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pods' })).toBeVisible();
});
