// Files of volumes: archives of folders, moves to another volume, and the search below a folder, on real folders.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectFocusIn } from './pages/focus.ts';
import { expect, test as base } from './support/host.ts';
import { makeVolume } from './support/volumes.ts';
import { ResourcesPage } from './pages/resourcesPage.ts';

const test = base.extend<{ resources: ResourcesPage; dir: string }>({
  resources: ({ page }, use) => use(new ResourcesPage(page)),
  dir: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'hangar-e2e-files-'));
    await use(dir);
    await rm(dir, { recursive: true, force: true });
  },
});

test('what a program writes into the open folder is in the list at once, and so is that the folder is gone', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const { id, folder } = await makeVolume(host, 'followed', { 'runs/first.txt': '1' });
  // Only the report tells this page of a change: it reads no folder again every 10 seconds, or every minute.
  await page.addInitScript(() => {
    const every = window.setInterval;
    window.setInterval = ((run: () => void, ms: number) => (ms < 10_000 ? every(run, ms) : 0)) as typeof setInterval;
  });
  await shell.open(`#/resources/volumes/${id}/runs`);
  const row = (name: string) => resources.region.getByRole('row', { name: new RegExp(`^Select ${name} `) });
  await expect(row('first.txt')).toBeVisible();
  writeFileSync(join(folder, 'runs', 'second.txt'), '22');
  await expect(row('second.txt')).toContainText('2 B');
  appendFileSync(join(folder, 'runs', 'second.txt'), '333');
  await expect(row('second.txt')).toContainText('5 B');
  rmSync(join(folder, 'runs', 'first.txt'));
  await expect(row('first.txt')).toHaveCount(0);
  rmSync(join(folder, 'runs'), { recursive: true });
  await expect(resources.region.getByText('There is no "runs" in the volume.')).toBeVisible();
});

test('a picture fits into its dialog with its buttons, the name in its head is whole, and the search is as high as the buttons', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const { id, folder } = await makeVolume(host, 'pictures');
  await page.setViewportSize({ width: 900, height: 600 });
  await shell.open(`#/resources/volumes/${id}`);
  const picture = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 900;
    canvas.height = 900;
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  writeFileSync(join(folder, 'typography.png'), Buffer.from(picture, 'base64'));
  const name = resources.region.getByRole('button', { name: 'typography.png', exact: true });
  await expect(name).toBeVisible();
  const heights = await Promise.all(
    [resources.region.getByLabel('Find a file in this folder'), resources.button('New folder')].map(
      async (part) => (await part.boundingBox())?.height,
    ),
  );
  expect(heights[0]).toBe(heights[1]);

  await name.click();
  const dialog = resources.dialog('typography.png');
  await expect(dialog.getByText('900 × 900')).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Download' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveCount(0);
  // The parts of the dialog, not the window, cut what does not fit.
  const isCut = (part: Locator) =>
    part.evaluate((element) => {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (at.scrollHeight > at.clientHeight + 1 && getComputedStyle(at).overflowY !== 'visible') return true;
      }
      return false;
    });
  await expect.poll(() => isCut(dialog.getByText('900 × 900'))).toBe(false);
  await expect.poll(() => isCut(dialog.getByRole('heading').getByText('typography.png'))).toBe(false);
});

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
    await resources.region.getByRole('checkbox', { name: `Select ${name}` }).click();
  }
  const many = await unpack(() => resources.button('Download 3').click(), 'files.zip');
  expect(readdirSync(many).sort()).toEqual(['a.txt', 'b.txt', 'models']);
  expect(readFileSync(join(many, 'b.txt'), 'utf8')).toBe('b');
});

test('the head of an open text has the size of what is shown, and Escape asks before it discards a change', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const { id, folder } = await makeVolume(host, 'shared-text', { 'notes.txt': 'a' });
  await shell.open(`#/resources/volumes/${id}`);
  await resources.region.getByRole('button', { name: 'notes.txt', exact: true }).click();
  const dialog = resources.dialog('notes.txt');
  await expect(dialog.getByText(/^1 B, changed /)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Text of notes.txt' }).click();
  await page.keyboard.insertText('mine ');
  writeFileSync(join(folder, 'notes.txt'), 'theirs');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Open theirs' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Text of notes.txt' })).toHaveText('theirs');
  await expect(dialog.getByText(/^6 B, changed /)).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Text of notes.txt' }).click();
  await page.keyboard.insertText('not only ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/^15 B, changed /)).toBeVisible();
  const question = resources.dialog('Close notes.txt without saving?');
  const editor = dialog.getByRole('textbox', { name: 'Text of notes.txt' });
  await editor.click();
  // The Escape comes before the page has drawn the text.
  await page.keyboard.insertText('unsaved ');
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await expect(editor).toContainText('unsaved ');
  await expectFocusIn(question);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Discard the changes' }).click();
  await expect(dialog).toBeHidden();
});

