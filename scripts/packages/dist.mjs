/**
 * `npm run dist`: leaves packages in `dist/`, of the desktop program, or with `headless` of Hangar without a window.
 */

import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, buildIfStale } from '../bundles.mjs';
import { makeDeb, whyNoDeb } from './debPackage.mjs';
import { makeNpmPackage } from './npmPackage.mjs';
import { readManifest } from './program.mjs';
import { onNode24, root } from '../run24.mjs';

await onNode24();

const USAGE = `npm run dist               the desktop program, as packages for this system
npm run dist -- --dir      the desktop program as a folder, without packages
npm run dist -- headless   Hangar without a window: an npm package and a Debian package

HANGAR_ELECTRON_DIST names a folder with Electron's program; it is fetched otherwise.
`;

const target = join(root, 'dist');
const work = join(target, 'work');

/** Bundles that were built to be debugged name files of this machine. */
const haveSourceMaps = () =>
  readdirSync(join(root, 'out'), { recursive: true, encoding: 'utf8' }).some((path) => path.endsWith('.map'));

async function bundles() {
  await buildIfStale();
  if (haveSourceMaps()) await build();
}

function report(/** @type {string} */ path) {
  process.stdout.write(`${relative(root, path)}  ${(statSync(path).size / 1e6).toFixed(1)} MB\n`);
}

async function headless() {
  await bundles();
  mkdirSync(work, { recursive: true });
  const { version } = readManifest();
  report(makeNpmPackage({ target, work, version }));
  const whyNot = whyNoDeb();
  if (whyNot === undefined) report(makeDeb({ target, work, version }));
  else process.stderr.write(`dist: no Debian package: ${whyNot}.\n`);
  rmSync(work, { recursive: true, force: true });
}

async function desktop(/** @type {boolean} */ folderOnly) {
  // Only a build of the desktop program needs it.
  const { fetchProblem, makeDesktop } = await import('./desktop.mjs');
  await bundles();
  const electronDist = process.env['HANGAR_ELECTRON_DIST'];
  try {
    await makeDesktop({
      target: join(target, 'desktop'),
      work,
      folderOnly,
      ...(electronDist !== undefined && { electronDist }),
    });
  } catch (thrown) {
    const problem = fetchProblem(thrown);
    if (problem === null) throw thrown;
    process.stderr.write(`dist: ${problem}\n`);
    process.exitCode = 1;
  }
  rmSync(work, { recursive: true, force: true });
}

const choice = process.argv.slice(2).join(' ');
if (choice === 'headless') await headless();
else if (choice === '' || choice === '--dir') await desktop(choice === '--dir');
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
