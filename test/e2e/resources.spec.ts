// Templates, volumes with their files, and credentials of registries, against the built host and its real folders.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkVolume, Template } from '#contract/api/resources.ts';
import { limits } from '#contract/core/limits.ts';
import { call, chatty, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test as base } from './support/host.ts';
import { ResourcesPage } from './pages/resourcesPage.ts';

const test = base.extend<{ resources: ResourcesPage }>({
  resources: ({ page }, use) => use(new ResourcesPage(page)),
});

test(
  'a template is made, changed after its differences were read, and not deleted while an endpoint is made of it',
  { tag: '@journey' },
  async ({ page, shell, resources, host }) => {
    // In a tall window notices cover no row of a long list.
    await page.setViewportSize({ width: 1280, height: 2000 });
    await shell.open('#/run');
    await shell.goTo('Resources');
    const notices = await shell.watchNotices();
    await resources.button('New template').click();
    const sheet = resources.dialog('New template on this computer');
    await sheet.getByRole('button', { name: 'Create the template' }).click();
    await expect(sheet).toContainText('Enter a name.');
    await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill('by-hand-template');
    await sheet.getByLabel('Image, or a folder').fill('me/trainer:1');
    await sheet.getByLabel('Command').fill('python -u "my train.py"');
    await sheet.getByRole('button', { name: 'Create the template' }).click();
    await expect(sheet).toBeHidden();
    await expect.poll(notices).toContainEqual(expect.stringContaining('Created by-hand-template'));
    const find = async () =>
      (await call<Template[]>(host, 'GET', '/v1/templates')).find(({ name }) => name === 'by-hand-template');
    const made = await find();
    expect(made).toMatchObject({ imageName: 'me/trainer:1', dockerStartCmd: ['python', '-u', 'my train.py'] });

    await resources.menu('by-hand-template', 'Edit…');
    const edit = resources.dialog('Template by-hand-template');
    await edit.getByLabel('Container disk, GB').fill('70');
    await edit.getByRole('button', { name: 'Add a variable' }).click();
    await edit.getByLabel('Name of variable 1').fill('TOKEN');
    await edit.getByLabel('Value of variable 1').fill('not-for-eyes');
    await edit.getByRole('button', { name: 'Review and save…' }).click();
    const review = resources.dialog('Change by-hand-template?');
    await expect(review.getByRole('row', { name: 'Container disk' }).locator('ins')).toHaveText('70 GB');
    await expect(review).not.toContainText('not-for-eyes');
    await review.getByRole('button', { name: 'Save 2 changes' }).click();
    await expect(edit).toBeHidden();
    await expect.poll(find).toMatchObject({ containerDiskInGb: 70, env: { TOKEN: 'not-for-eyes' } });

    const endpointId = await makeEndpoint(host, 'made-of-one', chatty, { workersMax: 0 });
    await expect(resources.row('made-of-one')).toContainText('endpoint made-of-one');
    await resources.menu('made-of-one', 'Delete…');
    await expect(resources.dialog('Delete the template made-of-one?')).toContainText('endpoint made-of-one');
    await resources.answer('Delete the template made-of-one?', 'Cancel');
    await call(host, 'DELETE', `/v1/endpoints/${endpointId}`);
    await resources.menu('by-hand-template', 'Delete…');
    await resources.answer('Delete the template by-hand-template?', 'Delete the template');
    await expect(resources.row('by-hand-template')).toHaveCount(0);
    await expect.poll(find).toBeUndefined();
  },
);

