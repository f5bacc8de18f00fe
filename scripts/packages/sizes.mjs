/** What each package may weigh, in bytes, and what the packages that were made weigh. */

import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const MB = 1_000_000;

/**
 * A package that grows past its cap fails. Raise a cap only for a growth that is wanted, to a third above the new size.
 */
export const SIZE_CAPS = {
  /** The npm package as it is downloaded, and as it lies on the disk. */
  npmPacked: 7.4 * MB,
  npmUnpacked: 20 * MB,
  /** The Debian package, with its own Node. */
  debPacked: 45 * MB,
  debUnpacked: 180 * MB,
  /** `app.asar` of the desktop packages: all but Electron, keytar and node-pty. */
  asar: 14 * MB,
  /** A desktop package as it is downloaded, and the program as it lies on the disk: most of both is Electron. */
  desktopPacked: 200 * MB,
  desktopUnpacked: 450 * MB,
};

/** @typedef {{ path: string, bytes: number, cap: number }} Size */

/** The bytes of a file, or of all files in a folder; links are not followed. */
function bytesAt(/** @type {string} */ path) {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** @returns {Size} */
export const sizeOf = (/** @type {string} */ path, /** @type {number} */ cap) => ({ path, bytes: bytesAt(path), cap });

const DESKTOP_PACKAGE = /\.(?:dmg|zip|exe|AppImage|deb|rpm)$/;

/**
 * The desktop packages in `target`, the unpacked programs, and their archives.
 * @param {string} target The folder that electron-builder left them in.
 */
export function desktopSizes(target) {
  const entries = readdirSync(target, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(target, entry.name);
    if (entry.isFile()) return DESKTOP_PACKAGE.test(entry.name) ? [sizeOf(path, SIZE_CAPS.desktopPacked)] : [];
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const archives = files.filter((file) => /(?:^|[\\/])app\.asar$/.test(file));
    return archives.length === 0
      ? []
      : [sizeOf(path, SIZE_CAPS.desktopUnpacked), ...archives.map((file) => sizeOf(join(path, file), SIZE_CAPS.asar))];
  });
}

const megabytes = (/** @type {number} */ bytes) => `${(bytes / MB).toFixed(1)} MB`;

/**
 * A line for each size, and one for each that is above its cap. Paths are relative to `root`.
 * @param {readonly Size[]} sizes
 * @param {string} root
 */
export const sizeReport = (sizes, root) => ({
  lines: sizes.map(({ path, bytes }) => `${relative(root, path)}  ${megabytes(bytes)}`),
  problems: sizes
    .filter(({ bytes, cap }) => bytes > cap)
    .map(
      ({ path, bytes, cap }) =>
        `${relative(root, path)} weighs ${megabytes(bytes)}, and may weigh ${megabytes(cap)} (scripts/packages/sizes.mjs).`,
    ),
});
