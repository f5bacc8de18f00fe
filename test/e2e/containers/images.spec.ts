// The images of a computer against the built host, a real container engine and a registry: pulled with progress,
// stopped, refused.
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { startImageRegistry } from '../../support/containers/registry.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

const OWNER = { username: 'me', password: 'let me in' };

test('an image is pulled by its name with its progress, and is in the list at once', async ({ page, shell }) => {
  await using containers = await startContainerEngine();
  await using registry = await startImageRegistry(OWNER);
  const serveraddress = `127.0.0.1:${registry.port}`;
  const [model, other] = [`${serveraddress}/me/model:1`, `${serveraddress}/me/other:1`];
  for (const name of [model, other]) {
    await makeShellImage(containers.docker, name, `# ${name}`);
    const image = containers.docker.getImage(name);
    const pushed = await image.push({ authconfig: { ...OWNER, serveraddress } });
    expect(await text(pushed as Readable)).not.toContain('"error"');
    await image.remove();
  }
  const host = await startHost({ dockerHost: containers.host });
  try {
    await call(host, 'POST', '/v1/containerregistryauth', { name: 'my registry', ...OWNER });
    await page.goto(host.link);
    await shell.ready();
    await shell.command('Pull an image…');
    const field = page.getByLabel('Pull an image');
    await expect(field).toBeFocused();
    const pulls = page.getByRole('list', { name: 'Pulls' });
    const pullOf = (name: string) => pulls.getByRole('listitem').filter({ hasText: name.slice(-12) });
    await expect(page.getByText('No images on this computer')).toBeVisible();

    await field.fill('Me/Model');
    await expect(page.getByText('The name must be lowercase: me/model.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pull', exact: true })).toBeDisabled();
    await expectNoFault(page, 'a wrong name');
    const heights = [field, page.getByRole('button', { name: 'Pull', exact: true })].map(
      async (control) => (await control.boundingBox())?.height,
    );
    expect(await heights[1], 'the button is as high as its field').toBe(await heights[0]);

    // Without credentials the registry refuses.
    await field.fill(model);
    await page.keyboard.press('Enter');
    await expect(pullOf(model)).toContainText('there is no such image, or it is private');
    await page.getByRole('combobox', { name: 'Credentials' }).click();
    await page.getByRole('option', { name: 'my registry' }).click();

    // Two pulls at once, half done.
    registry.slowDown();
    for (const name of [model, other]) {
      await field.fill(name);
      await page.keyboard.press('Enter');
      await expect(field).toHaveValue('');
    }
    for (const name of [model, other])
      await expect(pullOf(name)).toContainText(/\d+ % · .*B of .*B downloaded · .*0 of 1 layer/);
    await expect(pulls.getByRole('listitem')).toHaveCount(2);
    await expectNoFault(page, 'two pulls');
    await pulls.getByRole('button', { name: `Stop the pull of ${other}` }).click();
    await expect(pullOf(other)).toHaveCount(0);
    await expect.poll(() => registry.slow).toBe(1);

    // A reload shows the pull as it is.
    await page.reload();
    await shell.ready();
    await expect(pullOf(model)).toContainText('0 of 1 layer');
    registry.speedUp();
    await expect(pullOf(model)).toContainText(/^.*Pulled, .* downloaded/);
    await expect(page.getByRole('table', { name: 'Container images' }).getByRole('row', { name: model })).toBeVisible();
    await expect(page.getByText('No images on this computer')).toBeHidden();
    await field.fill(model);
    await expect(page.getByText(`${model} is already on this computer.`)).toBeVisible();
    await pulls.getByRole('button', { name: `Forget ${model}` }).click();
    await expect(pulls).toBeHidden();

    // What it takes of the disk is measured on request.
    await shell.goTo('This computer');
    const disk = page.getByRole('region', { name: 'Disk' });
    await disk.getByRole('button', { name: 'Measure' }).click();
    const parts = disk.getByRole('list', { name: 'Parts of the disk' });
    await expect(parts.getByRole('listitem').filter({ hasText: '1 image' })).toContainText(
      /Removing unused ones frees at least .*B/,
    );
    await expect(disk).toContainText(/B free of .*B/);
    await expectNoFault(page, 'the disk');
    await parts.getByRole('link', { name: 'Remove unused…' }).click();
    await expect(page.getByRole('table', { name: 'Container images' })).toBeVisible();
  } finally {
    await host.stop();
  }
});

test('unused images are removed after a preview, and a narrow window says what uses the others', async ({
  page,
  shell,
}) => {
  await using containers = await startContainerEngine();
  const names = { pod: 'hangar-of-a-pod:1', template: 'hangar-of-a-template:1', unused: 'hangar-unused:1' };
  for (const name of Object.values(names)) await makeShellImage(containers.docker, name, `# ${name}`);
  const host = await startHost({ dockerHost: containers.host });
  try {
    const command = ['/bin/sh', '-c', 'sleep 600'];
    const body = { name: 'sleeper', imageName: names.pod, computeType: 'CPU', dockerStartCmd: command };
    const { id } = await call<{ id: string }>(host, 'POST', '/v1/pods', body);
    await call(host, 'POST', '/v1/templates', { name: 'later', imageName: names.template, isServerless: false });
    await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(1);
    await page.goto(host.link);
    await shell.ready();
    await shell.command('Pull an image…');
    const rowOf = (name: string) => page.getByRole('table', { name: 'Container images' }).getByRole('row', { name });
    await expect(rowOf(names.template)).toContainText('template later');
    await page.setViewportSize({ width: 420, height: 860 });
    await expect(rowOf(names.template).getByText('Used by template later')).toBeVisible();
    await expect(rowOf(names.unused).getByText('Not used')).toBeVisible();
    await expectNoFault(page, 'a narrow list of images');

    await page.getByRole('button', { name: 'Remove unused…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('listitem')).toHaveText([new RegExp(`^${names.unused} · .*B$`)]);
    await expectNoFault(page, 'the preview');
    await dialog.getByRole('button', { name: 'Remove 1 image' }).click();
    await expect(dialog.getByText('1 image was removed.')).toBeVisible();
    await expectNoFault(page, 'the removed image', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(rowOf(names.unused)).toHaveCount(0);
    await expect(rowOf(names.pod)).toBeVisible();
    const here = await containers.docker.listImages();
    expect(here.flatMap(({ RepoTags }) => RepoTags ?? []).toSorted()).toEqual([names.pod, names.template]);
    await call(host, 'DELETE', `/v1/pods/${id}`);
  } finally {
    await host.stop();
  }
});
