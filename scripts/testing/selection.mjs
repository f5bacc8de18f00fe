/** What a call of `npm test` runs: a tier, single stages, single files, or what a change touches. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../run24.mjs';
import { FULL_STAGES, QUICK_STAGES, STAGES } from './stages.mjs';

export const USAGE = `npm test -- [flags] [stage, path or name ...]
  (nothing)         the quick tier, for before each commit: ${QUICK_STAGES.join(', ')}
  --full            everything, as \`npm run test:full\`: ${FULL_STAGES.join(', ')}
  --changed[=REF]   what the uncommitted changes touch, or all changes since the commit REF
  --seed N          draws the random cases from this seed; otherwise one seed for every quick run, a new one for every full run
  STAGE ...         only these stages
  PATH or NAME ...  only the spec files whose path contains this
`;

/** What can be wrong with the arguments; its message is for the person who typed them. */
export class SelectionError extends Error {}

/** @returns {never} */
function refuse(/** @type {string} */ why) {
  throw new SelectionError(`${why}\n${USAGE}`);
}

/**
 * @typedef {object} Selection
 * @property {'quick' | 'full'} tier
 * @property {string[]} stages The stages to run, in no order. Empty where only files were named.
 * @property {string[]} files Spec files to run whole, relative to the root, with forward slashes.
 * @property {string[]} related Changed files: checks read these alone, and specs that import one run.
 * @property {number | undefined} seed
 */

/** `--changed` may stand without a value, which `parseArgs` has no word for. */
const withValue = (/** @type {string} */ argument) => (argument === '--changed' ? '--changed=' : argument);

