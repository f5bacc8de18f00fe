// The ledger's page against the built host.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import { createHttp } from '../support/http/client.ts';
import { openTab } from './pages/tabs.ts';
import { call, expectNoFault, makeEndpoint, writeFolder } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { keepNotices } from './support/notices.ts';

test(
  'jobs of the window and of scripts are listed live, filtered, saved, opened by their address, retried and removed',
  { tag: '@journey' },
  async ({ host, page, jobs, shell, run }) => {
    await keepNotices(page);
    await shell.open('#/run');
    await run.choose('stream-words');
    await run.write('{"input": {"text": "needle in the ledger", "delayMs": 1}}');
    await run.run();
    await run.expectState('Done');
    await shell.goTo('Jobs');
    const row = jobs.rows.nth(0);
    await expect(row).toContainText('stream-words');
    await expect(row).toContainText('Done');
    await test.step('a job that a script sends comes on top while one looks, and says who sent it', async () => {
      const http = createHttp(host.api, host.apiKey);
      const endpoints = (await http.get('/v1/endpoints')).json as { id: string; name: string }[];
      const endpoint = endpoints.find(({ name }) => name === 'fail-halfway');
      const input = { steps: 3, failAt: 2, delayMs: 1, prompt: 'sent by a script' };
      const headers = { 'user-agent': 'curl/8.5.0' };
      await http.send('POST', `/v2/${endpoint?.id ?? ''}/run`, { input }, { headers });
      http.stop();
      await expect(row).toContainText('API · curl');
      await expect(row).toContainText('Failed');
      await expect(row).toContainText('OutOfMemoryError');
      await expect(row.getByText('sent by a script')).toBeVisible();
      await expect(jobs.rows.nth(1)).toContainText('stream-words');
    });
    await test.step('a job is retried in its row, which has its name and its error also beside it', async () => {
      await row.click();
      await expect(jobs.inspector).toContainText('The API, by curl');
      await expect(row.getByText('sent by a script')).toBeVisible();
      await expect(row.getByText(/^OutOfMemoryError/)).toBeVisible();
      await jobs.inspector.getByRole('button', { name: 'Retry' }).click();
      await openTab(jobs.inspector, 'Attempts');
      const attempts = jobs.inspector.getByRole('region', { name: 'Attempts' });
      await expect(attempts).toContainText('You retried the job.');
      await expect(attempts.locator('[data-status="FAILED"]')).toHaveCount(2);
      await expect(row).toContainText('attempt 2');
      await page.keyboard.press('Escape');
    });
    await test.step('a filter leaves what fits', async () => {
      await jobs.filter('Source', 'API');
      // Other tests may have sent jobs of their own to the same host.
      const rows = () => jobs.rows.allInnerTexts();
      await expect.poll(async () => (await rows()).filter((text) => !text.includes('API'))).toEqual([]);
      await expect(row).toContainText('OutOfMemoryError');
      await expect(jobs.filters).toContainText(/^.*\d+ of \d+/);
      await jobs.filter('Time', 'From – to');
      await expectNoFault(page, 'a filter as a token, and a range of days');
      await page.keyboard.press('Escape');
      await jobs.filters.getByRole('button', { name: 'Clear' }).click();
    });
    await test.step('what a search leaves is saved as JSON Lines', async () => {
      await jobs.search('needle in the');
      await expect(row).toContainText('stream-words');
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'JSON Lines, with everything' }).click();
      const file = await (await download).path();
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      const first = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
      expect(first).toMatchObject({ status: 'COMPLETED', request: { input: { text: 'needle in the ledger' } } });
      expect(first['chunks']).not.toEqual([]);
    });
    await test.step('a row opens everything about its job by the keys, and the address leads there', async () => {
      await jobs.list.focus();
      await page.keyboard.press('ArrowDown');
      await expectNoFault(page, 'a row that the keys are at', '[role=grid]');
      await page.keyboard.press('Enter');
      const output = jobs.inspector.getByRole('region', { name: 'Output', exact: true });
      await expect(output).toContainText('needle in the ledger');
      await openTab(jobs.inspector, 'Input');
      await expect(jobs.inspector.getByRole('region', { name: 'input' })).toContainText('"delayMs": 1');
      await openTab(jobs.inspector, 'Requests');
      await expect(jobs.inspector.getByRole('region', { name: 'Requests' })).toContainText('GET status/');
      await expect(page).toHaveURL(/#\/jobs\/./);
      await expect(page).toHaveTitle('needle in the ledger · stream-words – Jobs – Hangar');
      await page.reload();
      await shell.ready();
      await expect(output).toContainText('needle in the ledger');
    });
    await test.step('a job that is removed from this computer comes back by Undo, also after a reload', async () => {
      const address = page.url();
      const output = jobs.inspector.getByRole('region', { name: 'Output', exact: true });
      const remove = jobs.inspector.getByRole('button', { name: 'Remove from this computer' });
      const notice = page.getByRole('alert').filter({ hasText: 'Removed the job' });
      const removed = jobs.rows.filter({ hasText: 'needle in the ledger' });
      for (const isReloaded of [false, true]) {
        await page.goto(address);
        await remove.click();
        await expect(notice).toBeVisible();
        await expect(removed).toBeHidden();
        if (isReloaded) await page.reload();
        await notice.getByRole('button', { name: 'Undo' }).click();
        await expect(removed).toBeVisible();
        await page.goto(address);
        await expect(output).toContainText('needle in the ledger');
      }
    });
    await test.step('a job that is removed from this computer is not found any more', async () => {
      const address = page.url();
      await jobs.inspector.getByRole('button', { name: 'Remove from this computer' }).click();
      await expect(row).toContainText('fail-halfway');
      // The list is told of it before the reply that closes the job.
      await expect(page).not.toHaveURL(address);
      await page.goto(address);
      await expect(page.getByText('Job not found')).toBeVisible();
    });
  },
);

