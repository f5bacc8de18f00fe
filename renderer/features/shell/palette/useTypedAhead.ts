/** Keeps what a person types between the key that opens the palette and the moment at which its field has the focus. */
import { useEffect } from 'react';
import { palette, paletteStore } from '../../../state/overlays.ts';

/** Puts this text into the field of the palette. */
export const setPaletteQuery = (query: string): void => paletteStore.setState((state) => ({ ...state, query }));

const isInDialog = (element: Element | null): boolean => (element?.closest('[role=dialog]') ?? null) !== null;

/**
 * The first opening loads the palette. Until then, letters would do what they do on the page, such as "n", or be lost.
 */
function takeKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  const { opened, query } = paletteStore.getState();
  if (!opened || isInDialog(document.activeElement) || ctrlKey || metaKey || altKey) return;
  if (key === 'Escape') palette.close();
  else if (key === 'Backspace') setPaletteQuery(query.slice(0, -1));
  else if (key.length === 1) setPaletteQuery(query + key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** It listens all the time: the next letter may come before React has drawn that the palette is open. */
export function useTypedAhead(): void {
  useEffect(() => {
    window.addEventListener('keydown', takeKey, { capture: true });
    return () => window.removeEventListener('keydown', takeKey, { capture: true });
  }, []);
}
