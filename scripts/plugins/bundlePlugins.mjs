/** Plugins of the bundler: what the bundles leave out, and a record of what they hold. */

import http from 'node:http';
import { isAbsolute, relative, sep } from 'node:path';
import { root } from '../run24.mjs';

/** @typedef {import('vite').Plugin} Plugin */
/**
 * @typedef {object} BundledFile One file that the bundler wrote.
 * @property {string[]} imports Names of the files of the same build that it loads.
 * @property {string[]} needs Those of them without which it does not run, and its style sheets.
 * @property {string[]} modules The modules of ours that it holds, relative to the root, sorted.
 * @property {string[]} packages Folders of the packages whose code it holds, relative to the root, sorted.
 */
/** @typedef {Record<string, BundledFile>} BundleRecord By the name of the file in its output folder. */

/** The record of a build, beside what it wrote. It is no part of any package. */
export const RECORD = 'bundle.json';

const ABSENT = '\0absent';
const absentModule = (/** @type {string} */ name) =>
  `throw Object.assign(new Error(${JSON.stringify(`${name} is no part of this program.`)}), { code: 'MODULE_NOT_FOUND' });`;

/**
 * Parts of packages that a package also works without: compiled code, which would have to exist for each kind of
 * machine, and the image builder of dockerode, which Hangar has no use for. Loading one throws, as if it were not
 * installed.
 * @returns {Plugin}
 */
export function withoutOptionalParts() {
  return {
    name: 'hangar:without-optional-parts',
    enforce: 'pre',
    resolveId(source, importer) {
      const isCompiled = source.endsWith('.node') || source === 'cpu-features';
      const isImageBuilder =
        /^\.\/(?:session|buildkit)$/.test(source) && /[\\/]dockerode[\\/]lib[\\/]/.test(importer ?? '');
      return isCompiled ? ABSENT + source : isImageBuilder ? `${ABSENT}dockerode/${source.slice(2)}` : null;
    },
    load(id) {
      if (!id.startsWith(ABSENT)) return null;
      const name = id.slice(ABSENT.length);
      // dockerode loads its image builder with everything else, and calls it later.
      return name.startsWith('dockerode/') ? `module.exports = () => { ${absentModule(name)} };` : absentModule(name);
    },
  };
}

const HTTP = '\0http';

/**
 * Imports of `http` get it by a call. Node reads all that an imported module exports, and so loads its part that fetches
 * for the WebSocket of `http`: longer than the rest of Node takes to start.
 * @returns {Plugin}
 */
export function httpWithoutFetch() {
  const isHttp = (/** @type {unknown} */ id) => id === 'http' || id === 'node:http';
  const names = Object.keys(http).filter((name) => Object.getOwnPropertyDescriptor(http, name)?.get === undefined);
  return {
    name: 'hangar:http-without-fetch',
    enforce: 'pre',
    // Nobody is asked how to resolve what is external.
    options: (options) =>
      Array.isArray(options.external)
        ? { ...options, external: options.external.filter((id) => !isHttp(id)) }
        : options,
    resolveId: (source, _importer, { kind }) =>
      !isHttp(source) ? null : kind === 'require-call' ? { id: 'node:http', external: true } : HTTP,
    load: (id) =>
      id === HTTP
        ? `const http = process.getBuiltinModule('node:http');\nexport default http;\nexport const { ${names.join(', ')} } = http;`
        : null,
  };
}

const MODULES = `node_modules${sep}`;

/** The folder of the package that a module belongs to, relative to the root, or undefined for a module of ours. */
function packageFolder(/** @type {string} */ id) {
  const path = id.replace(/^\0+/, '').replace(/\?.*$/, '');
  const at = path.lastIndexOf(MODULES);
  if (at === -1) return undefined;
  const parts = path.slice(at + MODULES.length).split(sep);
  const name = parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1);
  return relative(root, path.slice(0, at + MODULES.length) + name.join(sep)).replaceAll(sep, '/');
}

/** @param {import('vite').Rolldown.OutputBundle} bundle @returns {BundleRecord} */
function recordOf(bundle) {
  /** @type {BundleRecord} */
  const record = {};
  for (const [file, output] of Object.entries(bundle)) {
    if (output.type === 'asset') continue;
    const folders = output.moduleIds.map(packageFolder).filter((folder) => folder !== undefined);
    const own = output.moduleIds.filter((id) => isAbsolute(id) && packageFolder(id) === undefined);
    const styles = output.viteMetadata?.importedCss ?? [];
    record[file] = {
      modules: own.map((id) => relative(root, id).replaceAll(sep, '/')).sort(),
      needs: [...output.imports.filter((name) => name in bundle), ...styles].sort(),
      imports: [...output.imports, ...output.dynamicImports].filter((name) => name in bundle).sort(),
      packages: [...new Set(folders)].sort(),
    };
  }
  return record;
}

/**
 * Writes RECORD: the files of a build, what each loads, and the packages in it. `noteWorkers` is the plugin of the builds
 * of its web workers: each is a build of its own, which ends before that of the page and whose files lie among those of
 * the page.
 * @returns {{ write: Plugin, noteWorkers: () => Plugin }}
 */
export function bundleRecord() {
  /** @type {BundleRecord} */
  const workers = {};
  return {
    write: {
      name: 'hangar:bundle-record',
      generateBundle(_options, bundle) {
        const record = { ...recordOf(bundle), ...workers };
        this.emitFile({ type: 'asset', fileName: RECORD, source: `${JSON.stringify(record, null, 2)}\n` });
      },
    },
    noteWorkers: () => ({
      name: 'hangar:worker-record',
      generateBundle(_options, bundle) {
        Object.assign(workers, recordOf(bundle));
      },
    }),
  };
}
