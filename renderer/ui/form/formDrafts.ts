/** Changes that were typed and not saved: they stay while their form is away, until the window closes. */
import { useEffect, useState, useSyncExternalStore } from 'react';

export interface FormDraft<Values> {
  /** What the changes were made to. */
  saved: Values;
  values: Values;
}

export interface FormDrafts<Values> {
  get: (key: string) => FormDraft<Values> | undefined;
  /** Null forgets them. */
  set: (key: string, draft: FormDraft<Values> | null) => void;
  /** Whether there is one now, for a component. */
  useHas: (key: string) => boolean;
  /** Whether there is no draft at all. */
  isEmpty: () => boolean;
}

const clearers = new Set<() => void>();

/** Forgets the drafts of all forms, as a reload of the page does. */
export function forgetDrafts(): void {
  for (const clear of clearers) clear();
}

export function createFormDrafts<Values>(): FormDrafts<Values> {
  const drafts = new Map<string, FormDraft<Values>>();
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  const watch = (watcher: () => void) => {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  };
  clearers.add(() => {
    drafts.clear();
    changed();
  });
  return {
    get: (key) => drafts.get(key),
    set(key, draft) {
      if (draft === null) drafts.delete(key);
      else drafts.set(key, draft);
      changed();
    },
    useHas: (key) => useSyncExternalStore(watch, () => drafts.has(key)),
    isEmpty: () => drafts.size === 0,
  };
}

/** The state of a small form, which begins with what is saved, or with the draft of `key`. */
export function useDraft<Values>(drafts: FormDrafts<Values>, key: string, saved: Values) {
  const [values, setValues] = useState(() => drafts.get(key)?.values ?? saved);
  const isSame = JSON.stringify(values) === JSON.stringify(saved);
  useEffect(() => drafts.set(key, isSame ? null : { saved, values }));
  return [values, setValues] as const;
}
