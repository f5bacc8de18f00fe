/** Puts the parts of a program together in a folder, laid out as in a clone: bundles, page, resources, licences. */

import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node24, root } from '../run24.mjs';
import { RECORD } from '../plugins/bundlePlugins.mjs';
import { COMPRESSED } from '../plugins/pagePlugins.mjs';
import { licensesText, nodeLicense, packageLicense } from './licenses.mjs';
import { NATIVE_PACKAGE } from './nativePackage.mjs';
import { ptyPackages } from './ptyPackage.mjs';

/** @typedef {import('../plugins/bundlePlugins.mjs').BundleRecord} BundleRecord */
/** @typedef {{ name: string, version: string, description: string, license: string, productName: string }} Manifest */
/** @typedef {Record<string, string>} Versions */
/** @typedef {{ dependencies: Versions, devDependencies: Versions, optionalDependencies: Versions }} Dependencies */

/** The project's own package.json. */
export function readManifest() {
  /** @type {Manifest & Dependencies} */
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest;
}

function readRecord(/** @type {string} */ part) {
  /** @type {BundleRecord} */
  const record = JSON.parse(readFileSync(join(root, 'out', part, RECORD), 'utf8'));
  return record;
}

/** An entry's files: itself and all it loads, directly or not. */
function closure(/** @type {BundleRecord} */ record, /** @type {string[]} */ entries) {
  const files = new Set(entries);
  for (const file of files) for (const imported of record[file]?.imports ?? []) files.add(imported);
  return [...files].sort();
}

const packagesIn = (/** @type {BundleRecord} */ record, /** @type {string[]} */ files) =>
  files.flatMap((file) => record[file]?.packages ?? []);

function copy(/** @type {string} */ from, /** @type {string} */ to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** What Python and editors leave beside sources. */
const isSource = (/** @type {string} */ path) => !/__pycache__|\.pyc$|\.DS_Store$/.test(path);

/**
 * @typedef {object} ProgramParts
 * @property {string[]} entries Entries of main, without `.js`.
 * @property {boolean} preload With the script that the window loads before the page.
 * @property {boolean} withNode With the licence of Node: the package brings it along.
 */

/**
 * Writes the program into an empty `folder`. The bundles have to be new. Throws where a licence is unknown.
 * @param {string} folder
 * @param {ProgramParts} parts
 */
export function writeProgram(folder, { entries, preload, withNode }) {
  rmSync(folder, { recursive: true, force: true });
  const main = readRecord('main');
  const page = readRecord('renderer');
  const mainFiles = closure(
    main,
    entries.map((name) => `${name}.js`),
  );
  for (const file of mainFiles) copy(join(root, 'out', 'main', file), join(folder, 'out', 'main', file));
  if (preload) copy(join(root, 'out', 'preload', 'index.cjs'), join(folder, 'out', 'preload', 'index.cjs'));
  cpSync(join(root, 'out', 'renderer'), join(folder, 'out', 'renderer'), {
    recursive: true,
    // Electron reads the page from its archive, which needs no compressed twins.
    filter: (path) => !path.endsWith(RECORD) && !path.endsWith('.map') && !(preload && path.endsWith(COMPRESSED)),
  });
  for (const name of ['worker-kit', 'examples', 'handlers']) {
    cpSync(join(root, 'resources', name), join(folder, 'resources', name), { recursive: true, filter: isSource });
  }
  copy(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const packages = new Set([
    ...packagesIn(main, mainFiles),
    ...packagesIn(page, Object.keys(page)),
    `node_modules/${NATIVE_PACKAGE}`,
    ...ptyPackages(),
  ]);
  const components = [...packages]
    .filter((path) => existsSync(join(root, path)))
    .map((path) => packageLicense(join(root, path)));
  if (withNode) components.push(nodeLicense(nodeVersion()));
  writeFileSync(join(folder, 'LICENSES.txt'), licensesText(components));
}

/** The version of the project's own Node. */
export const nodeVersion = () => readManifest().dependencies['node'] ?? '';
export const nodeProgram = node24;