test('files move to another volume: what changed meanwhile, is taken there or linked stays, all else goes', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const from = await makeVolume(host, 'moved-from', {
    'models/deep/a.bin': 'a'.repeat(2_500_000),
    'models/b.txt': 'b',
    'changing/large.bin': 'x'.repeat(5_000_000),
    'linked/c.txt': 'c',
    'others/kept.txt': 'kept',
    'taken.txt': 'mine',
  });
  mkdirSync(join(from.folder, 'models', 'empty'));
  symlinkSync('../others', join(from.folder, 'linked', 'others'));
  const to = await makeVolume(host, 'moved-to', { 'taken.txt': 'theirs' });
  let beforeComparison = (): void => undefined;
  // Between the copy of a file and its comparison with the original, however long both take.
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    const app = socket.connectToServer();
    socket.onMessage((message) => {
      if (String(message).includes('files/compare')) beforeComparison();
      app.send(message);
    });
  });
  const move = async (name: string): Promise<void> => {
    await shell.open(`#/resources/volumes/${from.id}`);
    await resources.region.getByRole('checkbox', { name: `Select ${name}` }).click();
    await resources.button('Copy or move').click();
    await resources.button('All volumes').click();
    await resources.button('moved-to').click();
    await resources.button('Move here').click();
  };
  const left = (): string[] => readdirSync(from.folder).sort();
  await move('models');
  await expect(resources.transfers.filter({ hasText: 'Done' })).toHaveCount(2);
  await expect.poll(left).toEqual(['changing', 'linked', 'others', 'taken.txt']);
  expect(readFileSync(join(to.folder, 'models/deep/a.bin'), 'utf8')).toBe('a'.repeat(2_500_000));
  expect(readdirSync(join(to.folder, 'models')).sort()).toEqual(['b.txt', 'deep', 'empty']);

  await move('linked');
  await expect(resources.transfers.filter({ hasText: 'c.txt' })).toContainText('Done');
  expect(readdirSync(join(to.folder, 'linked'))).toEqual(['c.txt']);
  expect(readdirSync(join(from.folder, 'linked'))).toEqual(['others']);
  expect(readFileSync(join(from.folder, 'others/kept.txt'), 'utf8')).toBe('kept');

  await move('taken.txt');
  const taken = resources.transfers.filter({ hasText: 'taken.txt' });
  await expect(taken).toContainText('Moving never replaces a file');
  await expect(taken.getByRole('button')).toHaveText(['']);
  expect(readFileSync(join(from.folder, 'taken.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(join(to.folder, 'taken.txt'), 'utf8')).toBe('theirs');

  const changing = join(from.folder, 'changing/large.bin');
  const moveWhile = async (changes: () => void): Promise<void> => {
    beforeComparison = changes;
    await move('changing');
    await expect(resources.transfers.filter({ hasText: 'large.bin' })).toContainText('Nothing was deleted');
    beforeComparison = () => undefined;
    expect(existsSync(changing)).toBe(true);
    await page.getByRole('button', { name: 'Forget large.bin' }).click();
    rmSync(join(to.folder, 'changing'), { recursive: true });
  };
  await moveWhile(() => appendFileSync(changing, 'more'));
  // The same bytes again, as a program that is still writing may leave them: only the time tells.
  await moveWhile(() => utimesSync(changing, new Date(), new Date()));
  await move('changing');
  await expect.poll(left).toEqual(['linked', 'others', 'taken.txt']);
});

test('files that were picked up stay so over a reload of the page, until they are put down', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const from = await makeVolume(host, 'picked-from', { 'data/a.txt': 'a', 'b.txt': 'b' });
  const to = await makeVolume(host, 'picked-to');
  await shell.open(`#/resources/volumes/${from.id}`);
  for (const name of ['data', 'b.txt'])
    await resources.region.getByRole('checkbox', { name: `Select ${name}` }).click();
  await resources.button('Copy or move').click();
  await shell.open(`#/resources/volumes/${to.id}`);
  await page.reload();
  const bar = page.getByRole('toolbar', { name: 'Files to copy or move' });
  await expect(bar).toContainText('2 entries from picked-from');
  await bar.getByRole('button', { name: 'Copy here' }).click();
  await expect(resources.transfers.filter({ hasText: 'Done' })).toHaveCount(2);
  expect(readFileSync(join(to.folder, 'data/a.txt'), 'utf8')).toBe('a');
  await expect(bar).toBeHidden();
  await page.reload();
  await expect(resources.row('b.txt')).toBeVisible();
  await expect(bar).toBeHidden();
});

