/** Puts the desktop program together and packs it with electron-builder. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, Platform, build } from 'electron-builder';
import { NATIVE, desktopConfig } from './desktopConfig.mjs';
import { writeIcons } from './icons.mjs';
import { copyNativePackage } from './nativePackage.mjs';
import { copyPtyPackage } from './ptyPackage.mjs';
import { originOf } from './origin.mjs';
import { readManifest, writeProgram } from './program.mjs';

const DESKTOP_ENTRIES = ['bodyThread', 'electron', 'engine', 'keychain'];

/** Electron's own name of this machine's kind of processor. */
const thisArch = () => (process.arch === 'arm64' ? Arch.arm64 : Arch.x64);
const PLATFORMS = { darwin: Platform.MAC, win32: Platform.WINDOWS, linux: Platform.LINUX };

/** What electron-builder reads of a program: the fields that it runs by, and no package to install. */
function manifest() {
  const { name, productName, version, description, license } = readManifest();
  const { homepage, maintainer: author } = originOf(process.env);
  return {
    name,
    productName,
    version,
    description,
    license,
    author,
    // electron-builder packs no .deb and no .rpm without one. Nothing answers below .invalid.
    homepage: homepage ?? 'https://hangar.invalid/',
    type: 'module',
    main: './out/main/electron.js',
  };
}

/**
 * Packs for the system that this runs on, into `target`. The bundles have to be new.
 * @param {object} options
 * @param {string} options.target
 * @param {string} options.work A folder for what is made on the way.
 * @param {boolean} options.folderOnly Leaves the unpacked program alone, without installers.
 * @param {string} [options.electronDist] A folder with Electron's program; electron-builder fetches it otherwise.
 */
export async function makeDesktop({ target, work, folderOnly, electronDist }) {
  const app = join(work, 'app');
  const icons = join(work, 'icons');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeProgram(app, { entries: DESKTOP_ENTRIES, preload: true, withNode: false });
  writeFileSync(join(app, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  const platform = PLATFORMS[/** @type {keyof typeof PLATFORMS} */ (process.platform)] ?? Platform.LINUX;
  // Packages of macOS are made for both processors on one machine; each needs a native module of its own.
  const arches = platform === Platform.MAC && !folderOnly ? ['arm64', 'x64'] : [Arch[thisArch()]];
  for (const arch of arches) {
    const native = join(app, NATIVE, arch);
    if (!copyNativePackage(native, arch)) {
      process.stderr.write(
        `dist: keytar is not there for ${arch}: this program cannot use the keychain of the system.\n`,
      );
    }
    if (!copyPtyPackage(native, arch)) {
      process.stderr.write(`dist: node-pty is not there for ${arch}: this program opens no shells of its computer.\n`);
    }
  }
  writeIcons(icons);
  const config = desktopConfig({ app, icons, output: target, electronDist }, process.env);
  await build({
    config,
    // Without names of targets, those of the configuration.
    targets: folderOnly ? platform.createTarget('dir', thisArch()) : platform.createTarget(),
    publish: 'never',
  });
}

const NETWORK_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH']);

/**
 * The words for an Electron that could not be fetched because the network did not answer; null for every other error.
 * @param {unknown} thrown What `makeDesktop` threw.
 */
export function fetchProblem(thrown) {
  if (!(thrown instanceof Error) || !('code' in thrown) || !NETWORK_CODES.has(String(thrown.code))) return null;
  return `Electron's program could not be fetched: ${thrown.message}.
Connect to the network and try again, or unpack Electron of the version in package.json into a folder and name the
folder in HANGAR_ELECTRON_DIST. Packages without Electron: npm run dist -- headless.`;
}
