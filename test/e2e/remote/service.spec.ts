// Accounts of the remote service: as most people have one, REST v2 and no GraphQL, and by its three addresses, REST v1
// and GraphQL.
import type { Page } from '@playwright/test';
import { openTab } from '../pages/tabs.ts';
import { expectNoFault } from '../support/handlers.ts';
import { expect } from '../support/host.ts';
import { wideParts } from '../support/layout.ts';
import { addWords, cloudV1, cloudV2, test } from '../support/remoteTest.ts';

test('a job runs there and here; one that ends while the account is offline is whole later, with another key too', async ({
  page,
  shell,
  run,
  endpoints,
  accounts,
  remote,
}) => {
  const worker = addWords(remote);
  await shell.open('#/accounts');
  await accounts.add(cloudV2(remote, 'service'));
  await accounts.switchTo('service');
  await shell.goTo('Endpoints');
  const row = page.getByRole('row', { name: /^stream-words/ });
  await expect(row).toBeVisible();

  await shell.goTo('Run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "from the cloud"}}');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('from the cloud');
  await shell.command('Switch to this computer');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "from here", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
  await shell.goTo('Jobs');
  const rows = page.getByRole('row', { name: /stream-words/ });
  await expect(rows.filter({ hasText: 'from the cloud' })).toContainText(/Done.*service/s);
  await expect(rows.filter({ hasText: 'from here' })).toContainText(/Done.*This computer/s);

  await accounts.switchTo('service');
  await shell.goTo('Run');
  await run.write('{"input": {"text": "before meanwhile after", "waits": true}}');
  await run.run();
  await run.expectState('Running');
  await expect(run.output).toContainText('before');
  await remote.goOffline();
  worker.goOn();
  const banner = page.getByRole('alert').filter({ hasText: 'service cannot be reached.' });
  await expect(banner).toBeVisible();
  await expect(shell.target).toHaveAccessibleName(/^Target: service, offline/);
  await expect(page.getByRole('region', { name: 'Job', exact: true })).toContainText(
    'Last known state. The job was sent.',
  );
  await run.expectState('Running');
  await shell.goTo('Endpoints');
  const stale = page.getByRole('status').filter({ hasText: /^Last known, .*offline/ });
  await expect(stale).toBeVisible();
  await expect(row).toBeVisible();

  await remote.goOnline();
  await expect(banner).toBeHidden();
  await expect(stale).toBeHidden();
  await endpoints.open('stream-words');
  await endpoints.tab('Metrics');
  await expect(endpoints.inspector.getByText(/^Based on the jobs that Hangar saw: 2 in this period\./)).toBeVisible();
  await expect(endpoints.inspector.getByRole('img', { name: /^Jobs in .*: 2 done/ })).toBeVisible();
  await expect(endpoints.inspector.getByRole('img', { name: /^Workers in/ })).toHaveCount(0);
  await expectNoFault(page, 'metrics from the ledger', '[aria-label=Endpoint]');
  await shell.goTo('Run');
  await run.expectState('Done');
  await expect(run.output).toContainText('before meanwhile after');
  await run.tab('Chunks').click();
  await expect.poll(() => run.chunkCount()).toBe(3);

  const second = remote.setKey('all');
  await shell.goTo('Accounts');
  await accounts.list.getByRole('row', { name: /^service/ }).click();
  await accounts.inspector.getByRole('button', { name: 'Replace the key' }).click();
  await accounts.typeSecret(page.getByRole('textbox', { name: 'New key' }), second);
  await page.getByRole('button', { name: 'Test and replace' }).click();
  await expect(accounts.inspector.getByText(`…${second.slice(-4)}`)).toBeVisible();
  remote.setKey('off', remote.key);
  await shell.goTo('Run');
  await run.write('{"input": {"text": "with another key"}}');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('with another key');
});

