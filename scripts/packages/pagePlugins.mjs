/** Plugins of the bundler for the page: its style sheets are those it uses, and its files lie there compressed as well. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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
const COMPRESSIBLE = /\.(?:js|css|html|svg)$|^assets[\\/].+\.json$/;
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
