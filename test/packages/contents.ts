/** Which files the packages of Hangar without a window hold. A file that no line names fails the specs. */

/** Paths relative to the program, one pattern a line; names with a hash of their content end in it. */
export const PROGRAM_FILES: readonly RegExp[] = [
  /^LICENSE$/,
  /^LICENSES\.txt$/,
  /^package\.json$/,
  /^bin\/hangar\.mjs$/,
  /^out\/main\/(?:bodyThread|cli|engine|headless|keychain)\.js$/,
  /^out\/main\/chunks\/[\w.-]+-[\w-]{8}\.js$/,
  // Compressed twins are for browsers; the desktop program has none.
  /^out\/renderer\/index\.html(?:\.gz)?$/,
  /^out\/renderer\/assets\/[\w.-]+-[\w-]{8}\.(?:(?:js|css|svg|wasm)(?:\.gz)?|woff2)$/,
  /^resources\/examples\/(?:fail-halfway|small-chat|stream-words)\/(?:README\.md|handler\.mjs)$/,
  /^resources\/examples\/draw-fractal\/(?:README\.md|handler\.mjs|input_schema\.json|test_input\.json)$/,
  /^resources\/examples\/prime-factors\/(?:README\.md|handler\.py)$/,
  /^resources\/handlers\/(?:node\/(?:job|stream)\.mjs|python\/(?:job|stream|chat)\.py)$/,
  /^resources\/worker-kit\/node\/[a-zA-Z]+\.mjs$/,
  /^resources\/worker-kit\/python\/(?:\w+\/)*\w+\.py$/,
];

/** Files without which the program cannot run: each has to be there. */
export const NEEDED_FILES = [
  'LICENSES.txt',
  'bin/hangar.mjs',
  'out/main/bodyThread.js',
  'out/main/cli.js',
  'out/main/engine.js',
  'out/main/keychain.js',
  'out/renderer/index.html',
  'resources/worker-kit/node/harness.mjs',
  'resources/worker-kit/python/harness.py',
  'resources/examples/stream-words/handler.mjs',
];

/**
 * What no package may hold, whatever lists it: tests, sources, maps, settings of tools, and what Python leaves behind.
 */
export const FORBIDDEN =
  /\.spec\.|\.test\.|(?:^|\/)tests?\/|\.tsx?$|\.map$|tsconfig|__pycache__|\.pyc$|(?:^|\/)\.|bundle\.json$/;

/** The files that no line of `allowed` names, and those that are forbidden anyway. */
export const strayFiles = (files: readonly string[], allowed: readonly RegExp[]): string[] =>
  files.filter((file) => FORBIDDEN.test(file) || !allowed.some((pattern) => pattern.test(file)));

/** A line that names a map, or source text within a map. */
export const SOURCE_MAP = /^\/\/# sourceMappingURL=|"sourcesContent":/m;
