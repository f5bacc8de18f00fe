// What a Pod that serves nothing and a terminal without a shell say, and how both change by themselves, against the
// built host and a real container engine.
import type { Pod } from '#contract/api/pod.ts';
import { containersOf } from '../../support/pods/pods.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expectOneRow } from '../support/layout.ts';
import { expect, SHELL_IMAGE, test } from './containerHost.ts';

const SERVES_LATER =
  'trap "exit 0" TERM; while [ ! -e /tmp/serve ]; do sleep 0.2; done; mkdir /www; httpd -p 8888 -h /www; while :; do sleep 0.2; done';

test('a port is opened once something listens, and a terminal says why its Pod has no shell, starts it, and closes', async ({
  page,
  shell,
  pods,
  host,
  containers,
}) => {
  const { id } = await call<Pod>(host, 'POST', '/v1/pods', {
    name: 'late',
    imageName: SHELL_IMAGE,
    computeType: 'CPU',
    ports: ['8888/http'],
    dockerStartCmd: ['/bin/sh', '-c', SERVES_LATER],
  });
  await shell.open('#/pods');
  await pods.open('late');

  await test.step('a port where nothing listens says so, and becomes a link by itself', async () => {
    await expect(pods.inspector.getByText('Nothing answers on port 8888 yet')).toBeVisible();
    await expect(pods.inspector.getByRole('link', { name: /^Open port/ })).toHaveCount(0);
    await expectNoFault(page, 'a silent port', '[aria-label=Pod]');
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 900, height: 600 });
    const buttons = pods.inspector.getByRole('button', { name: /^(?:Terminal|Stop…|More for late)$/ });
    await expect(buttons).toHaveCount(3);
    await expectOneRow(buttons, 'the buttons');
    await page.setViewportSize(usual!);
    const [container] = await containersOf(containers, id);
    const exec = await containers.docker.getContainer(container!.Id).exec({ Cmd: ['touch', '/tmp/serve'] });
    await exec.start({ Detach: true });
    await expect(pods.inspector.getByRole('link', { name: /^Open port 8888/ })).toBeVisible();
  });

  const terminals = page.getByRole('region', { name: 'Terminals' });
  const tabs = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab');
  await test.step('a terminal of a stopped Pod starts it, and has a shell again', async () => {
    await pods.inspector.getByRole('button', { name: 'Terminal', exact: true }).click();
    await expect(terminals).toContainText('#');
    await call(host, 'POST', `/v1/pods/${id}/stop`);
    await expect(terminals).toContainText('The Pod is stopped.');
    await expectNoFault(page, 'a terminal of a stopped Pod');
    await terminals.getByRole('button', { name: 'Start the Pod' }).click();
    await expect(terminals).not.toContainText('The Pod is stopped.');
    await expect(terminals.getByRole('status')).toHaveCount(0);
  });

  await test.step('a terminal of a deleted Pod says so, and is closed', async () => {
    await call(host, 'DELETE', `/v1/pods/${id}`);
    await expect(terminals).toContainText('The Pod was deleted.');
    await expect(tabs).toHaveText(['late (deleted)']);
    await page.getByTitle('Close the tab late (deleted)').click();
    await expect(tabs).toHaveCount(0);
  });
});
