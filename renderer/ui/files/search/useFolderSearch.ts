/** The text that a person looks for in the open folder, and whether the folders below are searched, too. */
import { useState } from 'react';

interface FolderSearch {
  text: string;
  isDeep: boolean;
}

const none: FolderSearch = { text: '', isDeep: false };

/** Each folder begins without a search. `path`: the open folder. It changes also by the browser's own buttons. */
export function useFolderSearch(path: string) {
  const [shown, setShown] = useState({ path, search: none });
  if (shown.path !== path) setShown({ path, search: none });
  const set = (search: FolderSearch) => setShown({ path, search });
  const { text, isDeep } = shown.path === path ? shown.search : none;
  return {
    text,
    /** A deep search without a text is none. */
    isDeep: isDeep && text !== '',
    setText: (next: string) => set({ text: next, isDeep: false }),
    goDeep: () => set({ text, isDeep: true }),
    end: () => set(none),
  };
}
