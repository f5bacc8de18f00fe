// The automatic stop of Pods of an account, which this app makes while it runs: by their cost, and because they are
// idle.
import { expectNoFault } from '../support/handlers.ts';
import { expect } from '../support/host.ts';
import { cloudV1, cloudV2, test } from '../support/remoteTest.ts';

const HOUR_MS = 3_600_000;
const L4 = { id: 'NVIDIA L4', count: 1 };

test('a Pod has a spend cap from its start on; one that has cost more than a new cap stops, with the reason', async ({
  page,
  shell,
  pods,
  accounts,
  remote,
}) => {
  remote.addPod({ name: 'expensive', image: 'example/pod:1', gpu: L4, createdAt: Date.now() - 10 * HOUR_MS });
  await shell.open('#/accounts');
  await accounts.add(cloudV2(remote, 'capped service'));
  await accounts.switchTo('capped service');
  await shell.goTo('Pods');
  await shell.command('Deploy a Pod');
  await pods.fill({ Name: 'capped', Image: 'example/pod:1', 'When it has cost, US dollars': '0.2' });
  await expect(pods.sheet).toContainText('The cost counts from each start: at $0.');
  await expect(pods.sheet).toContainText('This works only while Hangar runs on this computer.');
  await expectNoFault(page, 'the spend cap in the sheet', '[role=dialog]');
  await pods.deploy();
  await expect(pods.row('capped')).toContainText(/Stops in \d+ min: cost/);
  await pods.tab('Overview');
  await expect(pods.inspector.getByRole('region', { name: 'Automatic stop' })).toContainText(
    /\$0\.0\d* of \$0\.20 since its start/,
  );
  await expectNoFault(page, 'a Pod with a spend cap', 'main');

  await pods.open('expensive');
  await pods.tab('Settings');
  await pods.inspector.getByRole('textbox', { name: 'When it has cost, US dollars' }).fill('1.5');
  await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
  const review = pods.dialog('Change expensive?');
  await expect(review.getByRole('row', { name: 'Stops when it has cost' }).locator('del')).toHaveText('never');
  await expectNoFault(page, 'a change of a Pod', '[role=dialog]');
  await review.getByRole('button', { name: 'Save 1 change' }).click();
  await expect(pods.state).toHaveText('Stopped');
  await expect(pods.row('expensive')).toContainText('Stopped: spend cap');
  await expect(pods.inspector).toContainText('it has cost $1.50, which is its spend cap');
  await pods.tab('Events');
  await expect(pods.inspector).toContainText("These are Hangar's own.");
  await expect(pods.inspector.getByRole('listitem').first()).toContainText(
    'Stopped: it has cost $1.50, which is its spend cap.',
  );
  await expectNoFault(page, 'a Pod that was stopped at its cap', 'main');
});

test('a Pod that is idle says when it stops, and one that works does not', async ({
  shell,
  pods,
  accounts,
  remote,
}) => {
  remote.addPod({ name: 'idle-one', image: 'example/pod:1', gpu: L4, isIdle: true });
  remote.addPod({ name: 'busy-one', image: 'example/pod:1', gpu: L4 });
  await shell.open('#/accounts');
  await accounts.add(cloudV1(remote, 'three'));
  await accounts.switchTo('three');
  await shell.goTo('Pods');
  for (const name of ['idle-one', 'busy-one']) {
    await pods.open(name);
    await pods.tab('Settings');
    await pods.inspector.getByRole('textbox', { name: 'When idle for, minutes' }).fill('30');
    await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
    await pods.dialog(`Change ${name}?`).getByRole('button', { name: 'Save 1 change' }).click();
    await expect(pods.dialog(`Change ${name}?`)).toBeHidden();
  }
  await expect(pods.row('idle-one')).toContainText(/Stops in (2\d|30) min: idle/);
  await expect(pods.row('busy-one')).not.toContainText('Stops in');
  await pods.tab('Overview');
  await expect(pods.inspector.getByRole('region', { name: 'Automatic stop' })).toContainText('Its CPU is at');
});
