/** Keeps what a person types between the key that opens the palette and the moment at which its field has the focus. */
import { useEffect } from 'react';
import { palette, paletteStore } from '../../../state/overlays.ts';

const setQuery = (query: string): void => paletteStore.setState((state) => ({ ...state, query }));

const isInDialog = (element: Element | null): boolean => (element?.closest('[role=dialog]') ?? null) !== null;

/**
 * The first opening loads the palette. Until then, letters would do what they do on the page, such as "n", or be lost.
 */
function takeKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (isInDialog(document.activeElement) || ctrlKey || metaKey || altKey) return;
  const { query } = paletteStore.getState();
  if (key === 'Escape') palette.close();
  else if (key === 'Backspace') setQuery(query.slice(0, -1));
  else if (key.length === 1) setQuery(query + key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** `isOpen`: whether the palette is open, also while it is still loaded. */
export function useTypedAhead(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    window.addEventListener('keydown', takeKey, { capture: true });
    return () => window.removeEventListener('keydown', takeKey, { capture: true });
  }, [isOpen]);
}
