/**
 * The optional package that opens terminals of this computer: its code, and its compiled part for one kind of machine.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run24.mjs';

const PTY_PACKAGE = '@lydell/node-pty';

/**
 * The package with the compiled part, in the names of Node. It comes built, and npm installs the one of its machine.
 */
const ptyPartOf = (/** @type {string} */ platform, /** @type {string} */ arch) => `${PTY_PACKAGE}-${platform}-${arch}`;

/** What runs, and its licence: neither types nor texts for people. */
const runs = (/** @type {string} */ path) => !/\.d\.ts$|\.map$|(?:^|[\\/])README\.md$/.test(path);

/** Copies a package from `modules` without the packages in it. */
function copyPackage(/** @type {string} */ name, /** @type {string} */ modules, /** @type {string} */ to) {
  mkdirSync(dirname(join(to, name)), { recursive: true });
  cpSync(join(modules, name), join(to, name), { recursive: true, filter: runs });
}

/** The folder of packages with the part for another processor of this system, which npm fetches. */
function fetchFor(/** @type {string} */ arch) {
  const folder = join(root, 'node_modules', '.cache', `pty-${arch}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  /** @type {{ optionalDependencies: Record<string, string> }} */
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = optionalDependencies[PTY_PACKAGE];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { [PTY_PACKAGE]: version } }));
  const npm = process.env['npm_execpath'];
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  spawnSync(command ?? 'npm', [...first, 'install', '--ignore-scripts', '--cpu', arch, '--os', process.platform], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: npm === undefined && process.platform === 'win32',
  });
  return join(folder, 'node_modules');
}

/**
 * Copies the package with its compiled part for `arch` into `node_modules` of `folder`. False if there is none: the
 * program opens no terminals of its computer then, and says so.
 * @param {string} folder
 * @param {string} [arch] In the names of Node.
 */
export function copyPtyPackage(folder, arch = process.arch) {
  const part = ptyPartOf(process.platform, arch);
  const modules = arch === process.arch ? join(root, 'node_modules') : fetchFor(arch);
  if (![PTY_PACKAGE, part].every((name) => existsSync(join(modules, name)))) return false;
  for (const name of [PTY_PACKAGE, part]) copyPackage(name, modules, join(folder, 'node_modules'));
  return true;
}

/** The packages that a program of this machine may hold, as paths below the root. */
export function ptyPackages() {
  const scope = join('node_modules', dirname(PTY_PACKAGE));
  if (!existsSync(join(root, scope))) return [];
  return readdirSync(join(root, scope)).map((name) => `node_modules/${dirname(PTY_PACKAGE)}/${name}`);
}