test('a webhook that was not delivered is marked at its job with the reason, and is sent again', async ({
  host,
  shell,
  jobs,
  page,
}) => {
  const setGap = (gapMs: number) => call(host, 'PATCH', '/local/v1/settings', { limits: { webhook: { gapMs } } });
  let status = 500;
  const receiver = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(status).end()),
  );
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const endpointId = await makeEndpoint(host, 'with-webhook', 'export default async () => 1;');
    const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/here`;
    await setGap(1000);
    const body = { input: { prompt: 'tell me' }, webhook };
    const { id } = await call<{ id: string }>(host, 'POST', `/v2/${endpointId}/run`, body);
    await expect
      .poll(() => call(host, 'GET', '/local/v1/webhooks?state=failed'))
      .toContainEqual(expect.objectContaining({ jobId: id }));
    await shell.open('#/jobs');
    const row = jobs.rows.filter({ hasText: 'with-webhook' }).first();
    const mark = row.getByRole('img', { name: /^Its webhook was not delivered: .*500/ });
    await expect(mark).toBeVisible();
    await test.step('in a window of 900 px most of the list is what the job is', async () => {
      await page.setViewportSize({ width: 900, height: 720 });
      const widthOf = async (name: string) =>
        (await jobs.list.getByRole('columnheader', { name, exact: true }).boundingBox())?.width ?? 0;
      await expect.poll(() => widthOf('Job')).toBeGreaterThan(250);
      await page.setViewportSize({ width: 1280, height: 720 });
    });
    await row.click();
    const notice = jobs.inspector.getByRole('alert').filter({ hasText: 'Its webhook was not delivered.' });
    await expect(notice).toContainText('500');
    await expectNoFault(page, 'a webhook that was not delivered');
    status = 200;
    await notice.getByRole('button', { name: 'Send again' }).click();
    await expect(notice).toBeHidden();
    await expect(mark).toBeHidden();
    await openTab(jobs.inspector, 'Webhooks');
    const webhooks = jobs.inspector.getByRole('region', { name: 'Webhooks' });
    await expect(webhooks).toContainText('delivered');
    // The head, four attempts, and the reasons of three of them.
    await expect(webhooks.getByRole('row')).toHaveCount(8);
  } finally {
    receiver.close();
    await setGap(limits.webhook.gapMs);
  }
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
  const output = jobs.inspector.getByRole('region', { name: 'Output', exact: true });
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
