// Files of volumes: archives of folders, on real folders.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from './support/handlers.ts';
import { expect, test as base, type Host } from './support/host.ts';
import { ResourcesPage } from './pages/resourcesPage.ts';

const test = base.extend<{ resources: ResourcesPage; dir: string }>({
  resources: ({ page }, use) => use(new ResourcesPage(page)),
  dir: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'hangar-e2e-files-'));
    await use(dir);
    await rm(dir, { recursive: true, force: true });
  },
});

/** Makes a volume with these files; answers its id and its folder. */
async function makeVolume(host: Host, name: string, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const volume = { name, size: 10, dataCenterId: 'EU-RO-1' };
  const { id } = await call<{ id: string }>(host, 'POST', '/v1/networkvolumes', volume);
  const volumes = await call<{ id: string; folder: string }[]>(host, 'GET', '/local/v1/volumes');
  const folder = volumes.find((one) => one.id === id)?.folder ?? '';
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { id, folder };
}

test('a folder, and several chosen entries, come as one archive with all that is in them', async ({
  page,
  shell,
  resources,
  host,
  dir,
}) => {
  const bytes = Buffer.alloc(3_000_000, 'weights ');
  const { id, folder } = await makeVolume(host, 'archived', {
    'models/größe.bin': bytes,
    'models/deep/er/note.txt': 'deep',
    'a.txt': 'a',
    'b.txt': 'b',
  });
  mkdirSync(join(folder, 'models', 'empty'));
  symlinkSync('.', join(folder, 'models', 'loop'));
  symlinkSync('größe.bin', join(folder, 'models', 'latest.bin'));
  await shell.open(`#/resources/volumes/${id}`);
  const unpack = async (act: () => Promise<void>, name: string): Promise<string> => {
    const coming = page.waitForEvent('download');
    await act();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(name);
    const archive = join(dir, name);
    await download.saveAs(archive);
    const to = join(dir, `from-${name}`);
    execFileSync('python3', ['-m', 'zipfile', '-e', archive, to]);
    return to;
  };
  const one = await unpack(() => resources.menu('models', 'Download as ZIP'), 'models.zip');
  expect(readdirSync(join(one, 'models')).sort()).toEqual(['deep', 'empty', 'größe.bin', 'latest.bin']);
  expect(readFileSync(join(one, 'models', 'größe.bin')).equals(bytes)).toBe(true);
  expect(readFileSync(join(one, 'models/deep/er/note.txt'), 'utf8')).toBe('deep');
  await expect(resources.transfers.filter({ hasText: 'models.zip' })).toContainText('Done');

  for (const name of ['a.txt', 'models', 'b.txt']) {
    await resources.region.getByRole('checkbox', { name: `Choose ${name}` }).click();
  }
  const many = await unpack(() => resources.button('Download 3').click(), 'files.zip');
  expect(readdirSync(many).sort()).toEqual(['a.txt', 'b.txt', 'models']);
  expect(readFileSync(join(many, 'b.txt'), 'utf8')).toBe('b');
});