/** On the page of GPU prices. */
async function expectComparisonFits(page: Page): Promise<void> {
  const compared = ['L4', 'A100 80GB PCIe'].map((name) => page.getByRole('checkbox', { name: `Compare ${name}` }));
  for (const box of compared) await box.check();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  const table = comparison.getByRole('group', { name: 'Side by side' });
  const price = comparison.getByRole('row', { name: /^Per hour/ });
  const heights = () =>
    price.getByRole('cell').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
  const isOneLine = async () => new Set(await heights()).size === 1;
  await expect.poll(isOneLine).toBe(true);
  await page.setViewportSize({ width: 420, height: 800 });
  await expect.poll(isOneLine).toBe(false);
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await expect(async () => expect(await wideParts(page)).toEqual([])).toPass();
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const box of compared) await box.uncheck();
}

test('its workers, what they write and its GPU prices are shown, compared GPUs fit a narrow window, and a Pod is deployed from a price', async ({
  page,
  shell,
  endpoints,
  pods,
  accounts,
  remote,
}) => {
  const { id } = remote.addEndpoint({ name: 'writer', workersMax: 1 });
  remote.write(`${id}w0`, 'the weights are loaded');
  await shell.open('#/accounts');
  await accounts.add(cloudV2(remote, 'telling'));
  await accounts.switchTo('telling');
  await shell.goTo('Endpoints');
  await endpoints.open('writer');
  await endpoints.tab('Workers');
  await expect(endpoints.lanes.getByRole('button', { name: /: idle, .* to now/ })).toHaveCount(1);
  await expect(endpoints.inspector).toContainText('the current state of its workers');
  await expectNoFault(page, 'workers of the service', '[aria-label=Endpoint]');
  await endpoints.tab('Logs');
  await expect(endpoints.lines.filter({ hasText: 'the weights are loaded' })).toHaveCount(1);
  remote.write(`${id}w0`, 'a second line');
  await expect(endpoints.lines.filter({ hasText: 'a second line' })).toHaveCount(1);

  await shell.goTo('Resources');
  await page.getByRole('tab', { name: 'Volumes' }).click();
  await page.getByRole('button', { name: 'New volume' }).click();
  const volume = page.getByRole('dialog', { name: 'New volume on telling' });
  await volume.getByLabel('Name').fill('models');
  await volume.getByRole('combobox', { name: 'Data center' }).click();
  await page.getByRole('option', { name: 'EU-RO-1' }).click();
  await volume.getByRole('button', { name: 'Create the volume' }).click();
  await expect(page.getByRole('columnheader', { name: 'Data center' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^models/ })).toContainText('EU-RO-1');

  await shell.goTo('GPU prices');
  const price = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(price('L4')).toContainText('$0.43');
  await expect(price('L4')).toContainText('Medium');
  await expect(price('A100 80GB PCIe').getByRole('button', { name: 'Alert me about A100 80GB PCIe' })).toBeVisible();
  await expect(price('A100 80GB PCIe').getByRole('button', { name: /^Deploy/ })).toHaveCount(0);
  const processors = page.getByRole('table', { name: 'CPUs' });
  const processor = processors.getByRole('row').filter({ hasText: 'Compute-Optimized, Gen 3' });
  await expect(processor).toContainText('$0.03');
  await page.getByRole('combobox', { name: 'How many GPUs' }).click();
  await page.getByRole('option', { name: '2 GPUs' }).click();
  await expect(price('L4')).toContainText('$0.86');
  await processor.getByRole('button', { name: /^Deploy/ }).click();
  await expect(pods.sheet.getByRole('button', { name: /^Deploy on .+ · ≈ \$0\.06\/h$/ })).toBeVisible();
  await pods.field('Cores').fill('64');
  await expect(pods.sheet).toContainText('has 2 to 32 cores');
  await pods.sheet.getByRole('button', { name: 'Cancel' }).click();
  await shell.goTo('GPU prices');
  await expectNoFault(page, 'prices of the service', 'main');
  await test.step('compared GPUs are a list in a window of 420 px, which does not scroll sideways', () =>
    expectComparisonFits(page));
  await page.getByRole('button', { name: 'Deploy on L4' }).click();
  await pods.fill({ Name: 'from-a-price', Image: 'example/pod:1' });
  await expect(pods.field('Command')).toBeVisible();
  await expect(pods.field('Entrypoint')).toBeHidden();
  await expect(pods.sheet).toContainText('This account does not take an entrypoint');
  await expect(pods.sheet.getByRole('button', { name: 'Copy as curl' })).toBeHidden();
  const deploy = pods.sheet.getByRole('button', { name: /^Deploy on .+ · ≈ \$0\.43\/h$/ });
  // As whatever costs money; on this computer nothing does.
  await expect(deploy).toHaveAttribute('data-spends', 'true');
  await pods.deploy();
  await expect(pods.inspector.getByRole('heading', { level: 2 })).toHaveText('from-a-price');
  const [deployed] = remote.account.pods.values();
  remote.write(deployed!.id, 'serving at 8888');
  await openTab(pods.inspector, 'Logs');
  await expect(pods.inspector.getByRole('region', { name: 'Log of from-a-price' })).toContainText('serving at 8888');
  await expectNoFault(page, 'the log of a Pod', '[aria-label=Pod]');
  await pods.tab('Overview');
  const others = pods.inspector.getByRole('region', { name: 'Other fields as JSON' });
  await expect(others).toContainText('"actions"');
  await expect(others).not.toContainText('"desiredStatus"');
  await expectNoFault(page, 'what only a service knows of a Pod', '[aria-label=Pod]');
  expect([...remote.account.pods.values()]).toMatchObject([{ name: 'from-a-price', gpu: { id: 'NVIDIA L4' } }]);
});

