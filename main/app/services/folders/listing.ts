/** Lists a folder of this computer for the dialog in which a person chooses a folder or a file. */
import { opendir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { FolderListing } from '#contract/bridge/host.ts';
import { errorCode } from '../../platform/systemError.ts';
import { folderError, wholePath } from './wholePath.ts';

/** More entries than a person looks through; those beyond are found by typing. */
const MOST_ENTRIES = 2000;

type Entry = FolderListing['entries'][number];

const byName = (a: Entry, b: Entry): number =>
  Number(b.isFolder) - Number(a.isFolder) || a.name.localeCompare(b.name, undefined, { numeric: true });

/** A link counts as what it leads to. Null: it leads nowhere, or it is neither a folder nor a file. */
async function kindOf(path: string): Promise<'folder' | 'file' | null> {
  try {
    const facts = await stat(path);
    return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : null;
  } catch {
    // A dead link, or one that this user may not follow: it cannot be chosen.
    return null;
  }
}

/**
 * The folders and files in `text`, folders first; `~` is the home folder. Of a path that is not there, and of a file,
 * it lists the closest folder above, whose names complete what is typed. Rejects with a sentence if that cannot be
 * read.
 */
export async function listFolder(text: string): Promise<FolderListing> {
  let path = wholePath(text === '' ? '~' : text);
  let rest = '';
  for (;;) {
    try {
      return {
        ...(await read(path)),
        path,
        rest,
        parent: dirname(path) === path ? null : dirname(path),
        home: homedir(),
      };
    } catch (thrown) {
      const code = errorCode(thrown);
      const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
      if (!isMissing || dirname(path) === path) throw folderError(path, thrown);
      rest = rest === '' ? basename(path) : join(basename(path), rest);
      path = dirname(path);
    }
  }
}

async function read(path: string): Promise<Pick<FolderListing, 'entries' | 'isCut'>> {
  const entries: Entry[] = [];
  let isCut = false;
  for await (const entry of await opendir(path)) {
    if (entries.length === MOST_ENTRIES) {
      isCut = true;
      break;
    }
    const isPlain = entry.isDirectory() || entry.isFile();
    const kind = isPlain ? (entry.isDirectory() ? 'folder' : 'file') : await kindOf(join(path, entry.name));
    if (kind !== null) entries.push({ name: entry.name, isFolder: kind === 'folder' });
  }
  return { entries: entries.toSorted(byName), isCut };
}
