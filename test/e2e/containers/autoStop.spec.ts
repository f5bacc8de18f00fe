// The automatic stop of a Pod of this computer: set where it is deployed, shown in its row, changed in its settings,
// and taken by a duplicate.
import { expectNoFault, setPrice } from '../support/handlers.ts';
import { expect, SHELL_IMAGE, test } from './containerHost.ts';

const QUIET = `/bin/sh -c "trap 'exit 0' TERM; sleep 10000 & wait"`;

test('a Pod that does nothing says when it stops, by a rule that its settings change', async ({
  page,
  shell,
  pods,
}) => {
  await shell.open('#/pods');
  await shell.command('Deploy a Pod');
  await pods.fill({ Image: SHELL_IMAGE, Name: 'quiet', Command: QUIET });
  await pods.fill({ 'When idle for, minutes': '0' });
  await expect(pods.sheet.getByText(/^From 1 to 10\s080\.$/)).toBeVisible();
  await pods.fill({ 'When idle for, minutes': '30' });
  await expect(pods.sheet).toContainText('no open terminal');
  // Nothing has a price here, so that there is no cap.
  await expect(pods.sheet).toContainText('A spend cap needs a price.');
  await expectNoFault(page, 'the automatic stop in the sheet', '[role=dialog]');
  await pods.deploy();
  await expect(pods.state).toHaveText('Running');
  await expect(pods.row('quiet')).toContainText(/Stops in (30|2\d) min: idle/);
  await expect(pods.inspector).toContainText('Idle since');
  await pods.tab('Overview');
  const facts = pods.inspector.getByRole('region', { name: 'Automatic stop' });
  await expect(facts).toContainText('after 30 min');
  await expect(facts).toContainText('Idle for');
  await expectNoFault(page, 'an idle Pod');

  await pods.tab('Settings');
  await pods.inspector.getByRole('textbox', { name: 'When idle for, minutes' }).fill('20');
  await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
  const review = pods.dialog('Change quiet?');
  await expect(review.getByRole('row', { name: 'Stops when idle' }).locator('del')).toHaveText('after 30 minutes');
  await expect(review).toContainText('The container continues.');
  await review.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(review).toBeHidden();
  // That it then stops, and why, is tested with an engine whose clock is put forward, and with an account.
  await expect(pods.row('quiet')).toContainText(/Stops in (20|1\d) min: idle/);
  await pods.tab('Overview');
  await expect(facts).toContainText('after 20 min');
});

test('a spend cap goes with a duplicate of the Pod, which stops when it has cost so much', async ({
  page,
  shell,
  pods,
  host,
}) => {
  // Ten cents a second for two cores.
  await setPrice(host, 180);
  await shell.open('#/pods');
  await shell.command('Deploy a Pod');
  await pods.fill({ Image: SHELL_IMAGE, Name: 'capped', Command: QUIET, Cores: '2' });
  await pods.fill({ 'When it has cost, US dollars': '90000' });
  await expect(pods.sheet).toContainText(/the Pod stops after \d+ (h|d)/);
  await pods.deploy();
  await expect(pods.state).toHaveText('Running');
  await pods.tab('Overview');
  const facts = pods.inspector.getByRole('region', { name: 'Automatic stop' });
  await expect(facts).toContainText(/of \$90.000\.00 since its start/);

  await pods.inspector.getByRole('button', { name: 'More for capped' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
  await expect(pods.field('Name')).toHaveValue('capped-2');
  await expect(pods.field('When it has cost, US dollars')).toHaveValue(/^90.?000$/);
  await pods.fill({ 'When it has cost, US dollars': '0.2' });
  await pods.deploy();
  await expect(pods.inspector.getByRole('heading', { level: 2, name: 'capped-2' })).toBeVisible();
  await expect(pods.state).toHaveText('Stopped');
  await expect(pods.row('capped-2')).toContainText(/spend|cost/i);
  await expect(pods.row('capped').first()).toBeVisible();
  await expectNoFault(page, 'a Pod that reached its spend cap');
  await setPrice(host, null);
});