test('an account by its three addresses runs jobs, shows its Pods, and ends offline what it began', async ({
  page,
  shell,
  run,
  endpoints,
  pods,
  accounts,
  remote,
}) => {
  const worker = addWords(remote);
  remote.addPod({ name: 'trainer', ports: ['8888/http', '22/tcp'], ssh: { host: '203.0.113.7', port: 10_341 } });
  await shell.open('#/accounts');
  await accounts.add(cloudV1(remote, 'described'));
  await expect(accounts.inspector.getByRole('list', { name: 'What it can do' })).toContainText('GraphQL');
  await accounts.switchTo('described');

  await shell.goTo('Endpoints');
  await endpoints.open('stream-words');
  await expect(endpoints.inspector).toContainText('example/worker:1');
  await shell.goTo('Pods');
  await pods.open('trainer');
  // What it does just now is in GraphQL alone.
  await expect(pods.state).toHaveText('Running');
  await expect(pods.inspector.getByRole('region', { name: 'SSH' })).toContainText('ssh root@203.0.113.7 -p 10341');
  await expect(pods.inspector).toContainText('63 %');
  await shell.goTo('GPU prices');
  await expect(page.getByText('described does not report what Pods without a GPU cost.')).toBeVisible();
  await page.getByRole('button', { name: 'Deploy on L4' }).click();
  await expect(pods.sheet).toContainText('This account does not report its CPUs');
  await pods.sheet.getByRole('button', { name: 'Cancel' }).click();

  await shell.goTo('Run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "from the cloud"}}');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('from the cloud');
  await run.write('{"input": {"text": "before meanwhile", "waits": true}}');
  await run.run();
  await run.expectState('Running');
  await expect(run.output).toContainText('before');
  await remote.goOffline();
  worker.goOn();
  const banner = page.getByRole('alert').filter({ hasText: 'described cannot be reached.' });
  await expect(banner).toBeVisible();
  await shell.goTo('Pods');
  const stale = page.getByRole('status').filter({ hasText: /^Last known, .*offline/ });
  await expect(stale).toBeVisible();
  await expect(pods.row('trainer')).toBeVisible();
  // It is noticed by itself, sooner than a person could press a button.
  await remote.goOnline();
  await expect(banner).toBeHidden();
  await expect(stale).toBeHidden();
  await shell.goTo('Run');
  await run.expectState('Done');
  await expect(run.output).toContainText('before meanwhile');
});
