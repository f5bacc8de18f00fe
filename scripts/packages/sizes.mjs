/** What each package may weigh, in bytes. Each is a third above what it weighs, so that a package that grows unnoticed fails. */

const MB = 1_000_000;

export const SIZE_CAPS = {
  /** The npm package as it is downloaded, and as it lies on the disk. */
  npmPacked: 4 * MB,
  npmUnpacked: 14 * MB,
  /** The Debian package, with its own Node. */
  debPacked: 45 * MB,
  debUnpacked: 180 * MB,
  /** `app.asar` of the desktop packages: all but Electron and keytar. */
  asar: 14 * MB,
};
