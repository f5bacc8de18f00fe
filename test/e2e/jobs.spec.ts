// The ledger's page against the built host.
import { readFileSync } from 'node:fs';
import { RunPage } from './pages/runPage.ts';
import { Shell } from './pages/shell.ts';
import { expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

/** Sends a job that ends well and one that fails, and leaves the page at the list of jobs, where they are the newest. */
async function sendTwo(shell: Shell, run: RunPage): Promise<void> {
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "needle in the ledger", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
  await run.choose('fail-halfway');
  await run.write('{"input": {"steps": 3, "failAt": 2, "delayMs": 1}}');
  await run.run();
  await run.expectState('Failed');
  await shell.goTo('Jobs');
}

test.describe('jobs that are only looked at', () => {
  let sent = false;

  test.beforeEach(async ({ shell, run }) => {
    if (sent) await shell.open('#/jobs');
    else await sendTwo(shell, run);
    sent = true;
  });

  test('every job that was sent is listed, newest first', async ({ jobs }) => {
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    await expect(jobs.rows.nth(0)).toContainText('Failed');
    await expect(jobs.rows.nth(1)).toContainText('stream-words');
    await expect(jobs.rows.nth(1)).toContainText('Done');
  });

  test('a range of days narrows the list, with either end left open', async ({ page, jobs }) => {
    const day = (later: number): string => {
      const at = new Date(Date.now() + later * 24 * 3_600_000);
      return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    };
    const none = page.getByText('No job fits these filters');
    await jobs.filter('Time', 'From – to');
    const [from, to] = [
      jobs.filters.getByLabel('From', { exact: true }),
      jobs.filters.getByLabel('To', { exact: true }),
    ];
    // Two days around today: a test that runs at midnight is in them all the same.
    await from.fill(day(-1));
    await to.fill(day(1));
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    await expect(jobs.filters).toContainText(/^.*\d+ of \d+/);
    await from.fill(day(2));
    await to.fill('');
    await expect(none).toBeVisible();
    await from.fill('');
    await to.fill(day(-2));
    await expect(none).toBeVisible();
    await from.fill(day(1));
    await expect(to).toHaveAttribute('title', 'It ends before it begins');
    await expectNoFault(page, 'a range of days');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect(from).toBeHidden();
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
  });

  test('a job that its service has forgotten is marked in the list, too', async ({ page, jobs }) => {
    const mark = jobs.rows.nth(0).getByRole('img', { name: 'gone at the service' });
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    await expect(mark).toBeHidden();
    await page.clock.setFixedTime(Date.now() + 3 * 24 * 3_600_000);
    await page.reload();
    await expect(mark).toBeVisible();
    await jobs.rows.nth(0).click();
    await expect(jobs.inspector).toContainText('gone at the service');
  });

  test('filters narrow the list, and say how much is left', async ({ jobs }) => {
    await jobs.filter('State', 'Failed');
    await expect.poll(async () => new Set(await jobs.states())).toEqual(new Set(['Failed']));
    await expect(jobs.filters).toContainText(/^.*\d+ of \d+/);
    await jobs.filter('State', 'Any state');
    await jobs.search('needle in the');
    await expect
      .poll(
        async () =>
          new Set(
            await jobs.rows
              .allTextContents()
              .then((rows) => rows.map((row) => /stream-words|fail-halfway/.exec(row)?.[0])),
          ),
      )
      .toEqual(new Set(['stream-words']));
    await jobs.search('nothing has this');
    await expect(jobs.page.getByText('No job fits these filters')).toBeVisible();
    await jobs.page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
  });

  test(
    'a row opens everything about its job, and the address leads there',
    { tag: '@journey' },
    async ({ page, jobs, shell }) => {
      await jobs.rows.nth(1).click();
      await expect(jobs.inspector.getByRole('region', { name: 'Output' })).toContainText('needle in the ledger');
      await jobs.inspector.getByRole('tab', { name: 'Input' }).click();
      await expect(jobs.inspector.getByRole('region', { name: 'input' })).toContainText('"delayMs": 1');
      await expect(page).toHaveURL(/#\/jobs\/./);
      await page.reload();
      await shell.ready();
      await expect(jobs.inspector.getByRole('region', { name: 'Output' })).toContainText('needle in the ledger');
    },
  );

  test('arrows move, Enter opens, Escape closes', async ({ page, jobs }) => {
    await jobs.list.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(jobs.list).toHaveAttribute('aria-activedescendant', (await jobs.rows.nth(1).getAttribute('id')) ?? '');
    await expectNoFault(page, 'a row that the keys are at');
    await page.keyboard.press('Enter');
    await expect(jobs.inspector.getByRole('heading', { name: 'stream-words' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(jobs.inspector).toBeHidden();
    await expect(page).toHaveURL(/#\/jobs$/);
  });

  test('"Run again" opens Run with the same input', async ({ jobs, run }) => {
    await jobs.rows.nth(1).click();
    await jobs.inspector.getByRole('button', { name: 'Run again' }).click();
    await expect.poll(() => run.written()).toContain('needle in the ledger');
    await expect(run.page.getByRole('button', { name: 'Endpoint: stream-words' })).toBeVisible();
  });

  test('who comes by a key goes on by keys', async ({ page, jobs, shell }) => {
    await shell.goTo('Run');
    await page.getByRole('textbox', { name: 'Request body' }).or(page.locator('.cm-content')).first().click();
    await page.keyboard.press('Control+2');
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(jobs.inspector).toContainText('fail-halfway');
  });

  test('what was asked of the service is listed, and that no webhook was named', async ({ jobs }) => {
    await jobs.rows.nth(0).click();
    await jobs.inspector.getByRole('tab', { name: 'Requests' }).click();
    const requests = jobs.inspector.getByRole('region', { name: 'Requests' });
    await expect(requests).toContainText('/run');
    await expect(requests).toContainText('/status/');
    await jobs.inspector.getByRole('tab', { name: 'Webhooks' }).click();
    await expect(jobs.inspector).toContainText('This job named no address');
  });

  test('what a filter leaves is saved as JSON Lines', async ({ page, jobs }) => {
    await jobs.search('needle in the');
    await expect(jobs.rows.nth(0)).toContainText('stream-words');
    const download = page.waitForEvent('download');
    await jobs.filters.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'JSON Lines, with everything' }).click();
    const file = await (await download).path();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const first = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(first).toMatchObject({ status: 'COMPLETED', request: { input: { text: 'needle in the ledger' } } });
    expect(first['chunks']).not.toEqual([]);
  });
});

test.describe('jobs that are added to, acted on or removed', () => {
  test.beforeEach(({ shell, run }) => sendTwo(shell, run));

  test('a new job comes on top while one looks', async ({ context, jobs }) => {
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    const other = await context.newPage();
    const elsewhere = new RunPage(other);
    await new Shell(other).open('#/run');
    await elsewhere.choose('stream-words');
    await elsewhere.run();
    await expect(jobs.rows.nth(0)).toContainText('stream-words');
    await expect(jobs.rows.nth(1)).toContainText('fail-halfway');
    await expect(jobs.rows.nth(0)).toContainText('Done');
  });

  test('a job is removed from this computer only after a question', async ({ page, jobs }) => {
    await jobs.rows.nth(0).click();
    const address = page.url();
    await jobs.inspector.getByRole('button', { name: 'Remove from this computer' }).click();
    const question = page.getByRole('dialog', { name: 'Remove this job from this computer?' });
    await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused();
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect(question).toBeHidden();
    await expect(jobs.rows.nth(0)).toContainText('stream-words');
    await page.goto(address);
    await expect(page.getByText('This job is not here')).toBeVisible();
  });

  test('chosen jobs are acted on together, and it is said how it went with each', async ({ page, jobs }) => {
    await jobs.rows.nth(0).getByRole('checkbox').check();
    await jobs.rows.nth(1).getByRole('checkbox').check();
    const bar = page.getByRole('toolbar', { name: 'Chosen jobs' });
    await expect(bar).toContainText('2 chosen');
    await expect(bar.getByRole('button', { name: 'Cancel 0' })).toBeDisabled();
    await expect(bar.getByRole('button', { name: 'Cancel 0' })).toHaveAttribute('title', 'It has ended.');
    await bar.getByRole('button', { name: 'Retry 1' }).click();
    await expect(page.getByRole('list', { name: 'How it went' }).getByRole('listitem')).toHaveCount(1);
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    await expect(jobs.rows.nth(2)).toContainText('stream-words');
  });
});
