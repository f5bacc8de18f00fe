// The ledger's page against the built host.
import { readFileSync } from 'node:fs';
import { createHttp } from '../support/http/client.ts';
import { RunPage } from './pages/runPage.ts';
import { Shell } from './pages/shell.ts';
import { openTab } from './pages/tabs.ts';
import { call, expectNoFault, makeEndpoint, writeFolder } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

/** Sends a job that ends well. */
async function sendOne(shell: Shell, run: RunPage): Promise<void> {
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "needle in the ledger", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
}

/** Sends a job that ends well and one that fails, and leaves the page at the list of jobs, where they are the newest. */
async function sendTwo(shell: Shell, run: RunPage): Promise<void> {
  await sendOne(shell, run);
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

  test('all jobs that were sent are listed, and filters leave what fits, which is saved as JSON Lines', async ({
    page,
    jobs,
  }) => {
    await test.step('every job that was sent is listed, newest first', async () => {
      await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
      await expect(jobs.rows.nth(0)).toContainText('Failed');
      await expect(jobs.rows.nth(1)).toContainText('stream-words');
      await expect(jobs.rows.nth(1)).toContainText('Done');
    });
    await test.step('filters narrow the list, and say how much is left', async () => {
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
    await test.step('a range of days narrows the list, with either end left open', async () => {
      const day = (later: number): string => {
        const at = new Date(Date.now() + later * 24 * 3_600_000);
        return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
          .map((part) => String(part).padStart(2, '0'))
          .join('-');
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
      await expect(to).toHaveAttribute('title', 'The end is before the start');
      await expectNoFault(page, 'a range of days');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear the filters' }).click();
      await expect(from).toBeHidden();
      await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    });
    await test.step('what a filter leaves is saved as JSON Lines', async () => {
      await jobs.search('needle in the');
      await expect(jobs.rows.nth(0)).toContainText('stream-words');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'JSON Lines, with everything' }).click();
      const file = await (await download).path();
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      const first = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
      expect(first).toMatchObject({ status: 'COMPLETED', request: { input: { text: 'needle in the ledger' } } });
      expect(first['chunks']).not.toEqual([]);
    });
  });

  test('a job that its service has forgotten is marked in the list, too', async ({ page, jobs }) => {
    const mark = jobs.rows.nth(0).getByRole('img', { name: 'deleted by the service' });
    await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
    await expect(mark).toBeHidden();
    await page.clock.setFixedTime(Date.now() + 3 * 24 * 3_600_000);
    await page.reload();
    await expect(mark).toBeVisible();
    await jobs.rows.nth(0).click();
    await expect(jobs.inspector).toContainText('deleted by the service');
  });

  test(
    'a row opens everything about its job, and the address leads there',
    { tag: '@journey' },
    async ({ page, jobs, shell }) => {
      await jobs.rows.nth(1).click();
      await expect(jobs.inspector.getByRole('region', { name: 'Output' })).toContainText('needle in the ledger');
      await openTab(jobs.inspector, 'Input');
      await expect(jobs.inspector.getByRole('region', { name: 'input' })).toContainText('"delayMs": 1');
      await expect(page).toHaveURL(/#\/jobs\/./);
      await page.reload();
      await shell.ready();
      await expect(jobs.inspector.getByRole('region', { name: 'Output' })).toContainText('needle in the ledger');
    },
  );

  test('the keys lead through the list, and a job shows what was asked of its service and goes back to Run', async ({
    page,
    jobs,
    run,
    shell,
  }) => {
    await test.step('arrows move, Enter opens, Escape closes', async () => {
      await jobs.list.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await expect(jobs.list).toHaveAttribute(
        'aria-activedescendant',
        (await jobs.rows.nth(1).getAttribute('id')) ?? '',
      );
      await expectNoFault(page, 'a row that the keys are at');
      await page.keyboard.press('Enter');
      await expect(jobs.inspector.getByRole('heading', { name: 'needle in the ledger' })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(jobs.inspector).toBeHidden();
      await expect(page).toHaveURL(/#\/jobs$/);
    });
    await test.step('who comes by a key goes on by keys', async () => {
      await shell.goTo('Run');
      await page.getByRole('textbox', { name: 'Request body' }).or(page.locator('.cm-content')).first().click();
      await page.keyboard.press('Control+2');
      await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect(jobs.inspector).toContainText('fail-halfway');
    });
    await test.step('what was asked of the service is listed, and that no webhook was named', async () => {
      await openTab(jobs.inspector, 'Requests');
      const requests = jobs.inspector.getByRole('region', { name: 'Requests' });
      await expect(requests).toContainText('/run');
      await expect(requests).toContainText('/status/');
      await openTab(jobs.inspector, 'Webhooks');
      await expect(jobs.inspector).toContainText('This job has no webhook');
    });
    await test.step('"Edit and run…" opens Run with the same input and no result', async () => {
      await jobs.rows.nth(1).click();
      await jobs.inspector.getByRole('button', { name: 'Edit and run…' }).click();
      await expect.poll(() => run.written()).toContain('needle in the ledger');
      await expect(page.getByRole('tab', { name: 'Output' })).toHaveCount(0);
      await expect(run.page.getByRole('button', { name: 'Endpoint: stream-words' })).toBeVisible();
    });
  });
});

test.describe('jobs that are added to, acted on or removed', () => {
  test('jobs are acted on together, removed after a question, and a new one comes on top while one looks', async ({
    context,
    page,
    jobs,
    shell,
    run,
  }) => {
    await sendTwo(shell, run);
    await test.step('chosen jobs are acted on together, and it is said how it went with each', async () => {
      await jobs.rows.nth(0).getByRole('checkbox').check();
      await jobs.rows.nth(1).getByRole('checkbox').check();
      const bar = page.getByRole('toolbar', { name: 'Chosen jobs' });
      await expect(bar).toContainText('2 chosen');
      await expect(bar.getByRole('button', { name: 'Cancel 0' })).toBeDisabled();
      await expect(bar.getByRole('button', { name: 'Cancel 0' })).toHaveAccessibleDescription('It has ended.');
      await bar.getByRole('button', { name: 'Retry 1' }).click();
      await expect(page.getByRole('list', { name: 'Result' }).getByRole('listitem')).toHaveCount(1);
      // The attempts of one job are one row.
      await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
      await expect(jobs.rows.nth(0)).toContainText('attempt 2');
      await expect(jobs.rows.nth(1)).toContainText('stream-words');
    });
    // The page forgets which jobs were chosen.
    await shell.goTo('Home');
    await shell.goTo('Jobs');
    await test.step('a new job comes on top while one looks', async () => {
      await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
      const other = await context.newPage();
      const elsewhere = new RunPage(other);
      await new Shell(other).open('#/run');
      await elsewhere.choose('stream-words');
      await elsewhere.run();
      await expect(jobs.rows.nth(0)).toContainText('stream-words');
      await expect(jobs.rows.nth(1)).toContainText('fail-halfway');
      await expect(jobs.rows.nth(0)).toContainText('Done');
      await other.close();
    });
    await test.step('a job is removed from this computer only after a question', async () => {
      await jobs.rows.nth(0).click();
      const address = page.url();
      await jobs.inspector.getByRole('button', { name: 'Remove from this computer' }).click();
      const question = page.getByRole('dialog', { name: 'Remove this job from this computer?' });
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await question.getByRole('button', { name: 'Remove' }).click();
      await expect(question).toBeHidden();
      await expect(jobs.rows.nth(0)).toContainText('fail-halfway');
      await page.goto(address);
      await expect(page.getByText('Job not found')).toBeVisible();
    });
  });

  test(
    'a job that a script sent is listed live, is retried in its row, and says who did so',
    { tag: '@journey' },
    async ({ host, page, jobs, shell, run }) => {
      // One of another source, which the filter leaves out.
      await sendOne(shell, run);
      await shell.goTo('Jobs');
      const http = createHttp(host.api, host.apiKey);
      const endpoints = (await http.get('/v1/endpoints')).json as { id: string; name: string }[];
      const endpoint = endpoints.find(({ name }) => name === 'fail-halfway');
      const input = { steps: 3, failAt: 2, delayMs: 1, prompt: 'sent by a script' };
      const headers = { 'user-agent': 'curl/8.5.0' };
      await http.send('POST', `/v2/${endpoint?.id ?? ''}/run`, { input }, { headers });
      http.stop();
      const row = jobs.rows.nth(0);
      await expect(row).toContainText('API · curl');
      await expect(row).toContainText('Failed');
      await expect(row).toContainText('OutOfMemoryError');
      await expect(row.getByText('sent by a script')).toBeVisible();
      await row.click();
      await expect(jobs.inspector).toContainText('The API, by curl');
      // Beside the inspector there is room for one of the two.
      await expect(row.getByText('sent by a script')).toBeHidden();
      await expect(row.getByText(/^OutOfMemoryError/)).toBeVisible();
      await jobs.inspector.getByRole('button', { name: 'Retry' }).click();
      await openTab(jobs.inspector, 'Attempts');
      const attempts = jobs.inspector.getByRole('region', { name: 'Attempts' });
      await expect(attempts).toContainText('You retried the job.');
      await expect(attempts.locator('[data-status="FAILED"]')).toHaveCount(2);
      await expect(row).toContainText('attempt 2');
      await jobs.filter('Source', 'API');
      // Other tests may have sent jobs of their own to the same host.
      const rows = () => jobs.rows.allInnerTexts();
      await expect.poll(async () => (await rows()).filter((text) => !text.includes('API'))).toEqual([]);
      await expect(row).toContainText('OutOfMemoryError');
      await page.keyboard.press('Escape');
      await expectNoFault(page, 'a filter as a token');
    },
  );
});

/** Streams the next letter once a file tells it to; one beside the handler would load it anew. */
const stepwise = `import { existsSync } from 'node:fs';
import { join } from 'node:path';
export default async function* (job) {
  for (const letter of ['alpha', 'beta', 'gamma']) {
    yield letter + ' of ' + job.input.name + '\\n';
    while (!existsSync(join(import.meta.dirname, '..', 'steps', 'after-' + letter))) await new Promise((done) => setTimeout(done, 20));
  }
}`;

test('a job of a script that streams is watched while it runs, and the script still gets each chunk once', async ({
  host,
  shell,
  jobs,
  page,
}) => {
  const endpointId = await makeEndpoint(host, 'stepwise', stepwise);
  const goOn = (letter: string): string => writeFolder('steps', { [`after-${letter}`]: '' });
  const { id } = await call<{ id: string }>(host, 'POST', `/v2/${endpointId}/run`, { input: { name: 'a script' } });
  const received: string[] = [];
  /** Reads as a script does, until these many chunks were received. */
  const readAsScript = async (count: number): Promise<void> => {
    while (received.length < count) {
      const chunks = await call<{ output: string }[]>(
        host,
        'GET',
        `/v2/${endpointId}/stream/${id}?wait=1000&envelope=false`,
      );
      received.push(...chunks.map(({ output }) => output));
    }
  };
  await shell.open('#/jobs');
  await jobs.rows.filter({ hasText: 'stepwise' }).first().click();
  const output = jobs.inspector.getByRole('region', { name: 'Output' });
  // Before the script has read it.
  await expect(output).toContainText('alpha of a script');
  await expect(jobs.inspector.locator('[data-status=IN_PROGRESS]').first()).toBeVisible();
  await readAsScript(1);
  goOn('alpha');
  // After the script has read it.
  await readAsScript(2);
  await expect(output).toContainText('beta of a script');
  await page.reload();
  await shell.ready();
  await expect(output).toContainText('alpha of a script');
  await expect(output).toContainText('beta of a script');
  goOn('beta');
  await expect(output).toContainText('gamma of a script');
  await expect(jobs.inspector.getByRole('tab', { name: 'Chunks 3' })).toBeVisible();
  goOn('gamma');
  await expect(jobs.inspector.locator('[data-status=COMPLETED]').first()).toBeVisible();
  await expect(jobs.inspector.getByRole('tab', { name: 'Chunks 3' })).toBeVisible();
  await readAsScript(3);
  expect(received).toEqual(['alpha', 'beta', 'gamma'].map((letter) => `${letter} of a script\n`));
  expect(await call<unknown[]>(host, 'GET', `/v2/${endpointId}/stream/${id}?wait=1000&envelope=false`)).toEqual([]);
});
