// Uploads of files that have a path: the app reads them, by a grant of the preload. The stand-in gets the path of a File
// from Chromium, as Electron does; that a system's file manager drops such a File only a person can show. Then a text that
// was typed and is not saved: that a reload asks, too, only real Electron shows, and a shutdown of the system does not ask
// (power.spec.ts).
import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { ResourcesPage } from '../e2e/pages/resourcesPage.ts';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, test as base, type Desktop } from './support/desktop.ts';
import { engineStarts, logged } from './support/traces.ts';
import { answerQuestions, questions, typeIntoFile } from './support/unsavedText.ts';

const MB = 1024 * 1024;

interface Volume {
  readonly page: Page;
  readonly resources: ResourcesPage;
  readonly chosen: Locator;
  /** The uploads that are done. */
  readonly done: Locator;
  /** Names in the volume's folder on disk. */
  names(): string[];
  read(name: string): Buffer;
  /** Holds the engine still while `act` runs, so that an upload stays where it is. */
  whileStopped(act: () => Promise<void>): Promise<void>;
}

const test = base.extend<{ volume: Volume }>({
  volume: async ({ desktop, home }, use) => {
    const { page } = desktop;
    const [engine] = await engineStarts(home);
    await logged(home, 'started');
    await new Shell(page).ready();
    await page.evaluate(() => (location.hash = '#/resources/volumes'));
    const resources = new ResourcesPage(page);
    await resources.button('New volume').click();
    await resources.answer('New volume on this computer', 'Create the volume', { Name: 'models', 'Size, GB': '10' });
    await resources.button('models').click();
    const chosen = resources.region.getByLabel('Files to upload');
    await expect(chosen).toBeAttached();
    const volumes = join(home, 'hangar/volumes');
    const folder = join(volumes, readdirSync(volumes)[0] ?? '');
    await use({
      page,
      resources,
      chosen,
      done: resources.transfers.filter({ hasText: 'Done' }),
      names: () => readdirSync(folder).toSorted(),
      read: (name) => readFileSync(join(folder, name)),
      async whileStopped(act) {
        process.kill(engine?.pid ?? 0, 'SIGSTOP');
        try {
          await act();
        } finally {
          process.kill(engine?.pid ?? 0, 'SIGCONT');
        }
      },
    });
  },
});

/** How many parts of files the page has read itself. */
const countPageReads = (page: Page) =>
  page.evaluate(() => {
    const { slice } = Blob.prototype;
    Object.assign(window, { pageReads: 0 });
    Blob.prototype.slice = function (...args) {
      (window as unknown as { pageReads: number }).pageReads += 1;
      return slice.apply(this, args);
    };
  });
const pageReads = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { pageReads: number }).pageReads);

/** Drops files and folders of this computer on the list, as a file manager does. */
async function drop(page: Page, on: Locator, files: readonly string[]): Promise<void> {
  const box = await on.boundingBox();
  if (box === null) throw new Error('There is nothing to drop on.');
  const session = await page.context().newCDPSession(page);
  const event = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, ...event, data });
  }
  await session.detach();
}

const CHANGED = 'The file was changed or removed after it was chosen. Choose it again.';

