/** The times to pause this computer for. The menu of the page, the palette and the tray offer the same ones. */

const MINUTE_MS = 60_000;

export const pauseDurations: readonly { readonly words: string; readonly forMs: number }[] = [
  { words: '30 minutes', forMs: 30 * MINUTE_MS },
  { words: '1 hour', forMs: 60 * MINUTE_MS },
];
