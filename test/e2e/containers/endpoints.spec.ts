// An endpoint made from an image on the page, with a real container engine.
import { makeShellImage, shellWorker } from '../../support/containers/images.ts';
import { expect, test } from './containerHost.ts';
import { call, endpointNamed } from '../support/machineTest.ts';

test('an endpoint made from an image runs its worker in a container, and nothing of it stays', async ({
  shell,
  endpoints,
  run,
  host,
  containers,
}) => {
  await makeShellImage(containers.docker, 'hangar-page:1', shellWorker('echo \\"from $GREETING\\"'));
  await shell.open('#/endpoints');
  await endpoints.begin('Container image');
  await endpoints.sheet.getByRole('button', { name: /^Create on/ }).click();
  await expect(endpoints.sheet).toContainText('Enter an image.');
  await endpoints.fill({ Image: 'hangar-page:1', Name: 'contained', Command: '/bin/sh /worker.sh' });
  await endpoints.sheet.getByRole('button', { name: 'Add a variable' }).click();
  await endpoints.fill({ 'Name of variable 1': 'GREETING', 'Value of variable 1': 'a container' });
  await endpoints.make();
  await expect(endpoints.state).toHaveText('Ready');
  // Its worker is looked at after its job.
  await call(host, 'PATCH', `/v1/endpoints/${(await endpointNamed(host, 'contained')).id}`, { idleTimeout: 300 });
  await endpoints.inspector.getByRole('button', { name: 'Run', exact: true }).click();
  await run.write('{"input": {}}');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('from a container');
  await expect.poll(() => containers.ours()).toHaveLength(1);
  await shell.goTo('Endpoints');
  await endpoints.open('contained');
  await endpoints.tab('Logs');
  await expect(endpoints.lines.filter({ hasText: /^.*worker .* is up$/ })).toHaveCount(1);
  await endpoints.tab('Workers');
  await expect(endpoints.inspector.getByRole('region', { name: 'Workers now' })).toContainText('container');
  await endpoints.remove('contained');
  await expect.poll(() => containers.ours()).toEqual([]);
});
