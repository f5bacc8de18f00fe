/** The only package that is not bundled: it is compiled, and the program runs without it. */

import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run24.mjs';

export const NATIVE_PACKAGE = 'keytar';
const MODULE = join('build', 'Release', 'keytar.node');

/** By the header of each format: of Linux, macOS and Windows. */
const ELF = new Map([
  [62, 'x64'],
  [183, 'arm64'],
]);
const MACH_O = new Map([
  [0x0100_0007, 'x64'],
  [0x0100_000c, 'arm64'],
]);
const PE = new Map([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);

/** The processor that a compiled module is for, in the names of Node; undefined for another file. */
export function processorOf(/** @type {Buffer} */ module) {
  const magic = module.toString('latin1', 0, 4);
  if (magic === '\x7fELF') return ELF.get(module.readUInt16LE(18));
  if (magic === '\xcf\xfa\xed\xfe') return MACH_O.get(module.readUInt32LE(4));
  if (magic.startsWith('MZ')) return PE.get(module.readUInt16LE(module.readUInt32LE(0x3c) + 4));
  return undefined;
}

function copy(/** @type {string} */ from, /** @type {string} */ to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/**
 * Copies the package at `from` with what it needs to run and nothing else. False if it is not there for this processor:
 * a module of another one cannot be loaded.
 * @param {string} from
 * @param {string} folder Gets `node_modules`.
 * @param {string} arch In the names of Node.
 */
export function copyFor(from, folder, arch) {
  const module = join(from, MODULE);
  if (!existsSync(module) || processorOf(readFileSync(module)) !== arch) return false;
  const to = join(folder, 'node_modules', NATIVE_PACKAGE);
  for (const file of readdirSync(join(from, 'lib')).filter((name) => name.endsWith('.js'))) {
    copy(join(from, 'lib', file), join(to, 'lib', file));
  }
  for (const file of ['package.json', 'LICENSE.md', MODULE]) copy(join(from, file), join(to, file));
  return true;
}

const installed = join(root, 'node_modules', NATIVE_PACKAGE);

/** The package for another processor of this system: fetched or built by its own install script, in a copy. */
function installFor(/** @type {string} */ arch) {
  const folder = join(root, 'node_modules', '.cache', `${NATIVE_PACKAGE}-${arch}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(installed, folder, { recursive: true, filter: (path) => path !== join(installed, 'build') });
  const npm = process.env['npm_execpath'];
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  spawnSync(command ?? 'npm', [...first, 'run', 'install'], {
    cwd: folder,
    env: { ...process.env, npm_config_arch: arch },
    stdio: ['ignore', 2, 2],
    shell: npm === undefined && process.platform === 'win32',
  });
  return folder;
}

/**
 * Copies the package for `arch` into `folder`. False if there is none: the program cannot use the keychain of the
 * system then.
 */
export function copyNativePackage(/** @type {string} */ folder, /** @type {string} */ arch = process.arch) {
  if (!existsSync(installed)) return false;
  return copyFor(arch === process.arch ? installed : installFor(arch), folder, arch);
}
