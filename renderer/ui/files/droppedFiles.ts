/** The files of a drop or of a chosen folder, with their paths below the place they go to. */
import type { GrantedFile } from '../../client/files/sending.ts';
import { TransferRefused } from '../../client/files/transferRefused.ts';

/** `path`: with `/` between names, such as "data/train/1.png"; of a single file its name. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File | GrantedFile;
}

export interface Dropped {
  readonly files: readonly PlacedFile[];
  /** The paths of folders without a file, which no file makes. */
  readonly emptyFolders: readonly string[];
  /** The paths of what could not be read. */
  readonly unread: readonly string[];
  /** How many links and other entries that are not files were left out; a browser does not tell. */
  readonly leftOut: number;
}

/**
 * What is below a dropped folder, read by the app. Null where the app does not read it: then the browser does. Rejects
 * with TransferRefused for a folder that is not uploaded.
 */
export type FolderReader = (folder: File) => Promise<Dropped | null>;

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder: a browser gives at most 100 at once. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/**
 * Reads a drop with all its folders. The items of a drop are readable only until its event is over: call it there, and
 * wait for the result afterwards.
 */
export async function readDrop(
  { items }: Pick<DataTransfer, 'items'>,
  readFolder: FolderReader = async () => null,
): Promise<Dropped> {
  const files: PlacedFile[] = [];
  const dropped = [...items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    // A folder is a File, too, which has a path but no content.
    if (entry !== null) return { entry, folder: isFolder(entry) ? file : null };
    // A file that is in no folder, such as a picture of another page.
    if (file !== null) files.push({ path: file.name, file });
    return [];
  });
  const emptyFolders: string[] = [];
  const unread: string[] = [];
  let leftOut = 0;
  const walk = async (entry: FileSystemEntry, path: string): Promise<void> => {
    try {
      if (isFile(entry)) files.push({ path, file: await fileOf(entry) });
      if (!isFolder(entry)) return;
      const inside = await entriesOf(entry);
      if (inside.length === 0) emptyFolders.push(path);
      for (const one of inside) await walk(one, `${path}/${one.name}`);
    } catch {
      // The only rejections are a file or a folder that is gone, or that the person may not read.
      unread.push(path);
    }
  };
  /** Returns whether the app has read the folder. */
  const readByApp = async (folder: File, name: string): Promise<boolean> => {
    let read: Dropped | null;
    try {
      read = await readFolder(folder);
    } catch (error) {
      unread.push(error instanceof TransferRefused ? `${name}: ${error.message}` : name);
      return true;
    }
    if (read === null) return false;
    const below = (path: string): string => (path === '' ? name : `${name}/${path}`);
    files.push(...read.files.map(({ path, file }) => ({ path: below(path), file })));
    emptyFolders.push(...read.emptyFolders.map(below));
    unread.push(...read.unread.map(below));
    leftOut += read.leftOut;
    return true;
  };
  for (const { entry, folder } of dropped) {
    if (folder === null || !(await readByApp(folder, entry.name))) await walk(entry, entry.name);
  }
  return { files, emptyFolders, unread, leftOut };
}

/** The files that a person picked; those of a picked folder have the path below it. */
export const pickedFiles = (files: Iterable<File>): Dropped => ({
  files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })),
  emptyFolders: [],
  unread: [],
  leftOut: 0,
});
