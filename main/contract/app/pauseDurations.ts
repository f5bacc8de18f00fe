/** The times to pause this computer for. The menu of the page, the palette and the tray offer the same ones. */

const MINUTE_MS = 60_000;

interface PauseDuration {
  /** Its item in a menu that is about the pause. */
  readonly item: { readonly title: string };
  /** The same as a command of its own. */
  readonly command: { readonly title: string };
  readonly forMs: number;
}

export const pauseDurations: readonly PauseDuration[] = [
  {
    item: { title: 'For 30 minutes' },
    command: { title: 'Pause this computer for 30 minutes' },
    forMs: 30 * MINUTE_MS,
  },
  {
    item: { title: 'For 1 hour' },
    command: { title: 'Pause this computer for 1 hour' },
    forMs: 60 * MINUTE_MS,
  },
];
