// The automatic stop of a Pod of this computer: set where it is deployed, told in its row, changed in its settings, and why it stopped.
import { startContainerEngine, whyNoContainers } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from '../support/host.ts';

const noContainers = whyNoContainers();
const QUIET = `/bin/sh -c "trap 'exit 0' TERM; sleep 10000 & wait"`;
/** A Pod counts as idle from its second measurement on, and then stops after a minute. */
const STOPS_MS = 120_000;

test('a Pod that does nothing says when it stops, stops then, and says why', async ({ page, shell, pods }) => {
  test.skip(noContainers !== null, noContainers ?? '');
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-pod:1');
  const host = await startHost({ dockerHost: containers.host });
  try {
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Pods');
    await shell.command('Deploy a Pod');
    await pods.fill({ Image: 'hangar-pod:1', Name: 'quiet', Command: QUIET });
    await pods.fill({ 'When idle for, minutes': '0' });
    await expect(pods.sheet).toContainText('idleMinutes');
    await pods.fill({ 'When idle for, minutes': '30' });
    await expect(pods.sheet).toContainText('no open terminal');
    // Nothing has a price here, so that there is no cap.
    await expect(pods.sheet).toContainText('A spend cap needs a price.');
    await expectNoFault(page, 'the automatic stop in the sheet', '[role=dialog]');
    await pods.deploy();
    await expect(pods.state).toHaveText('Running');
    await expect(pods.row('quiet')).toContainText('Stops in 30 min: idle');
    await expect(pods.inspector).toContainText('It has done nothing since');
    await pods.tab('Overview');
    const facts = pods.inspector.getByRole('region', { name: 'Automatic stop' });
    await expect(facts).toContainText('after 30 min');
    await expect(facts).toContainText('Idle for');
    await expectNoFault(page, 'an idle Pod');

    await pods.tab('Settings');
    await pods.inspector.getByRole('textbox', { name: 'When idle for, minutes' }).fill('1');
    await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
    const review = pods.dialog('Change quiet?');
    await expect(review.getByRole('row', { name: 'Stops when idle' }).locator('del')).toHaveText('after 30 minutes');
    await expect(review).toContainText('The container continues.');
    await review.getByRole('button', { name: 'Save 1 change' }).click();
    await expect(review).toBeHidden();
    await expect(pods.state).toHaveText('Stopped', { timeout: STOPS_MS });
    await expect(pods.row('quiet')).toContainText('Stopped: idle for 1 min');
    await expect(pods.inspector).toContainText('You can start it again.');
    await pods.tab('Events');
    await expect(pods.inspector.getByRole('listitem').first()).toContainText('Stopped: idle for 1 min.');
    await expectNoFault(page, 'a Pod that was stopped by its rule');
    await page
      .getByRole('button', { name: 'Close the Pod' })
      .or(page.getByRole('button', { name: /^Close/ }))
      .first()
      .click();
    await pods.open('quiet');
    await pods.inspector.getByRole('button', { name: /^Start/ }).click();
    await expect(pods.state).toHaveText('Running');
    await expect(pods.row('quiet')).not.toContainText('Stopped:');
    for (const { id } of await call<{ id: string }[]>(host, 'GET', '/v1/pods'))
      await call(host, 'DELETE', `/v1/pods/${id}`);
  } finally {
    await host.stop();
  }
});
