/** The object that the desktop host adds to the page's window. It does not exist in a browser. */
interface HangarHost {
  readonly kind: 'electron';
}

interface Window {
  readonly hangarHost?: HangarHost;
}
