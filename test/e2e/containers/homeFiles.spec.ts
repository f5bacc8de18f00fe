// The files of this computer in the window: copied and moved between a real Pod, a volume and the home folder.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '#contract/api/pod.ts';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { until } from '../../support/core/until.ts';
import { ResourcesPage } from '../pages/resourcesPage.ts';
import { expectFocusIn } from '../pages/focus.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

test('files go from this computer into the container of a Pod and to a volume, and back', async ({
  page,
  shell,
  pods,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'hangar-e2e-home-'));
  await using _home = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 5 }) };
  const bytes = Buffer.alloc(2_500_000, 'weights ');
  mkdirSync(join(home, 'models'));
  writeFileSync(join(home, 'models/a.bin'), bytes);
  writeFileSync(join(home, 'note.txt'), 'from home');
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-home:1');
  const host = await startHost({ dockerHost: containers.host, env: { HOME: home } });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const volume = { name: 'kept', size: 10, dataCenterId: 'EU-RO-1' };
  const { id: volumeId } = await call<{ id: string }>(host, 'POST', '/v1/networkvolumes', volume);
  const pod = await call<Pod>(host, 'POST', '/v1/pods', {
    name: 'reader',
    imageName: 'hangar-home:1',
    computeType: 'CPU',
    volumeInGb: 0,
    dockerStartCmd: [
      '/bin/sh',
      '-c',
      'mkdir -p /out; echo done > /out/result.txt; trap "exit 0" TERM; while :; do sleep 0.2; done',
    ],
  });
  // The network of the Pod has come up then. A browser drops what it loads meanwhile, and the page, which loads itself
  // anew, no longer knows what was picked up.
  await until(
    'the container of the Pod to run',
    () => containers.docker.listContainers(),
    (running) => running.length > 0,
  );
  await page.goto(host.link);
  await shell.ready();
  const resources = new ResourcesPage(page);
  const choose = async (region: typeof resources.region, ...names: string[]): Promise<void> => {
    for (const name of names) await region.getByRole('checkbox', { name: `Select ${name}` }).check();
    await region.getByRole('button', { name: 'Copy or move' }).click();
  };

  const files = pods.inspector;
  // The browser may hear of the network a moment later. One attempt in vain takes a minute.
  await expect(async () => {
    await page.goto(`${host.page}/#/resources`);
    await resources.tab('Files');
    await expect(page).toHaveURL(/#\/resources\/computer$/);
    await choose(resources.region, 'models', 'note.txt');
    await page.goto(`${host.page}/#/pods/${pod.id}/files`);
    await files.getByRole('button', { name: 'out', exact: true }).click();
    await expect(files.getByRole('button', { name: 'Copy here' })).toBeVisible();
  }).toPass({ timeout: 240_000 });
  await files.getByRole('button', { name: 'Copy here' }).click();
  await expect(files.getByRole('list', { name: 'Transfers' }).getByText('Done')).toHaveCount(2);
  await files.getByRole('button', { name: 'note.txt', exact: true }).click();
  await expect(page.getByText('from home')).toBeVisible();
  await expectFocusIn(page.getByRole('dialog'));
  await page.keyboard.press('Escape');

  // Back: the result of the Pod moves here.
  await choose(files, 'result.txt');
  await page.goto(`${host.page}/#/resources/computer`);
  await resources.button('Move here').click();
  await expect(resources.transfers.filter({ hasText: 'result.txt' })).toContainText('Done');
  expect(readFileSync(join(home, 'result.txt'), 'utf8')).toBe('done\n');
  await resources.button('result.txt').click();
  await expect(page.getByText('done', { exact: true })).toBeVisible();
  await expectFocusIn(page.getByRole('dialog'));
  await page.keyboard.press('Escape');
  await page.goto(`${host.page}/#/pods/${pod.id}/files`);
  await files.getByRole('button', { name: 'out', exact: true }).click();
  await expect(files.getByRole('button', { name: 'note.txt', exact: true })).toBeVisible();
  await expect(files.getByRole('button', { name: 'result.txt', exact: true })).toHaveCount(0);

  // And on to a volume.
  await page.goto(`${host.page}/#/resources/computer`);
  await choose(resources.region, 'models');
  await page.goto(`${host.page}/#/resources/volumes/${volumeId}`);
  await resources.button('Move here').click();
  await expect(resources.transfers.filter({ hasText: 'a.bin' })).toContainText('Done');
  await expect.poll(() => existsSync(join(home, 'models'))).toBe(false);
  const [{ folder } = { folder: '' }] = await call<{ folder: string }[]>(host, 'GET', '/local/v1/volumes');
  expect(readFileSync(join(folder, 'models/a.bin')).equals(bytes)).toBe(true);

  await page.goto(`${host.page}/#/resources/computer`);
  await resources.menu('note.txt', 'Delete…');
  await resources.answer('Delete note.txt?', 'Delete');
  await expect.poll(() => readdirSync(home).includes('note.txt')).toBe(false);
  await expectNoFault(page, 'the files of this computer');
});