test('a search finds names below the folder, tells how far it is, and leads to what it found', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const { id, folder } = await makeVolume(host, 'searched', {
    'runs/one/checkpoint-1.pt': '1',
    'runs/two/deep/CHECKPOINT-2.pt': '22',
    'runs/two/deep/notes.txt': 'n',
    'elsewhere/checkpoint-3.pt': '3',
  });
  symlinkSync('..', join(folder, 'runs', 'two', 'up'));
  await shell.open(`#/resources/volumes/${id}`);
  await resources.button('runs').click();
  await expect(resources.row('one')).toBeVisible();
  const field = resources.region.getByRole('searchbox', { name: 'Find a file in this folder' });
  const results = resources.region.getByRole('region', { name: 'Found below this folder' });
  await field.fill('checkpoint');
  await field.press('Enter');
  await expect(results.getByRole('status')).toHaveText('2 found · all 4 folders searched');
  await expect(results.getByRole('listitem')).toHaveCount(2);

  await results.getByRole('button', { name: 'Go to runs/two/deep/CHECKPOINT-2.pt' }).click();
  await expect(results).toBeHidden();
  await expect(resources.row('notes.txt')).toBeVisible();
  await expect(resources.region.getByRole('grid', { name: 'Files' })).toBeFocused();
  await expect(resources.activeRow).toHaveAttribute('data-row', 'CHECKPOINT-2.pt');

  await resources.button('runs').click();
  await expect(resources.row('two')).toBeVisible();
  await field.fill('nowhere');
  await resources.button('Search below').click();
  await expect(results).toContainText('No name below this folder contains "nowhere"');
  await page.keyboard.press('Escape');
  await expect(results).toBeHidden();
  await expect(resources.row('two')).toBeVisible();
});

/** In the folder that is open, which has thousands of folders below it. */
async function stopSearch(page: Page, resources: ResourcesPage): Promise<void> {
  await resources.region.getByRole('searchbox', { name: 'Find a file in this folder' }).fill('nothing');
  // Pressed within the page as soon as it is there: from outside, a slow machine may come after the end of the search.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const buttons = document.querySelectorAll<HTMLElement>('[aria-label="Found below this folder"] button');
      const stop = [...buttons].find(({ textContent }) => textContent === 'Stop');
      if (stop === undefined) return;
      observer.disconnect();
      stop.click();
    }).observe(document.body, { subtree: true, childList: true });
  });
  await resources.button('Search below').click();
  const results = resources.region.getByRole('region', { name: 'Found below this folder' });
  const status = results.getByRole('status');
  await expect(status).toContainText('Stopped');
  await expect(status).not.toContainText('all');
  await expect(results.getByRole('button', { name: 'Stop' })).toBeHidden();
}

test('a folder of ten thousand folders is listed at once, is where it was left when a person comes back, and a search below it can be stopped', async ({
  page,
  shell,
  resources,
  host,
}) => {
  const { id, folder } = await makeVolume(host, 'many', { 'images/zz-last/inner.txt': 'i' });
  for (let n = 0; n < 10_000; n++) mkdirSync(join(folder, 'images', `n-${String(n).padStart(5, '0')}`));
  await shell.open(`#/resources/volumes/${id}`);
  await resources.button('images').click();
  const grid = resources.region.getByRole('grid', { name: 'Files' });
  await expect(grid).toHaveAttribute('aria-rowcount', '10002');
  expect(await grid.getByRole('row').count()).toBeLessThan(100);
  await expect(grid).toBeFocused();
  await page.keyboard.press('End');
  await expect(resources.activeRow).toHaveAttribute('data-row', 'zz-last');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(resources.region.getByRole('toolbar', { name: 'Selected files' })).toContainText('2 selected');
  await page.keyboard.press('Escape');

  // Letters belong to one text only if they follow each other within a second.
  await expect(async () => {
    await page.keyboard.press('Home');
    await page.keyboard.type('n-07000');
    await expect(resources.activeRow).toHaveAttribute('data-row', 'n-07000', { timeout: 5000 });
  }).toPass();
  const top = () => grid.evaluate((element) => element.scrollTop);
  const before = await top();
  await page.keyboard.press('Enter');
  await expect(resources.region.getByText('This folder is empty')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(resources.activeRow).toHaveAttribute('data-row', 'n-07000');
  // Less than a row of difference.
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(34);
  await page.goBack();
  await expect(resources.region.getByText('This folder is empty')).toBeVisible();
  await page.goBack();
  await expect(resources.activeRow).toHaveAttribute('data-row', 'n-07000');
  await shell.open(`#/resources/volumes/${id}`);
  await test.step('a search is stopped where it is', () => stopSearch(page, resources));
});