async function uploadChosen(volume: Volume, home: string): Promise<void> {
  const { page, resources, chosen } = volume;
  const before = await volume.done.count();
  const bytes = randomFillSync(Buffer.alloc(5 * MB + 7));
  writeFileSync(join(home, 'weights ü.bin'), bytes);
  writeFileSync(join(home, 'empty.txt'), '');
  await chosen.setInputFiles([join(home, 'weights ü.bin'), join(home, 'empty.txt')]);
  await expect(volume.done).toHaveCount(before + 2);
  expect(volume.read('weights ü.bin').equals(bytes)).toBe(true);
  expect(volume.read('empty.txt')).toHaveLength(0);
  expect(await pageReads(page)).toBe(0);

  await chosen.evaluate((input: HTMLInputElement) => {
    const made = new DataTransfer();
    made.items.add(new File(['a pasted picture'], 'pasted.png'));
    input.files = made.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await expect(volume.done).toHaveCount(before + 3);
  expect(String(volume.read('pasted.png'))).toBe('a pasted picture');
  expect(await pageReads(page)).toBeGreaterThan(0);

  writeFileSync(join(home, 'empty.txt'), 'another');
  await chosen.setInputFiles(join(home, 'empty.txt'));
  await resources.button('Replace it: empty.txt').click();
  await expect.poll(() => String(volume.read('empty.txt'))).toBe('another');

  const refusals = await page.evaluate(async () => {
    const { grantFile } = Reflect.get(window, 'hangarHost') as { grantFile: (file: unknown) => Promise<unknown> };
    const path = '/etc/passwd';
    const attempts: readonly unknown[] = [
      path,
      { name: 'passwd', size: 1, type: '', lastModified: 0, path, webkitRelativePath: path },
      Object.assign(Object.create(File.prototype) as object, { path }),
      Object.assign(new Blob(['x']), { name: 'passwd', path }),
    ];
    const answers: string[] = [];
    for (const attempt of attempts) {
      try {
        answers.push(`granted: ${String(await grantFile(attempt))}`);
      } catch (error) {
        answers.push(error instanceof Error ? error.message : 'something else');
      }
    }
    // A File with a path of its own among its properties, or as its name, is a File of a script.
    const made = Object.assign(new File(['x'], path), { path });
    return [...answers, await grantFile(made)];
  });
  const refused = 'getPathForFile expected to receive a File object but one was not provided';
  expect(refusals).toEqual([refused, refused, refused, refused, null]);

  const own = join(home, 'hangar/desktop.txt');
  writeFileSync(own, 'secret');
  await chosen.setInputFiles(own);
  await expect(
    resources.transfers.filter({ hasText: "in the folder of Hangar's own data and is not uploaded" }),
  ).toHaveCount(1);
  expect(volume.names()).not.toContain('desktop.txt');
}

/** In a volume without files. */
async function uploadFolders(volume: Volume, home: string): Promise<void> {
  const { page, resources } = volume;
  const folder = join(home, 'photos');
  mkdirSync(join(folder, 'of 2025', 'none'), { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'first');
  writeFileSync(join(folder, 'of 2025', 'b.txt'), 'second');
  symlinkSync(home, join(folder, 'round'));
  symlinkSync('/etc/hostname', join(folder, 'link'));
  writeFileSync(join(home, 'beside.txt'), 'third');
  const notices = await new Shell(page).watchNotices();
  await drop(page, resources.region.getByText('This folder is empty'), [folder, join(home, 'beside.txt')]);
  const leftOut = '2 entries are left out: links, which are not followed';
  await expect.poll(notices).toContainEqual(expect.stringContaining(leftOut));
  await expect(volume.done).toHaveCount(3);
  expect(String(volume.read('photos/a.txt'))).toBe('first');
  expect(String(volume.read('photos/of 2025/b.txt'))).toBe('second');
  expect(String(volume.read('beside.txt'))).toBe('third');
  await expect.poll(() => volume.names()).toEqual(['beside.txt', 'photos']);

  const picked = join(home, 'picked');
  mkdirSync(join(picked, 'inner'), { recursive: true });
  writeFileSync(join(picked, 'inner', 'b.txt'), 'fourth');
  await resources.region.getByLabel('Folder to upload').setInputFiles(picked);
  await expect(volume.done).toHaveCount(4);
  expect(String(volume.read('picked/inner/b.txt'))).toBe('fourth');
  expect(await pageReads(page)).toBe(0);
}

async function changeWhileUploaded(volume: Volume, home: string): Promise<void> {
  const { resources, chosen } = volume;
  const before = volume.names();
  const [grows, vanishes, cancelled] = ['grows.bin', 'vanishes.bin', 'cancelled.bin'].map((name) => join(home, name));
  for (const path of [grows, vanishes, cancelled]) writeFileSync(path!, Buffer.alloc(48 * MB));
  const row = (name: string): Locator => resources.transfers.filter({ hasText: name });
  await volume.whileStopped(async () => {
    await chosen.setInputFiles([grows!, vanishes!]);
    await expect(row('grows.bin')).toContainText(/[1-9][\d.]* MB of 48 MB/);
    appendFileSync(grows!, 'x');
    rmSync(vanishes!);
  });
  await expect(row('grows.bin')).toContainText(`Failed: ${CHANGED}`);
  await expect(row('vanishes.bin')).toContainText(`Failed: ${CHANGED}`);
  // The engine removes what came of them once it hears that the rest does not come.
  await expect.poll(() => volume.names()).toEqual(before);

  await volume.whileStopped(async () => {
    await chosen.setInputFiles(cancelled!);
    await expect(row('cancelled.bin')).toContainText(/[1-9][\d.]* MB of 48 MB/);
    await resources.button('Cancel cancelled.bin').click();
    await expect(row('cancelled.bin')).toContainText('Cancelled');
  });
  await resources.button('Try again: cancelled.bin').click();
  await expect(row('cancelled.bin')).toContainText('Done');
  await expect.poll(() => volume.names()).toEqual([...before, 'cancelled.bin'].toSorted());
}

/** Ends the app. */
async function keepUnsaved({ app, page }: Desktop, name: string): Promise<void> {
  const text = await typeIntoFile(page, name);
  await answerQuestions(app, 1);
  try {
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await expect.poll(() => questions(app)).toEqual(['A text in this window is not saved.']);
    await app.evaluate((electron) => electron.app.quit());
    await expect.poll(() => questions(app)).toHaveLength(2);
    await expect(text).toContainText('typed ');
  } finally {
    // A test that fails must end its app, too.
    await answerQuestions(app, 0);
  }
  const exited = once(app.process(), 'exit');
  await app.evaluate((electron) => electron.app.quit());
  expect(await exited).toEqual([0, null]);
}

test('files of this computer come into a volume by the app, and a file of it that is changed and not saved holds up the end', async ({
  desktop,
  volume,
  home,
}) => {
  await countPageReads(volume.page);
  await test.step('a dropped folder comes with all that is below it, but links, whose number is said, and so does a picked one', () =>
    uploadFolders(volume, home));
  await test.step('a file that grows or vanishes before it is there says so, and a cancelled one leaves nothing', () =>
    changeWhileUploaded(volume, home));
  await test.step('the app reads a chosen file itself; one that a script made comes from the page, and Hangar’s own data stays', () =>
    uploadChosen(volume, home));
  await test.step('a window with a text that is not saved asks before it closes or quits, and stays with it unless it is discarded', () =>
    keepUnsaved(desktop, 'empty.txt'));
});
