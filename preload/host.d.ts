/** What the desktop host puts into the page's window. In a browser there is none. */
interface HangarHost {
  readonly kind: 'electron';
}

interface Window {
  readonly hangarHost?: HangarHost;
}
