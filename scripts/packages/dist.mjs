/**
 * `npm run dist`: leaves packages in `dist/`, of the desktop program, or with `headless` of Hangar without a window.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, buildIfStale } from '../bundles.mjs';
import { makeDeb, whyNoDeb } from './debPackage.mjs';
import { makeNpmPackage } from './npmPackage.mjs';
import { readManifest } from './program.mjs';
import { desktopSizes, SIZE_CAPS, sizeOf, sizeReport } from './sizes.mjs';
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

/** Lists what was made. A package above its cap fails the run. */
function report(/** @type {readonly import('./sizes.mjs').Size[]} */ sizes) {
  const { lines, problems } = sizeReport(sizes, root);
  for (const line of lines) process.stdout.write(`${line}\n`);
  for (const problem of problems) process.stderr.write(`dist: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

async function headless() {
  await bundles();
  mkdirSync(work, { recursive: true });
  const { version } = readManifest();
  report([sizeOf(makeNpmPackage({ target, work, version }), SIZE_CAPS.npmPacked)]);
  const whyNot = whyNoDeb();
  if (whyNot === undefined) report([sizeOf(makeDeb({ target, work, version }), SIZE_CAPS.debPacked)]);
  else process.stderr.write(`dist: no Debian package: ${whyNot}.\n`);
  rmSync(work, { recursive: true, force: true });
}

async function desktop(/** @type {boolean} */ folderOnly) {
  // Only a build of the desktop program needs it.
  const { fetchProblem, makeDesktop } = await import('./desktop.mjs');
  await bundles();
  const electronDist = process.env['HANGAR_ELECTRON_DIST'];
  const made = join(target, 'desktop');
  // What an earlier run left is not listed as made.
  rmSync(made, { recursive: true, force: true });
  try {
    await makeDesktop({
      target: made,
      work,
      folderOnly,
      ...(electronDist !== undefined && { electronDist }),
    });
    report(desktopSizes(made));
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