/** @returns {{ full: boolean, changed: string | undefined, seed: number | undefined, names: string[] }} */
function parse(/** @type {string[]} */ argv) {
  /** @type {{ values: { full?: boolean, changed?: string, seed?: string }, positionals: string[] }} */
  let parsed;
  try {
    parsed = parseArgs({
      args: argv.map(withValue),
      allowPositionals: true,
      options: { full: { type: 'boolean' }, changed: { type: 'string' }, seed: { type: 'string' } },
    });
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
  const { full = false, changed, seed } = parsed.values;
  if (seed !== undefined && !/^-?\d{1,10}$/.test(seed)) refuse(`--seed takes a whole number, not ${seed}.`);
  return { full, changed, seed: seed === undefined ? undefined : Number(seed), names: parsed.positionals };
}

/** Every spec file, relative to the root, with forward slashes. */
export const specFiles = () =>
  ['main', 'preload', 'renderer', 'scripts', 'test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.spec\.tsx?$/.test(path))
    .sort();

/** The stage that runs a spec file. */
export function stageOf(/** @type {string} */ path) {
  if (path.startsWith('test/e2e/containers/')) return 'e2eContainers';
  if (path.startsWith('test/e2e/')) return 'e2e';
  if (path.startsWith('test/desktop/')) return 'desktop';
  if (/^test\/(conformance|system)\/containers\//.test(path)) return 'containers';
  const folder = /^test\/(architecture|conformance|system|packages|clients)\//.exec(path);
  if (folder) return folder[1] ?? '';
  return path.endsWith('.tsx') ? 'page' : 'unit';
}

function git(/** @type {string[]} */ args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (error !== undefined) refuse(`--changed asks git what changed, and git could not be started: ${error.message}`);
  if (status !== 0) refuse(`--changed asks git what changed, and git said: ${stderr.trim()}`);
  return stdout.split('\0').filter((line) => line !== '');
}

/** Files that were changed or added since `ref` and are still there. */
function changedSince(/** @type {string} */ ref) {
  const changed = git(['diff', '--name-only', '--diff-filter=d', '-z', ref, '--']);
  return [...new Set([...changed, ...git(['ls-files', '--others', '--exclude-standard', '-z'])])];
}

/** What decides how everything is built or tested: a change of it touches every stage. */
const SETTINGS = /^(package(-lock)?\.json|[^/]*\.config\.ts|tsconfig[^/]*\.json|scripts\/[^.]*\.mjs)$/;
const ENGINE = /^main\/(engine|contract|terminal)\/|^main\/(engine|bodyThread)\.ts$|^resources\/worker-kit\//;
const PROGRAM = /^(main|preload|renderer|resources)\//;

/** The stages whose tests drive built programs, and so import nothing of what they test. */
function stagesTouchedBy(/** @type {string[]} */ changed) {
  const sources = changed.filter((path) => !/\.spec\.tsx?$|\.md$/.test(path));
  const code = changed.some((path) => /\.(tsx?|mjs|js)$/.test(path));
  return [
    ...(changed.length > 0 ? ['format'] : []),
    ...(code ? ['lint', 'types', 'knip', 'architecture'] : []),
    ...(sources.some((path) => ENGINE.test(path)) ? ['conformance'] : []),
    ...(sources.some((path) => PROGRAM.test(path)) ? ['build', 'journeys'] : []),
  ];
}

/** @returns {Pick<Selection, 'stages' | 'files' | 'related'>} */
function touched(/** @type {string} */ ref) {
  const changed = changedSince(ref === '' ? 'HEAD' : ref);
  if (changed.length === 0) {
    refuse(
      ref === ''
        ? 'Nothing is changed since the last commit. To test what a commit changed: npm test -- --changed=HEAD~1'
        : `Nothing is changed since ${ref}.`,
    );
  }
  const specs = new Set(specFiles());
  const files = changed.filter((path) => specs.has(path));
  // With the settings, checks read everything again.
  if (changed.some((path) => SETTINGS.test(path))) return { stages: QUICK_STAGES, files, related: [] };
  return { stages: stagesTouchedBy(changed), files, related: changed };
}

/** @returns {Pick<Selection, 'stages' | 'files' | 'related'>} */
function named(/** @type {string[]} */ names) {
  const all = specFiles();
  const stages = names.filter((name) => STAGES.includes(name));
  const files = names
    .filter((name) => !STAGES.includes(name))
    .flatMap((name) => {
      const wanted = name.replaceAll('\\', '/').replace(/^\.\//, '');
      const matching = all.filter((path) => path.includes(wanted));
      if (matching.length === 0) {
        refuse(
          `There is no stage ${name}, and no spec file with ${name} in its path. The stages: ${STAGES.join(', ')}.`,
        );
      }
      return matching;
    });
  return { stages, files: [...new Set(files)], related: [] };
}

/**
 * Reads the arguments of `npm test`. Throws a SelectionError that says what is wrong with them.
 * @returns {Selection}
 */
export function select(/** @type {string[]} */ argv) {
  const { full, changed, seed, names } = parse(argv);
  const tier = full ? 'full' : 'quick';
  if (changed !== undefined && (full || names.length > 0)) refuse('--changed goes with no other choice of tests.');
  if (full && names.length > 0) refuse('--full goes with no other choice of tests.');
  if (changed !== undefined) return { tier, seed, ...touched(changed) };
  if (names.length > 0) return { tier: 'full', seed, ...named(names) };
  return { tier, seed, stages: full ? FULL_STAGES : QUICK_STAGES, files: [], related: [] };
}

/** The files that a check can read alone; every other check reads all there is. */
export const checkable = (/** @type {string} */ check, /** @type {string[]} */ files) =>
  check === 'format' ? files : check === 'lint' ? files.filter((path) => /\.(tsx?|mjs|js)$/.test(path)) : [];

/** The stages whose specs import what they test, so that a change reaches them by what they import. */
const IMPORTING = ['unit', 'page', 'conformance'];

/**
 * @typedef {{ stages: string[], files?: string[], related?: string[] }} VitestRun `files`: these specs only. `related`: the specs
 *   among these files, and those that import one. Neither: all of the stages.
 */

/**
 * The runs of Vitest for the stages `names`. Each spec file is in one run only: a changed spec of a stage that is
 * searched for imports is found there.
 */
export function vitestRuns(
  /** @type {Pick<Selection, 'stages' | 'files' | 'related'>} */ { stages, files, related },
  /** @type {string[]} */ names,
) {
  const whole = names.filter((stage) => stages.includes(stage));
  const left = names.filter((stage) => !stages.includes(stage));
  const searched = related.length > 0 ? left.filter((stage) => IMPORTING.includes(stage)) : [];
  const own = files.filter((path) => left.includes(stageOf(path)) && !searched.includes(stageOf(path)));
  /** @type {VitestRun[]} */
  const runs = [
    { stages: whole },
    { stages: [...new Set(own.map(stageOf))], files: own },
    { stages: searched, related },
  ];
  return runs.filter((run) => run.stages.length > 0);
}
