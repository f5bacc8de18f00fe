/** The files of a drop or of a chosen folder, with their paths below the place they go to. */

/** `path`: with `/` between names, such as "data/train/1.png"; of a single file its name. */
export interface PlacedFile {
  readonly path: string;
  readonly file: File;
}

export interface Dropped {
  readonly files: readonly PlacedFile[];
  /** The paths of folders without a file, which no file makes. */
  readonly emptyFolders: readonly string[];
  /** The paths of what the browser could not read. */
  readonly unread: readonly string[];
}

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
export async function readDrop({ items }: Pick<DataTransfer, 'items'>): Promise<Dropped> {
  const entries = [...items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []));
  const files: PlacedFile[] = [];
  const emptyFolders: string[] = [];
  const unread: string[] = [];
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
  for (const entry of entries) await walk(entry, entry.name);
  return { files, emptyFolders, unread };
}

/** The files that a person picked; those of a picked folder have the path below it. */
export const pickedFiles = (files: Iterable<File>): Dropped => ({
  files: [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })),
  emptyFolders: [],
  unread: [],
});
