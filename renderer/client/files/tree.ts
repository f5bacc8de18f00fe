/** What is below a folder of a volume or a Pod. */
import type { VolumeFile } from '#contract/local/files.ts';
import { api } from '../transport/orpc.ts';
import { TransferRefused } from './transferRefused.ts';
import type { Place } from './transfers.ts';
import { t } from '../../language/text.ts';

export const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

/** A file or an empty folder below others. `path`: from the folder on in which the search began. */
export interface BelowEntry {
  readonly path: string;
  readonly entry: VolumeFile;
}

/** A link to a folder may lead back up, or to a folder that belongs to others. */
const isFollowed = ({ kind, isLink }: VolumeFile): boolean => kind !== 'folder' || isLink !== true;

/**
 * All files below an entry of `folder`, and the folders without one; the entry itself if it is a file. Links to folders
 * below it, links out of the volume and what is no file are left out. Rejects if a folder has more entries than a list.
 * `path`: of the entry, from `folder` on.
 */
export async function filesBelow(
  folder: Place,
  path: string,
  entry: VolumeFile,
  signal?: AbortSignal,
): Promise<BelowEntry[]> {
  if (entry.kind !== 'folder') return entry.kind === 'file' ? [{ path, entry }] : [];
  signal?.throwIfAborted();
  const listing = await api.files.list({ ...folder, path: below(folder.path, path) }, signal && { signal });
  if (listing.truncated) {
    throw new TransferRefused(
      t`The folder ${path} has more than ${listing.entries.length} entries. Use a terminal for it.`,
    );
  }
  const entries = listing.entries.filter(isFollowed);
  if (entries.length === 0) return [{ path, entry }];
  const all: BelowEntry[] = [];
  for (const inside of entries) {
    all.push(...(await filesBelow(folder, `${path}/${inside.name}`, inside, signal)));
  }
  return all;
}
