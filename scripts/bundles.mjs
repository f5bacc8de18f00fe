/** Keeps the bundles under `out/` as new as their sources. */

import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { env24, node24, root, tool } from './run24.mjs';

const SOURCES = ['main', 'preload', 'renderer', 'electron.vite.config.ts', 'scripts/plugins', 'package-lock.json'];
const BUNDLES = [
  'out/main/electron.js',
  'out/main/headless.js',
  'out/main/cli.js',
  'out/main/engine.js',
  'out/main/bodyThread.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  // What a package is put together by.
  'out/main/bundle.json',
  'out/renderer/bundle.json',
];

/** When the newest file below a path was changed; specs and documents are no part of a bundle. */
function newestAt(/** @type {string} */ path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return /\.(spec\.tsx?|md)$/.test(path) ? 0 : stat.mtimeMs;
  let newest = 0;
  for (const name of readdirSync(path)) newest = Math.max(newest, newestAt(join(path, name)));
  return newest;
}

/** True when a bundle is missing or older than anything it is made of. */
export function bundlesAreStale() {
  const builtAt = BUNDLES.map((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.min(...builtAt) < Math.max(...SOURCES.map((path) => newestAt(join(root, path))));
}

/** Builds the bundles. Standard output stays the caller's: the build speaks on standard error. */
export async function build() {
  process.stderr.write('Building the bundles…\n');
  const child = spawn(node24, [tool('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    env: env24,
    stdio: ['ignore', 2, 2],
  });
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`The bundles could not be built: electron-vite ended with ${code}.`));
    });
  });
}

export async function buildIfStale() {
  if (bundlesAreStale()) await build();
}
