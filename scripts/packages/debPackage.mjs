/** Makes the Debian package `hangar`: Hangar without a window, with a Node of its own. Needs dpkg-deb. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../run24.mjs';
import { writeHeadless } from './npmPackage.mjs';
import { originOf } from './origin.mjs';
import { copyNativePackage } from './nativePackage.mjs';
import { copyPtyPackage } from './ptyPackage.mjs';
import { nodeProgram, readManifest } from './program.mjs';

/** Debian's names of the kinds of machine that Node's packages exist for. @type {Record<string, string>} */
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
/** Where dpkg puts the program. It runs from a copy of links beside it: see packaging/deb/postinst. */
const PROGRAM = 'usr/lib/hangar/program';
const EXECUTABLE = new Set([`${PROGRAM}/bin/node`, `${PROGRAM}/bin/hangar.mjs`, 'usr/bin/hangar']);
const from = (/** @type {string} */ name) => join(root, 'packaging', 'deb', name);

/** Every path below a folder, folders first, relative to it. */
function pathsIn(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

/** Sets the rights that Debian wants, whatever the umask was, and returns the files, relative to `folder`. */
function normalise(/** @type {string} */ folder) {
  chmodSync(folder, 0o755);
  return pathsIn(folder).filter((path) => {
    const isFolder = lstatSync(join(folder, path)).isDirectory();
    chmodSync(join(folder, path), isFolder || EXECUTABLE.has(path) ? 0o755 : 0o644);
    return !isFolder;
  });
}

const md5 = (/** @type {string} */ path) => createHash('md5').update(readFileSync(path)).digest('hex');

/** Debian's file of copyrights: ours, Node's, and those of the packages that are bundled. */
function copyright(/** @type {string} */ folder) {
  const licenses = readFileSync(join(folder, PROGRAM, 'LICENSES.txt'), 'utf8');
  return `${readFileSync(join(root, 'LICENSE'), 'utf8').trim()}\n\n${licenses}`;
}

/** @param {{ version: string, architecture: string, installedKb: number }} facts */
function control({ version, architecture, installedKb }) {
  const { description } = readManifest();
  const { homepage, maintainer } = originOf(process.env);
  return `Package: hangar
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer.name} <${maintainer.email}>
${homepage === null ? '' : `Homepage: ${homepage}\n`}Installed-Size: ${installedKb}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 6)
Recommends: docker.io | docker-ce | podman, libsecret-1-0, python3 (>= 3.9)
Section: science
Priority: optional
Description: ${description.replace(/\.$/, '')}
 Hangar serves the public job API of serverless GPU clouds on this machine, runs
 the workers, and shows a page to the browser. This package is Hangar without a
 window, with the Node program that it runs on.
`;
}

/** Writes the tree that dpkg unpacks, without the control files. Says what optional part it lacks. */
function writeTree(/** @type {string} */ folder, /** @type {string} */ version) {
  const program = join(folder, PROGRAM);
  writeHeadless(program, version, { withNode: true });
  copyFileSync(nodeProgram, join(program, 'bin', 'node'));
  if (!copyNativePackage(program)) {
    process.stderr.write('dist: keytar is not built here: the Debian package cannot use the keychain of the system.\n');
  }
  if (!copyPtyPackage(program)) {
    process.stderr.write('dist: node-pty is not installed here: the Debian package opens no shells of its computer.\n');
  }
  const files = pathsIn(program).filter((path) => lstatSync(join(program, path)).isFile());
  // Two builds of one version differ here, so that a running one never shares its files with another.
  const build = createHash('sha256')
    .update(files.map((path) => `${path} ${md5(join(program, path))}\n`).join(''))
    .digest('hex')
    .slice(0, 12);
  writeFileSync(join(program, 'BUILD'), `${version}-${build}\n`);
  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  copyFileSync(from('hangar.sh'), join(folder, 'usr/bin/hangar'));
  mkdirSync(join(folder, 'usr/lib/systemd/user'), { recursive: true });
  copyFileSync(from('hangar.service'), join(folder, 'usr/lib/systemd/user/hangar.service'));
  const doc = join(folder, 'usr/share/doc/hangar');
  mkdirSync(doc, { recursive: true });
  writeFileSync(join(doc, 'copyright'), copyright(folder));
  writeFileSync(join(doc, 'changelog.gz'), gzipSync(readFileSync(join(root, 'CHANGELOG.md')), { level: 9 }));
}

/** Why no Debian package can be made on this machine, or undefined. */
export function whyNoDeb() {
  if (process.platform !== 'linux') return 'it is made on Linux';
  if (ARCHITECTURES[process.arch] === undefined) return `there is no Node 24 for ${process.arch}`;
  if (spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).status !== 0) return 'dpkg-deb is missing';
  return undefined;
}

/**
 * Makes `hangar_<version>_<architecture>.deb` in `target`. `work` is a folder for what is made on the way; `quick`
 * leaves the package uncompressed, for tests. Returns its path.
 * @param {{ target: string, work: string, version: string, quick?: boolean }} options
 */
export function makeDeb({ target, work, version, quick = false }) {
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const folder = join(work, 'deb');
  rmSync(folder, { recursive: true, force: true });
  writeTree(folder, version);
  const files = normalise(folder);
  const installedKb = Math.ceil(files.reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0) / 1024);
  const debian = join(folder, 'DEBIAN');
  mkdirSync(debian);
  writeFileSync(join(debian, 'control'), control({ version, architecture, installedKb }));
  writeFileSync(join(debian, 'md5sums'), files.map((path) => `${md5(join(folder, path))}  ${path}\n`).join(''));
  for (const script of ['postinst', 'prerm']) cpSync(from(script), join(debian, script));
  for (const script of ['postinst', 'prerm']) chmodSync(join(debian, script), 0o755);
  chmodSync(debian, 0o755);
  const path = join(target, `hangar_${version}_${architecture}.deb`);
  const packing = quick ? ['-Znone'] : ['-Zxz', '-z3'];
  const ended = spawnSync('dpkg-deb', ['--root-owner-group', ...packing, '--build', folder, path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (ended.status !== 0) throw new Error(`dpkg-deb ended with ${ended.status ?? ended.signal}.`);
  return path;
}
