/** Which files the page is loaded in, and when: few for each view, and those of the first view early. */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run24.mjs';

/** @typedef {import('vite').Plugin} Plugin */
/** @typedef {import('vite').Rolldown.OutputBundle} OutputBundle */
/**
 * @typedef {(id: string, bundle: { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null })
 *   => string | null} ChunkName
 */

const RENDERER = join(root, 'renderer');
const FEATURES = join(RENDERER, 'features');

/** The module of each view, by the first part of its address, which is the name of its folder as well. */
const views = new Map(
  readdirSync(FEATURES).flatMap((name) =>
    readdirSync(join(FEATURES, name))
      .filter((file) => file.toLowerCase() === `${name}page.tsx`)
      .map((file) => [name, join(FEATURES, name, file)]),
  ),
);
const FIRST = 'home';
/** What the page loads at once, whichever view is opened. */
const ALWAYS = ['features/shell/TitleChips.tsx', 'client/saved/takeOver.ts'].map((path) => join(RENDERER, path));

/**
 * The name of a chunk for the modules of ours that at least `least` of the modules at `paths` load with themselves,
 * whatever else loads them, too. What they need from packages comes with them: its users are known to the bundler,
 * which drops the unused ones.
 * @param {string} name
 * @param {(string | undefined)[]} paths absolute
 * @returns {ChunkName}
 */
function loadedBy(name, paths, least = 1) {
  /** @type {Map<string, number> | undefined} */
  let users;
  return (id, bundle) => {
    if (users === undefined) {
      users = new Map();
      for (const path of paths) {
        const modules = new Set(path === undefined ? [] : [path]);
        for (const one of modules) {
          users.set(one, (users.get(one) ?? 0) + 1);
          for (const next of bundle.getModuleInfo(one)?.importedIds ?? []) {
            if (!next.includes('node_modules')) modules.add(next);
          }
        }
      }
    }
    return (users.get(id) ?? 0) >= least ? name : null;
  };
}

/**
 * The chunks of the page: what it starts with, what Home has besides, what at least two views have, and the rest of each
 * view. Left alone, the bundler makes a chunk for each set of modules with the same users, and a browser takes longer
 * to fetch the 60 of Run than to run them.
 */
export const chunkGroups = [
  { name: 'first', tags: /** @type {['$initial']} */ (['$initial']), priority: 3 },
  { name: loadedBy(FIRST, [views.get(FIRST), ...ALWAYS]), priority: 2 },
  { name: loadedBy('views', [...views.values()], 2), minShareCount: 2, priority: 1 },
  ...[...views].map(([name, path]) => ({ name: loadedBy(name, [path]), minShareCount: 2 })),
];

/** All files that a file of the page needs to run, itself included. */
function filesNeeded(/** @type {OutputBundle} */ bundle, /** @type {string} */ file) {
  const files = new Set([file]);
  for (const one of files) {
    const output = bundle[one];
    if (output?.type !== 'chunk') continue;
    for (const next of [...output.imports, ...(output.viteMetadata?.importedCss ?? [])]) files.add(next);
  }
  return files;
}

/**
 * What the browser runs before all else. The server does not see which view an address names, as it stands behind
 * the "#".
 */
const loadEarly = (/** @type {Record<string, string[]>} */ files) => `{
  const files = new Map(${JSON.stringify(Object.entries(files))});
  for (const href of files.get(location.hash.split(/[/?]/)[1]) ?? files.get('${FIRST}')) {
    const link = document.createElement('link');
    if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style' });
    else link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = href;
    document.head.append(link);
  }
}
`;

/**
 * Has the browser fetch the files of the view that the address names while it still reads those the page starts with.
 * Otherwise it learns of them only when the page renders for the first time.
 * @returns {Plugin}
 */
export function viewsLoadedEarly() {
  return {
    name: 'hangar:views-loaded-early',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle);
        const html = bundle['index.html'];
        const entry = outputs.find((output) => output.type === 'chunk' && output.isEntry);
        if (html?.type !== 'asset' || entry === undefined) this.error('The page has no index.html with a script.');
        const inEntry = filesNeeded(bundle, entry.fileName);
        /** @type {Record<string, string[]>} */
        const files = {};
        for (const [name, path] of views) {
          const view = outputs.find((output) => output.type === 'chunk' && output.moduleIds.includes(path));
          if (view === undefined) this.error(`The page has no file for ${path}.`);
          files[name] = [...filesNeeded(bundle, view.fileName)]
            .filter((file) => !inEntry.has(file))
            .map((file) => `./${file}`);
        }
        const source = loadEarly(files);
        const fileName = `assets/early-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName, source });
        html.source = String(html.source).replace(/(?=\s*<script )/, `\n    <script src="./${fileName}"></script>`);
      },
    },
  };
}
