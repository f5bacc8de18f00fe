/** Completes a path that a person types, from the list of its folder. Paths are those of the host's system. */
import type { FolderListing } from '#contract/bridge/host.ts';

type Listed = Pick<FolderListing, 'path' | 'rest' | 'entries'>;
type Entry = FolderListing['entries'][number];

const separatorOf = (path: string): '\\' | '/' => (/^[A-Za-z]:|^\\\\/.test(path) ? '\\' : '/');

/** The path of an entry. A folder ends with a separator, so that what is typed next is in it. */
export function entryPath(folder: string, { name, isFolder }: Entry): string {
  const separator = separatorOf(folder);
  return `${folder}${folder.endsWith(separator) ? '' : separator}${name}${isFolder ? separator : ''}`;
}

/** A path without the separator at its end, except for the root of a disk. */
export function withoutEnd(path: string): string {
  const cut = path.replace(/[/\\]+$/, '');
  return cut === '' || /^[A-Za-z]:$/.test(cut) ? path : cut;
}

/**
 * The entries that what is typed may become: all of the folder, or those that begin with the rest of the path. Names
 * that begin with a dot are left out until the dot is typed. `filesToo`: whether files count.
 */
export function matches({ rest, entries }: Listed, filesToo: boolean): readonly Entry[] {
  const start = rest.toLowerCase();
  return entries.filter(
    ({ name, isFolder }) =>
      (isFolder || filesToo) && name.toLowerCase().startsWith(start) && (rest !== '' || !name.startsWith('.')),
  );
}

/** What the Tab key makes of a typed path: as much as all matches have in common. Null if there is none. */
export function completed(listing: Listed, filesToo: boolean): string | null {
  const matching = matches(listing, filesToo);
  const [first] = matching;
  if (first === undefined) return null;
  if (matching.length === 1) return entryPath(listing.path, first);
  let length = first.name.length;
  for (const { name } of matching) {
    while (!name.toLowerCase().startsWith(first.name.slice(0, length).toLowerCase())) length -= 1;
  }
  return length === 0 ? null : entryPath(listing.path, { name: first.name.slice(0, length), isFolder: false });
}
