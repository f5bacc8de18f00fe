import { describe, expect, it } from 'vitest';
import { TransferRefused } from '../../client/files/transferRefused.ts';
import { pickedFiles, readDrop, type FolderReader } from './droppedFiles.ts';

const file = (name: string, isGone = false) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (done: (one: File) => void, failed: (error: Error) => void) =>
    isGone ? failed(new Error('gone')) : done(new File(['x'], name)),
});

/** A folder that gives its entries in batches of `batch`, as browsers do. */
const folder = (name: string, entries: readonly { name: string }[], batch = 2) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader() {
    let from = 0;
    return {
      readEntries(done: (some: readonly { name: string }[]) => void) {
        done(entries.slice(from, from + batch));
        from += batch;
      },
    };
  },
});

const dropFor = (readFolder: FolderReader | undefined, entries: readonly { name: string }[]) => {
  const items = entries.map((entry) => ({
    kind: 'file',
    webkitGetAsEntry: () => entry,
    getAsFile: () => new File([], entry.name),
  }));
  return readDrop({ items: [...items, { kind: 'string' }] } as unknown as DataTransfer, readFolder);
};
const drop = (...entries: { name: string }[]) => dropFor(undefined, entries);

describe('a drop', () => {
  it('has every file below its folders, also of folders with more entries than a browser gives at once', async () => {
    const many = ['1', '2', '3', '4', '5'].map((name) => file(name));
    const { files, unread } = await drop(file('a.txt'), folder('data', [folder('train', many), file('b.txt')]));
    expect(files.map(({ path }) => path)).toEqual([
      'a.txt',
      'data/train/1',
      'data/train/2',
      'data/train/3',
      'data/train/4',
      'data/train/5',
      'data/b.txt',
    ]);
    expect(unread).toEqual([]);
  });

  it('names folders without a file, and what cannot be read, and has the rest', async () => {
    const { files, emptyFolders, unread } = await drop(
      folder('data', [folder('empty', []), file('gone', true), file('there')]),
    );
    expect(emptyFolders).toEqual(['data/empty']);
    expect(unread).toEqual(['data/gone']);
    expect(files.map(({ path }) => path)).toEqual(['data/there']);
  });
});

it('A dropped file that is in no folder, such as a picture of another page, is uploaded by its name', async () => {
  const item = { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => new File(['x'], 'picture.png') };
  const { files } = await readDrop({ items: [item] } as unknown as DataTransfer);
  expect(files.map(({ path }) => path)).toEqual(['picture.png']);
});

describe('a drop whose folders the app reads', () => {
  const granted = { grantId: 'g', path: 'train/1', size: 1, lastModified: 0 };
  const read = { files: [{ path: 'train/1', file: granted }], emptyFolders: ['', 'empty'], unread: ['no'], leftOut: 2 };

  it('has what the app found, below the name of the folder, and its other files', async () => {
    const unwanted = folder('data', [file('read by the page')]);
    const dropped = await dropFor(async () => read, [file('a.txt'), unwanted]);
    expect(dropped.files.map(({ path }) => path)).toEqual(['a.txt', 'data/train/1']);
    expect(dropped.files[1]?.file).toBe(granted);
    expect(dropped).toMatchObject({ emptyFolders: ['data', 'data/empty'], unread: ['data/no'], leftOut: 2 });
  });

  it('is read by the page where the app does not know the folder', async () => {
    const { files } = await dropFor(async () => null, [folder('data', [file('1')])]);
    expect(files.map(({ path }) => path)).toEqual(['data/1']);
  });

  it('says why a folder is not uploaded, and has the rest', async () => {
    const refuse = () => Promise.reject(new TransferRefused('It has too many files.'));
    const { files, unread } = await dropFor(refuse, [folder('data', [file('1')]), file('a.txt')]);
    expect(unread).toEqual(['data: It has too many files.']);
    expect(files.map(({ path }) => path)).toEqual(['a.txt']);
  });
});

it('a picked folder gives its files with their path below it', () => {
  const inside = Object.assign(new File([], '1.png'), { webkitRelativePath: 'data/1.png' });
  expect(pickedFiles([inside, new File([], 'a')]).files.map(({ path }) => path)).toEqual(['data/1.png', 'a']);
});
