// One input on several endpoints of this computer and of a remote account, side by side.
import type { Page } from '@playwright/test';
import { expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect } from './support/host.ts';
import { addWords, cloudV2, test } from './support/remoteTest.ts';

const lines = `export default async function* ({ input }) {
  for (let line = 0; line < (input.lines ?? 3); line += 1) {
    yield input.text + ' ' + line + '\\n';
    // More than what the test scrolls is there at once.
    if (input.slow && line > 80) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}`;
const failing = `export default async () => { throw new Error('needs 9.31 GiB'); };`;

/** By the endpoint and the beginning of the account's name. */
const column = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
const outputOf = (page: Page, name: string) => column(page, name).getByRole('region', { name: /^Output of/ });

async function add(page: Page, endpoint: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a column' }).fill(endpoint);
  await page.getByRole('option', { name: endpoint }).first().click();
}

test('one input runs on endpoints here and there, one that fails leaves the others alone, and all survive a reload', async ({
  host,
  page,
  shell,
  run,
  accounts,
  remote,
}) => {
  await makeEndpoint(host, 'lines-here', lines);
  await makeEndpoint(host, 'failing-here', failing);
  addWords(remote);
  await shell.open('#/accounts');
  await accounts.add(cloudV2(remote, 'compared'));
  await shell.goTo('Run');
  await run.choose('lines-here');
  await run.write('{"input": {"text": "one two"}}');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page).toHaveURL(/#\/run\/~compare$/);
  await expect(run.editor).toContainText('one two');

  await add(page, 'failing-here');
  await page.getByRole('combobox', { name: 'Add a column' }).click();
  await page.getByRole('group', { name: 'compared' }).getByRole('option', { name: 'stream-words' }).click();
  await page.getByRole('button', { name: 'Run all 3 · costs money' }).click();

  await expect(outputOf(page, 'lines-here on This computer')).toContainText('one two 2');
  await expect(outputOf(page, 'stream-words on compared')).toContainText('one two');
  const failed = column(page, 'failing-here on This computer');
  await expect(failed.locator('[data-status=FAILED]')).toBeVisible();
  await expect(failed.getByRole('group', { name: 'Job error' })).toContainText('needs 9.31 GiB');
  await expect(column(page, 'stream-words on compared').locator('[data-status=COMPLETED]')).toBeVisible();
  await expectNoFault(page, 'the comparison', 'main');

  await page.reload();
  await shell.ready();
  await expect(outputOf(page, 'lines-here on This computer')).toContainText('one two 2');
  await expect(failed).toContainText('needs 9.31 GiB');

  // The jobs are in the ledger, under the tag of the comparison, which opens it again.
  for (const name of ['lines-here', 'failing-here', 'stream-words']) {
    await page.getByRole('button', { name: `Remove the column ${name}` }).click();
  }
  await expect(page.getByText('Which endpoints?')).toBeVisible();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByRole('list', { name: 'Earlier comparisons' }).getByRole('button').first().click();
  await expect(outputOf(page, 'stream-words on compared')).toContainText('one two');
  await shell.goTo('Jobs');
  await expect(page.getByText(/^compare \d{4}-/).first()).toBeVisible();
});

test('an endpoint runs beside itself with a field of its own, also after a reload and from Earlier', async ({
  host,
  page,
  shell,
  run,
}) => {
  await makeEndpoint(host, 'compared-with-itself', lines);
  await shell.open('#/run');
  await shell.command('Compare endpoints');
  await add(page, 'compared-with-itself');
  await run.write('{"input": {"text": "shared", "lines": 2}}');
  await add(page, 'compared-with-itself');
  const own = page.getByRole('dialog', { name: 'Input of compared-with-itself (2)' });
  await own.getByRole('combobox', { name: 'Name' }).fill('text');
  await expect(own.getByRole('textbox', { name: 'Value' })).toHaveValue('shared');
  await own.getByRole('textbox', { name: 'Value' }).fill('own');
  await expectNoFault(page, 'the fields of a column', '[role=dialog]');
  await own.getByRole('button', { name: 'Add', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(own).toBeHidden();
  await page.getByRole('button', { name: 'Run all 2' }).click();
  const both = async () => {
    await expect(outputOf(page, 'compared-with-itself on')).toContainText('shared 1');
    await expect(outputOf(page, 'compared-with-itself \\(2\\) on')).toContainText('own 1');
  };
  await both();

  await page.reload();
  await shell.ready();
  await both();
  await page.getByRole('button', { name: 'Remove the column compared-with-itself', exact: true }).click();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByRole('list', { name: 'Earlier comparisons' }).getByRole('button').first().click();
  await both();
  await expect(run.editor).toHaveText(/"lines": 2/);
  await expect(run.editor).not.toHaveText(/shared/);
});

test('the columns stop together, scroll together, and have room in a low and in a narrow window', async ({
  host,
  page,
  shell,
  run,
}) => {
  await makeEndpoint(host, 'left', lines);
  await makeEndpoint(host, 'right', lines);
  await shell.open('#/run');
  await run.choose('left');
  await shell.command('Compare endpoints');
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible();
  await expect(page).toHaveTitle('Compare – Hangar');
  await add(page, 'left');
  await add(page, 'right');
  await run.write('{"input": {"text": "line", "lines": 9999, "slow": true}}');
  await page.getByRole('button', { name: 'Run all 2' }).click();
  // Longer than what is scrolled below.
  for (const name of ['left on', 'right on']) await expect(outputOf(page, name)).toContainText('line 80');
  const topOf = (name: string) => outputOf(page, name).evaluate((view) => Math.round(view.scrollTop));
  const heightOf = (name: string) => outputOf(page, name).evaluate((view) => view.scrollHeight);
  // The other column goes with the one that a person scrolls, and does not jump to the end of its stream.
  await expect.poll(() => topOf('right on')).toBeGreaterThan(50);
  await outputOf(page, 'left on').hover();
  await expect(async () => {
    await page.mouse.wheel(0, -200_000);
    expect([await topOf('left on'), await topOf('right on')]).toEqual([0, 0]);
  }).toPass();
  const before = await heightOf('right on');
  await expect.poll(() => heightOf('right on')).toBeGreaterThan(before + 100);
  expect(await topOf('right on')).toBe(0);
  await page.getByRole('button', { name: 'Stop all' }).click();
  for (const name of ['left on', 'right on']) {
    await expect(column(page, name).locator('[data-status=CANCELLED]')).toBeVisible();
  }
  await outputOf(page, 'left on').hover();
  // The end of a job may still be drawn.
  await expect(async () => {
    await page.mouse.wheel(0, 500);
    expect(await topOf('right on')).toBeGreaterThan(100);
  }).toPass();
  await expect.poll(async () => (await topOf('right on')) - (await topOf('left on'))).toBe(0);

  // The page scrolls where an output would have no room.
  await page.setViewportSize({ width: 1000, height: 600 });
  await expect.poll(async () => (await outputOf(page, 'left on').boundingBox())?.height).toBeGreaterThan(80);

  await page.setViewportSize({ width: 420, height: 800 });
  const boxes = async () => [await column(page, 'left on').boundingBox(), await column(page, 'right on').boundingBox()];
  await expect
    .poll(async () => {
      const [left, right] = await boxes();
      return left && right && left.x === right.x && right.y >= left.y + left.height && left.x + left.width <= 420;
    })
    .toBe(true);
});
