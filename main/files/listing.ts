/** Lists the entries of a folder: folders first, then files, each sorted by name. */
import type { Stats } from 'node:fs';
import { lstat, opendir, unlink } from 'node:fs/promises';
import type { VolumeFile, VolumeListing } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { beneath, isMissing } from './resolveWithin.ts';
import { isPart, namesOf } from './pathRules.ts';

/** The number of entries that are read concurrently. */
const AT_ONCE = 64;

const kindOf = (facts: Stats): VolumeFile['kind'] =>
  facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';

/** `facts`: the facts of the entry. */
export const toFile = (name: string, facts: Stats): VolumeFile => ({
  name,
  kind: kindOf(facts),
  sizeBytes: facts.isFile() ? facts.size : 0,
  modifiedAt: facts.mtime.toISOString(),
});

/** Collects names of one kind, up to `limits.volumeFiles.entries`. */
function createNames(): { add(name: string): void; names: string[]; isCut(): boolean } {
  const names: string[] = [];
  let count = 0;
  return {
    names,
    add(name) {
      if (++count <= limits.volumeFiles.entries) names.push(name);
    },
    isCut: () => count > names.length,
  };
}

/** An open folder for a listing. */
export interface ListedFolder {
  /** The folder that paths begin in. */
  readonly root: string;
  /** The path below it, as in the request. */
  readonly path: string;
  /** The path of the open folder; it stays valid when the folder is moved. */
  readonly openPath: string;
  readonly facts: Stats;
}

/** The entry with this name; null where it no longer exists. */
async function inspect(
  { root, path, openPath, facts: folderFacts }: ListedFolder,
  name: string,
): Promise<VolumeFile | null> {
  const facts = await lstat(`${openPath}/${name}`).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  // A name that is not valid text is listed, but no request can use it.
  if (facts === null) {
    return name.includes('\uFFFD') ? { ...toFile(name, folderFacts), kind: 'other', sizeBytes: 0 } : null;
  }
  if (!facts.isSymbolicLink()) return toFile(name, facts);
  // A link with an invalid target is neither a file nor a folder.
  const other = { ...toFile(name, facts), isLink: true };
  return beneath(root, [...namesOf(path), name], true, async ({ facts: led }) =>
    led ? { ...toFile(name, led), isLink: true } : other,
  ).catch(() => other);
}

async function removeLeftPart(path: string, isWritten: (path: string) => Promise<boolean>): Promise<void> {
  try {
    if (!(await isWritten(path))) await unlink(path);
  } catch {
    // It is gone, or it stays hidden: a list leaves it out in any case.
  }
}

/** `isWritten`: whether a part may be written now. Removes the other parts, which a killed program left. */
export async function listFolder(
  folder: ListedFolder,
  isWritten: (part: string, partPath: string) => Promise<boolean>,
): Promise<VolumeListing> {
  const folders = createNames();
  const files = createNames();
  for await (const entry of await opendir(folder.openPath, { bufferSize: 1024 })) {
    if (!isPart(entry.name)) (entry.isDirectory() ? folders : files).add(entry.name);
    else await removeLeftPart(`${folder.openPath}/${entry.name}`, (path) => isWritten(entry.name, path));
  }
  const { entries: most } = limits.volumeFiles;
  const sorted = (names: string[]): string[] => names.sort((one, other) => (one < other ? -1 : 1));
  const names = [...sorted(folders.names), ...sorted(files.names)];
  const truncated = folders.isCut() || files.isCut() || names.length > most;
  const entries: VolumeFile[] = [];
  for (let from = 0; from < Math.min(names.length, most); from += AT_ONCE) {
    const some = names.slice(from, Math.min(from + AT_ONCE, most));
    const inspected = await Promise.all(some.map((name) => inspect(folder, name)));
    entries.push(...inspected.filter((entry) => entry !== null));
  }
  // A link to a folder counts as a folder.
  const isFolder = ({ kind }: VolumeFile): boolean => kind === 'folder';
  const first = entries.filter(isFolder).sort((one, other) => (one.name < other.name ? -1 : 1));
  return { path: folder.path, entries: [...first, ...entries.filter((entry) => !isFolder(entry))], truncated };
}