test('a volume is made and grown; a file of many pieces goes in and comes out the same; folders, names and the volume go', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'hangar-e2e-files-'));
  try {
    await shell.open('#/resources/volumes');
    await resources.button('New volume').click();
    await resources.answer('New volume on this computer', 'Create the volume', { Name: 'kept', 'Size, GB': '10' });
    await resources.menu('kept', 'Rename or grow…');
    const change = resources.dialog('Change kept');
    await change.getByLabel('Size, GB').fill('9');
    await expect(change.getByRole('button', { name: 'Save' })).toBeDisabled();
    await resources.answer('Change kept', 'Save', { 'Size, GB': '20' });
    await expect(resources.row('kept')).toContainText('20 GB');
    const volumes = await call<(NetworkVolume & { folder: string })[]>(host, 'GET', '/local/v1/volumes');
    const volume = volumes.find(({ name }) => name === 'kept');
    const folder = volume?.folder ?? '';

    await resources.button('kept').click();
    await expect(resources.region).toContainText('This folder is empty');
    await resources.button('New folder').click();
    await resources.answer('New folder', 'Create', { Name: 'models & more' });
    await resources.button('models & more').click();

    const bytes = Buffer.alloc(limits.page.pieceBytes * 5 + 77);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 31 + (at >> 11)) % 251;
    const file = join(dir, 'weights ü.bin');
    writeFileSync(file, bytes);
    writeFileSync(join(dir, 'empty.txt'), '');
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await resources.region.getByLabel('Files to upload').setInputFiles([file, join(dir, 'empty.txt')]);
    await expect(resources.transfers.filter({ hasText: 'Done' })).toHaveCount(2);
    // The browser reads the file itself, instead of the page.
    expect(new URL((await sent).url()).pathname).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
    const weights = join(folder, 'models & more', 'weights ü.bin');
    const digest = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
    expect(digest(readFileSync(weights))).toBe(digest(bytes));
    expect(readFileSync(join(folder, 'models & more', 'empty.txt'))).toHaveLength(0);

    writeFileSync(file, 'another');
    await resources.region.getByLabel('Files to upload').setInputFiles(file);
    await resources.button('Replace it: weights ü.bin').click();
    await expect.poll(() => readFileSync(weights, 'utf8').slice(0, 20)).toBe('another');
    await expect(resources.row('weights ü.bin')).toContainText('7 B');
    // It is downloaded as large as it is, and not as large as it was when the list was read.
    writeFileSync(weights, bytes);
    const coming = page.waitForEvent('download');
    await resources.menu('weights ü.bin', 'Download');
    const download = await coming;
    expect(download.suggestedFilename()).toBe('weights ü.bin');
    const saved = join(dir, 'saved');
    await download.saveAs(saved);
    expect(digest(readFileSync(saved))).toBe(digest(bytes));

    await resources.menu('weights ü.bin', 'Rename');
    const newName = resources.region.getByRole('textbox', { name: 'New name of weights ü.bin' });
    await newName.fill('w.bin');
    await newName.press('Enter');
    await expect(resources.row('w.bin')).toBeVisible();
    await page.goBack();
    await resources.menu('models & more', 'Delete…');
    await expect(resources.dialog('Delete models & more?')).toContainText('everything in it');
    await resources.answer('Delete models & more?', 'Delete');
    await expect(resources.region).toContainText('This folder is empty');
    await expect.poll(() => existsSync(weights)).toBe(false);

    await resources.button('All volumes').click();
    await resources.menu('kept', 'Delete…');
    const ask = resources.dialog('Delete the volume kept?');
    await expect(ask.getByRole('button', { name: 'Delete the volume' })).toBeDisabled();
    await ask.getByRole('textbox').fill('kept');
    await ask.getByRole('button', { name: 'Delete the volume' }).click();
    await expect(resources.row('kept')).toHaveCount(0);
    await expect.poll(() => existsSync(folder)).toBe(false);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});

test('axe finds nothing, light or dark, and nothing scrolls sideways in a small window', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const { id } = await call<NetworkVolume>(host, 'POST', '/v1/networkvolumes', {
    name: 'looked-into',
    size: 10,
    dataCenterId: 'EU-RO-1',
  });
  await call(host, 'POST', `/local/v1/volumes/${id}/files/folder`, { path: 'models' });
  await call(host, 'POST', '/v1/containerregistryauth', { name: 'looked-at', username: 'me', password: 'x' });
  await shell.open('#/resources/templates');
  await expect(resources.region.getByRole('row').nth(1)).toBeVisible();
  await resources.button('New template').click();
  await expect(resources.dialog('New template on this computer')).toBeVisible();
  await expectNoFault(page, 'a new template', '[role=dialog]');
  await page.keyboard.press('Escape');
  // Volumes and registries are in accessiblePages.spec.ts.
  await resources.tab('Registries');
  await resources.button('New credentials').click();
  await expectNoFault(page, 'new credentials', '[role=dialog]');
  await page.keyboard.press('Escape');
  await resources.tab('Volumes');
  await resources.button('looked-into').click();
  await expect(resources.row('models')).toBeVisible();
  await expectNoFault(page, 'files', 'main');
  await page.setViewportSize({ width: 640, height: 400 });
  for (const tab of ['Volumes', 'Templates', 'Registries'] as const) {
    await resources.tab(tab);
    await expect.poll(() => shell.sidewaysScroll(), tab).toBe(0);
  }
});

test('notices never cover the status bar or the list of pages, however narrow the window is', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const widths = { 'first-old': 420, 'second-old': 420, 'third-old': 900, 'fourth-old': 1280 };
  const names = Object.keys(widths);
  for (const name of names) await call(host, 'POST', '/v1/templates', { name, imageName: 'me/trainer:1' });
  await shell.open('#/resources');
  // Noted within the page, at each frame, because a notice goes by itself after some seconds.
  const noted = await page.evaluateHandle(() => {
    const gaps: { text: string; below: number; beside: number }[] = [];
    const boxOf = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
    const onFrame = () => {
      for (const notice of document.querySelectorAll('.mantine-Notification-root')) {
        const { left, bottom } = notice.getBoundingClientRect();
        const [below, beside] = [boxOf('footer').top - bottom, left - boxOf('nav').right];
        gaps.push({ text: notice.textContent ?? '', below, beside });
      }
      requestAnimationFrame(onFrame);
    };
    onFrame();
    return gaps;
  });
  const last = async (name: string) =>
    (await noted.jsonValue()).findLast(({ text }) => text.includes(`Deleted ${name}`)) ?? { below: 0, beside: 0 };
  for (const [name, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: 800 });
    await resources.menu(name, 'Delete…');
    await resources.answer(`Delete the template ${name}?`, 'Delete the template');
    await expect.poll(async () => (await last(name)).below, `below ${name}`).toBeGreaterThan(0);
    await expect.poll(async () => (await last(name)).beside, `beside ${name}`).toBeGreaterThan(0);
  }
});
