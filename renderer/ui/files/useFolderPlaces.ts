/** Where a person was in each folder on the way to the open one, so that going back finds the list as it was left. */
import { useState } from 'react';
import type { GridPlace } from '../primitives/DataGrid.tsx';

interface FolderPlaces {
  /** The path of the entry that the keyboard begins at: the folder that was left. Null at first. */
  start: string | null;
  /** Marks another entry of the folder that is opened next; null: the folder that is left. */
  setMarked: (path: string | null) => void;
  gridPlace: GridPlace;
}

const isAbove = (folder: string, path: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The entry of `folder` that leads to `path`, which is below it; a path elsewhere as it is. */
function entryTo(folder: string, path: string): string {
  const begin = folder === '' ? '' : `${folder}/`;
  if (!path.startsWith(begin)) return path;
  return begin + (path.slice(begin.length).split('/')[0] ?? '');
}

/** `path`: the open folder. It changes also by the browser's own buttons. */
export function useFolderPlaces(path: string): FolderPlaces {
  const [scrolls] = useState(() => new Map<string, number>());
  const [marked, setMarked] = useState<string | null>(null);
  const [shown, setShown] = useState<{ path: string; start: string | null }>({ path, start: null });
  if (shown.path !== path) {
    setShown({ path, start: marked ?? entryTo(path, shown.path) });
    setMarked(null);
    // Who enters a folder again begins at its top.
    for (const folder of scrolls.keys()) if (!isAbove(folder, path)) scrolls.delete(folder);
  }
  return {
    start: shown.start,
    setMarked,
    gridPlace: { startPx: scrolls.get(path) ?? 0, onScroll: (px) => void scrolls.set(path, px) },
  };
}
