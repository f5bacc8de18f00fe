// The Pods page against the built host and a real container engine: deployed, reached, changed, stopped, resumed,
// deleted.
import { readFileSync } from 'node:fs';
import type { Pod } from '#contract/api/pod.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, SHELL_IMAGE, test } from './containerHost.ts';
import { expectOneRow } from '../support/layout.ts';

const SERVES = `/bin/sh -c "trap 'exit 0' TERM; mkdir -p /workspace; echo hello from $GREETING > /workspace/index.html; httpd -p 8888 -h /workspace; echo begins to serve; while :; do sleep 0.2; done"`;

test('a Pod is deployed from an image, reached at its port, edited, locked, stopped, resumed and deleted', async ({
  page,
  shell,
  pods,
  host,
  containers,
}) => {
  await shell.open('#/pods');
  await expect(page.getByText('No Pods on this computer')).toBeVisible();
  await expectNoFault(page, 'empty');

  await shell.command('Deploy a Pod');
  await pods.deploy();
  await expect(pods.sheet).toContainText('Enter an image');
  await pods.fill({ Image: SHELL_IMAGE, Name: 'trainer-1', Command: SERVES, 'Maximum memory, GB': '99999' });
  await expect(pods.sheet).toContainText(/Enter a whole number from 1 to \d+: the machine has [\d.]+ GB\./);
  for (const row of [
    /^(Command|Entrypoint)$/,
    /^(Cores|Maximum memory, GB)$/,
    /^(Container disk, GB|Volume, GB|Volume at)$/,
  ])
    await expectOneRow(pods.sheet.locator('label').filter({ hasText: row }), String(row));
  await pods.fill({ 'Maximum memory, GB': '1' });
  await expect(pods.sheet).toContainText('Already on the machine');
  await pods.sheet.getByRole('button', { name: 'Add a variable' }).click();
  await pods.fill({ 'Name of variable 1': 'GREETING', 'Value of variable 1': 'not-for-eyes' });
  await expectNoFault(page, 'the deploy sheet', '[role=dialog]');
  await pods.deploy();
  await expect(pods.sheet).toBeHidden();
  await expect(pods.state).toHaveText('Running');
  await expect(pods.row('trainer-1')).toContainText('CPU, 2 cores');
  await expect(pods.inspector.getByText('begins to serve', { exact: true })).toBeVisible();
  await expectNoFault(page, 'the log');
  await page.setViewportSize({ width: 900, height: 600 });
  const head = pods.inspector.locator('header');
  await expectOneRow(head.getByRole('button', { name: /^(Terminal|Stop…|More for .*)$/ }), 'the actions');
  await expectOneRow(head.getByRole('button', { name: /^(Copy the link|Close the)/ }), 'the link and the end');
  const tools = pods.inspector.getByRole('search').getByRole('button').or(pods.inspector.getByRole('combobox'));
  await expectOneRow(tools.or(pods.inspector.getByRole('textbox', { name: 'Find in the log' })), 'the tools of a log');
  await page.setViewportSize({ width: 1280, height: 720 });
  const notices = await shell.watchNotices();
  const saving = page.waitForEvent('download');
  await pods.inspector.getByRole('button', { name: 'Save the whole log…' }).click();
  const saved = readFileSync(await (await saving).path(), 'utf8');
  expect(saved).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z container begins to serve\n$/);
  await expect.poll(notices).toContainEqual(expect.stringContaining(`1 line, ${saved.length} B.`));
  await expect(pods.inspector.getByRole('link', { name: /^Open port 8888/ })).toBeVisible();
  await pods.tab('Overview');
  await expect(pods.inspector).toContainText('2 cores, 1 GB of memory');
  const [{ Id: containerId } = { Id: '' }] = await containers.docker.listContainers();
  const { HostConfig: limited } = await containers.docker.getContainer(containerId).inspect();
  expect(limited).toMatchObject({ Memory: 2 ** 30, MemorySwap: 2 ** 30 });
  // The storage of the container engine of the tests has no quotas.
  await expect(pods.inspector).toContainText(/No effect"Container disk" \(\d+\) is not enforced/);

  const link = pods.inspector.getByRole('link', { name: /-8888\.localhost:/ });
  const [popup] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await expect(popup.locator('body')).toHaveText('hello from not-for-eyes');
  await popup.close();

  await expect(pods.inspector).not.toContainText('not-for-eyes');
  await pods.inspector.getByRole('button', { name: 'Show the value of GREETING' }).click();
  await expect(pods.inspector.getByRole('region', { name: 'Variables' })).toContainText('not-for-eyes');
  await expectNoFault(page, 'the overview', '[aria-label=Pod]');
  await pods.tab('JSON');
  await expect(pods.inspector).toContainText(`"imageName": "${SHELL_IMAGE}"`);
  await expect(pods.inspector).not.toContainText('not-for-eyes');

  await pods.tab('Settings');
  await expectNoFault(page, 'the settings', '[aria-label=Pod]');
  await pods.inspector.getByRole('switch', { name: 'Locked' }).click();
  await pods.inspector.getByRole('textbox', { name: 'Name', exact: true }).fill('trainer-2');
  await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
  const review = pods.dialog('Change trainer-1?');
  await expect(review.getByRole('row', { name: 'Name' }).locator('del')).toHaveText('trainer-1');
  await expectNoFault(page, 'a change of a Pod', '[role=dialog]');
  await expect(review).toContainText('The change applies immediately. The container continues.');
  await review.getByRole('button', { name: 'Save 2 changes' }).click();
  await expect(review).toBeHidden();
  await expect(pods.inspector.getByRole('img', { name: 'Locked' })).toBeVisible();
  await expect(pods.inspector.getByRole('button', { name: 'Stop…' })).toBeDisabled();
  await pods.inspector.getByRole('switch', { name: 'Locked' }).click();
  await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
  await pods.dialog('Change trainer-2?').getByRole('button', { name: 'Save 1 change' }).click();
  await expect(pods.inspector.getByRole('img', { name: 'Locked' })).toHaveCount(0);

  await pods.tab('Overview');
  await pods.stop('trainer-2');
  await expect(pods.inspector).toContainText('not reachable while stopped');
  await pods.inspector.getByRole('button', { name: /^Start/ }).click();
  await expect(pods.state).toHaveText('Running');
  await pods.tab('Logs');
  await expect(pods.inspector.getByText(/^Started, .*, after a stop$/)).toBeVisible();
  await expect(pods.inspector.getByText('begins to serve', { exact: true })).toHaveCount(2);
  const savingAgain = page.waitForEvent('download');
  await pods.inspector.getByRole('button', { name: 'Save the whole log…' }).click();
  expect(readFileSync(await (await savingAgain).path(), 'utf8')).toMatch(
    /^\S+Z container begins to serve\n# \d{4}-\d\d-\d\dT[\d:.]+Z Started, after a stop\n\S+Z container begins to serve\n$/,
  );
  await pods.menu('Reset…');
  await expect(pods.dialog('Reset the Pod trainer-2?')).toContainText('everything outside its volume is lost');
  await expectNoFault(page, 'resetting', '[role=dialog]');
  await page.keyboard.press('Escape');
  await pods.remove('trainer-2');
  await expect.poll(() => call<Pod[]>(host, 'GET', '/v1/pods')).toEqual([]);
  await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(0);
});
