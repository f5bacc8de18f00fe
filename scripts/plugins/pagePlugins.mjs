/**
 * Plugins of the bundler for the page: its style sheets are those it uses, and its files lie there compressed as well.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../run24.mjs';

/** @typedef {import('vite').Plugin} Plugin */

const LIST = 'renderer/ui/theme/mantine.ts';
const CLASSES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
const SHEET = /@mantine\/core\/styles\/([A-Z]\w+)\.layer\.css$/;

/** @typedef {(string | undefined)[]} Names */
const difference = (/** @type {Names} */ all, /** @type {Names} */ others) =>
  [...new Set(all)].filter((name) => name !== undefined && !others.includes(name)).join(', ');

/**
 * Fails the build unless the page has exactly the style sheets of the components of Mantine that it uses.
 * @returns {Plugin}
 */
export function mantineStyles() {
  return {
    name: 'hangar:mantine-styles',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
      const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
      const rendered = modules.filter(([, { renderedLength }]) => renderedLength > 0);
      const used = rendered.map(([id]) => CLASSES.exec(id)?.[1]);
      const listed = [...this.getModuleIds()].map((id) => SHEET.exec(id)?.[1]);
      const missing = difference(used, listed);
      if (missing) this.error(`The page uses ${missing} of Mantine: import the style sheets in ${LIST}.`);
      const unused = difference(listed, used);
      if (unused) this.error(`The page does not use ${unused} of Mantine: remove the style sheets from ${LIST}.`);
    },
  };
}

/** The ending of a compressed file, behind the name of the file that it stands for. */
export const COMPRESSED = '.gz';
/** The JSON files of the page are its translations; another one beside them is for packages. */
const COMPRESSIBLE = /\.(?:js|css|html|svg|wasm)$|^assets[\\/].+\.json$/;
/** Smaller files do not gain from it. */
const LEAST_BYTES = 1024;

/**
 * Writes a compressed twin beside every text file of the page. The headless host sends it to browsers.
 * @returns {Plugin}
 */
export function compressedTwins() {
  return {
    name: 'hangar:compressed-twins',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSIBLE.test(path)) continue;
        const bytes = readFileSync(join(dir, path));
        if (bytes.length < LEAST_BYTES) continue;
        writeFileSync(join(dir, path + COMPRESSED), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

const INTER = /@fontsource-variable\/inter\/wght\.css$/;
const LATIN = /url\(\.\/files\/(inter-latin-wght-normal\.woff2)\)[^}]*unicode-range: ([^;}]+)/;
/** The weights that the style sheets of the page use. */
const WEIGHTS = { min: 400, max: 700 };
/** Kerning, accents, forms that depend on neighbours, and digits of one width. */
const FEATURES = ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'calt', 'tnum'];

/** The characters of a unicode-range of CSS. */
const charactersOf = (/** @type {string} */ range) =>
  range
    .split(',')
    .flatMap((part) => {
      const [first = 0, last = first] = part
        .trim()
        .slice('U+'.length)
        .split('-')
        .map((code) => parseInt(code, 16));
      return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
    })
    .join('');

/**
 * Takes weights and features that the page does not use out of the font of Latin letters, the only one that every first
 * load has: half of it remains. Its letters stay the same.
 * @returns {Plugin}
 */
export function smallerFont() {
  return {
    name: 'hangar:smaller-font',
    apply: 'build',
    enforce: 'pre',
    async transform(code, id) {
      if (!INTER.test(id.replaceAll(sep, '/'))) return null;
      const [, file, range] = LATIN.exec(code) ?? [];
      if (file === undefined || range === undefined)
        this.error('The style sheet of Inter has no font of Latin letters.');
      const whole = readFileSync(join(dirname(id), 'files', file));
      // Its types lack keepFeatures.
      const options = {
        targetFormat: /** @type {const} */ ('woff2'),
        variationAxes: { wght: WEIGHTS },
        keepFeatures: FEATURES,
      };
      // Only a build needs it, and packages read this file for its constants.
      const { default: subsetFont } = await import('subset-font');
      const small = await subsetFont(whole, charactersOf(range), options);
      const folder = join(root, 'node_modules', '.cache', 'hangar');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, file), small);
      return code
        .replace(`./files/${file}`, relative(dirname(id), join(folder, file)).replaceAll(sep, '/'))
        .replaceAll('font-weight: 100 900', `font-weight: ${WEIGHTS.min} ${WEIGHTS.max}`);
    },
  };
}
