/** The search for files by name below a folder of a volume or a Pod, by the lists of its folders. */
import type { FileSearch, VolumeListing } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';

/** So many folders are listed at once: each list is one request. */
const AT_ONCE = 4;

export interface SearchOptions {
  /** The folder in which the search begins. */
  path: string;
  /** Part of the name, in any case. */
  text: string;
  /** Ends the search; null if nothing can. */
  signal: AbortSignal | null;
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

/**
 * Yields what was found in a few folders at a time, the nearest folders first, and at last why the search ended.
 * Rejects if the folder `path` cannot be read; other such folders are counted.
 */
export async function* searchFiles(
  list: (path: string) => Promise<VolumeListing>,
  { path: root, text, signal }: SearchOptions,
): AsyncGenerator<FileSearch, void, void> {
  const { matches: mostMatches, visited: mostFolders } = limits.volumeFiles;
  const wanted = text.toLowerCase();
  let waiting = [root];
  let folders = 0;
  let incomplete = 0;
  let matchCount = 0;
  const read = async (path: string): Promise<VolumeListing | null> => {
    try {
      return await list(path);
    } catch (error) {
      if (path === root) throw error;
      return null;
    }
  };
  while (waiting.length > 0) {
    if (signal?.aborted === true) return;
    if (folders >= mostFolders) return yield { matches: [], folders, incomplete, end: 'folders' };
    const now = waiting.slice(0, Math.min(AT_ONCE, mostFolders - folders));
    waiting = waiting.slice(now.length);
    const matches: FileSearch['matches'] = [];
    const listings = await Promise.all(now.map(read));
    for (const [at, path] of now.entries()) {
      const listing = listings[at] ?? null;
      folders += 1;
      if (listing === null || listing.truncated) incomplete += 1;
      for (const entry of listing?.entries ?? []) {
        const here = below(path, entry.name);
        // A link may lead back up.
        if (entry.kind === 'folder' && entry.isLink !== true) waiting.push(here);
        if (entry.name.toLowerCase().includes(wanted)) matches.push({ path: here, entry });
      }
    }
    const fitting = matches.slice(0, mostMatches - matchCount);
    matchCount += fitting.length;
    const isFull = fitting.length < matches.length;
    yield { matches: fitting, folders, incomplete, end: isFull ? 'matches' : null };
    if (isFull) return;
  }
  yield { matches: [], folders, incomplete, end: 'all' };
}
