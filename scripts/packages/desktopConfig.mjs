/** How electron-builder packs the desktop program: what is in it, for which systems, and what its Electron may do. */

import { join } from 'node:path';
import { root } from '../run24.mjs';
import { originOf } from './origin.mjs';
import { readManifest } from './program.mjs';

/**
 * Electron's switches, burned into its program. Node handlers run on Electron as a plain Node (ELECTRON_RUN_AS_NODE,
 * see main/engine/runtime/workers/processDriver.ts), so that one stays on; every other door is closed.
 */
export const FUSES = /** @type {const} */ ({
  runAsNode: true,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
  loadBrowserProcessSpecificV8Snapshot: false,
});

/**
 * What programs outside of Electron read (the worker kit), and what the system loads itself, cannot lie in the archive.
 */
export const UNPACKED = ['resources/**', '**/node_modules/keytar/**', '**/node_modules/@lydell/**'];

/** The folder of the program with a folder for each processor, which has the compiled packages. */
export const NATIVE = 'native';

/**
 * Where updates come from: the releases of the repository that the workflow builds, and nowhere for a build of one's
 * own.
 */
function publish(/** @type {NodeJS.ProcessEnv} */ env) {
  const { repository } = originOf(env);
  return repository !== null
    ? /** @type {const} */ ({ provider: 'github', ...repository, releaseType: 'release' })
    : /** @type {const} */ ({ provider: 'generic', url: 'https://updates.invalid/' });
}

/**
 * @typedef {object} DesktopFolders
 * @property {string} app The program, as `writeProgram` wrote it.
 * @property {string} icons As `writeIcons` wrote them.
 * @property {string} output
 * @property {string | undefined} electronDist A folder with Electron's program; fetched where there is none.
 */

/**
 * @param {DesktopFolders} folders
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('electron-builder').Configuration}
 */
export function desktopConfig({ app, icons, output, electronDist }, env) {
  const { devDependencies } = readManifest();
  const { maintainer } = originOf(env);
  const entitlements = join(root, 'packaging', 'desktop', 'entitlements.mac.plist');
  return {
    appId: 'dev.hangar.desktop',
    productName: 'Hangar',
    copyright: 'Copyright (c) 2026 Hangar contributors',
    electronVersion: devDependencies['electron'] ?? null,
    ...(electronDist !== undefined && { electronDist }),
    directories: { app, output, buildResources: icons },
    files: ['**/*', `!${NATIVE}{,/**/*}`, { from: join(app, NATIVE, '${arch}', 'node_modules'), to: 'node_modules' }],
    asar: true,
    asarUnpack: UNPACKED,
    electronFuses: { ...FUSES },
    // The page is in English; Chromium's own words follow it.
    electronLanguages: ['en', 'en-US'],
    extraFiles: [{ from: join(app, 'LICENSES.txt'), to: 'LICENSES.hangar.txt' }],
    // The packages are bundled, and the native one comes built: nothing is collected, compiled or installed here.
    beforeBuild: () => Promise.resolve(false),
    protocols: [{ name: 'Hangar', schemes: ['hangar'] }],
    publish: publish(env),
    generateUpdatesFilesForAllChannels: true,
    artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
    mac: {
      category: 'public.app-category.developer-tools',
      icon: join(icons, 'icon.icns'),
      target: ['dmg', 'zip'].map((target) => ({ target, arch: ['arm64', 'x64'] })),
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements,
      entitlementsInherit: entitlements,
      // What the system shows when it asks for the camera.
      extendInfo: { NSCameraUsageDescription: 'Hangar reads the pairing code of another computer with the camera.' },
      notarize: env['APPLE_API_KEY'] !== undefined,
    },
    win: { icon: join(icons, 'icon.ico'), target: [{ target: 'nsis', arch: ['x64'] }] },
    // Removing the program leaves the data; Hangar itself removes them where a person asks for it.
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
    },
    linux: {
      // The package without a window is called hangar; both may be installed.
      executableName: 'hangar-desktop',
      icon: join(icons, 'icons'),
      category: 'Development',
      synopsis: 'Run GPU work on your workstation and on remote accounts',
      maintainer: `${maintainer.name} <${maintainer.email}>`,
      vendor: 'Hangar contributors',
      target: ['AppImage', 'deb', 'rpm'],
    },
    deb: { packageName: 'hangar-desktop', recommends: ['libsecret-1-0', 'python3', 'docker.io | docker-ce | podman'] },
    rpm: { packageName: 'hangar-desktop' },
  };
}
