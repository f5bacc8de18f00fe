/** Collects the licences of everything that a package holds into the text of one file. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run24.mjs';

/**
 * @typedef {object} Component
 * @property {string} name
 * @property {string} version Empty where the component has none.
 * @property {string} license As SPDX names it.
 * @property {string} text The licence itself, and the notices that travel with it.
 */
/** @typedef {{ type?: string }} OldLicense */
/** @typedef {{ name: string, url?: string }} Person */
/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string | OldLicense} [license]
 * @property {OldLicense[]} [licenses] As packages named it before SPDX.
 * @property {string | Person} [author]
 */

/**
 * What may be shipped as part of Hangar: each lets the code, or the font, be passed on with its text. A package under
 * any other one fails.
 */
export const ACCEPTED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unlicense',
];

const LICENSE_FILE = /^(?:licen[cs]e|copying|unlicense)(?:[-.].*)?$/i;
const NOTICE_FILE = /^notice(?:\..*)?$/i;
const ownText = (/** @type {string} */ name) => readFileSync(join(root, 'packaging', 'licenses', name), 'utf8');

/** @returns {string | undefined} */
function licenseOf(/** @type {Manifest} */ { license, licenses = [] }) {
  if (typeof license === 'string') return license;
  return license?.type ?? (licenses.length === 1 ? licenses[0]?.type : undefined);
}

function authorOf(/** @type {Manifest} */ { author, name }) {
  const person = typeof author === 'string' ? author : author?.name;
  return person ?? `the authors of ${name}`;
}

/** A few packages name their licence and ship no text: then it is the standard one, with their author. */
function standardText(/** @type {Manifest} */ manifest, /** @type {string} */ license) {
  const file = `${license}.txt`;
  if (!existsSync(join(root, 'packaging', 'licenses', file))) {
    throw new Error(
      `${manifest.name} ships no text of its licence, and packaging/licenses has no ${file}. Add the standard text.`,
    );
  }
  return ownText(file).replace('<holder>', authorOf(manifest));
}

/**
 * The licence of a package. Throws where it is unknown or not accepted.
 * @param {string} folder The folder of the package.
 * @returns {Component}
 */
export function packageLicense(folder) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const license = licenseOf(manifest);
  if (license === undefined || !ACCEPTED.includes(license)) {
    throw new Error(
      `${manifest.name} ${manifest.version} is under ${license ?? 'no licence that it names'}. ` +
        'Read its licence; if Hangar may ship it, add its name to ACCEPTED in scripts/packages/licenses.mjs.',
    );
  }
  const files = readdirSync(folder).sort();
  const texts = [...files.filter((file) => LICENSE_FILE.test(file)), ...files.filter((file) => NOTICE_FILE.test(file))];
  const read = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (!files.some((file) => LICENSE_FILE.test(file))) read.unshift(standardText(manifest, license).trim());
  // The compiled file of a package may contain software of others, whose text the package lacks.
  const parts = join('parts', `${manifest.name}.txt`);
  if (existsSync(join(root, 'packaging', 'licenses', parts))) read.push(ownText(parts).trim());
  return { name: manifest.name, version: manifest.version, license, text: read.join('\n\n') };
}

/**
 * The program that packages bring along to run on. Its text lacks the section about npm, which no package holds.
 * @returns {Component}
 */
export const nodeLicense = (/** @type {string} */ version) => ({
  name: 'Node.js',
  version,
  license: 'MIT, with parts under other licences, which its text names',
  text: ownText('node.txt').trim(),
});

const RULE = '='.repeat(100);

/** The text of the file: one entry for each component, by name. */
export function licensesText(/** @type {Component[]} */ components) {
  const sorted = [...components].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
  const entries = sorted.map(({ name, version, license, text }) =>
    [RULE, `${name} ${version}`.trim(), `License: ${license}`, RULE, '', text.replaceAll('\r\n', '\n'), ''].join('\n'),
  );
  return ['Hangar contains the software below, each part under its own license.', '', ...entries].join('\n');
}
