/** The object that the desktop host adds to the page's window. It does not exist in a browser. */
interface HangarHost {
  readonly kind: 'electron';
  /**
   * Lets the page upload a file or a folder that a person dropped or picked. Resolves with the id of the grant, which
   * the app has for `fillFromGrant` and `grantedFolder`; null for a file that has no path on this computer. Rejects
   * for anything but a `File`.
   */
  readonly grantFile: (file: File) => Promise<string | null>;
}

interface Window {
  readonly hangarHost?: HangarHost;
}
