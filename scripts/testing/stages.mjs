/** The stages of `npm test`: what each runs, and how what it prints and reports is turned into counts. */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env24, node24, root, tool } from '../run24.mjs';

/**
 * @typedef {{ stage: string, name: string, state: 'passed' | 'failed' | 'skipped', reason?: string | undefined, where?: string | undefined }} Test
 *   `reason`: why it was skipped, or the error it failed with. `where`: the line of the spec that failed, as `path:line`.
 * @typedef {{ stage: string, file: string, startedAt: number, endedAt: number, busyMs: number }} TestFile Times since the epoch;
 *   `busyMs` is the time spent in the file, which other files may have shared.
 * @typedef {{ client: string, call: string, outcome: 'passes' | 'fails' | 'skipped', reason?: string }} ClientCall What became of
 *   one call of a published client.
 * @typedef {{ tests: Test[], files: TestFile[], faults: string[], clientCalls?: ClientCall[] }} Report `faults` are failures that
 *   belong to no single test.
 * @typedef {{ name: string, tookMs: number, output: string, report: Report }} Outcome
 * @typedef {{ stages: string[], files?: string[], tag?: string, except?: string | undefined }} PlaywrightRun Without `files`, all
 *   of the stages; only tests with `tag`, none with the tag `except`.
 */

/** Nothing here takes half of this on the slowest machine it is meant for: a stage that does is stuck. */
const STUCK_AFTER_MS = 60 * 60_000;

const VITEST = ['unit', 'page', 'architecture', 'conformance', 'containers', 'system', 'packages', 'clients'];
const PLAYWRIGHT = ['e2e', 'desktop', 'e2eContainers'];
/** The stages whose tests all need a container engine. */
const WITH_CONTAINERS = ['containers', 'e2eContainers'];
/** One browser journey for each page, on the headless host and on the desktop: the tests with this tag. */
export const JOURNEYS = { name: 'journeys', tag: '@journey', stages: ['e2e', 'desktop'] };

/** Checks without tests of their own; each counts as one. @type {Record<string, string[]>} */
export const CHECKS = {
  build: [join(root, 'scripts', 'build.mjs')],
  types: [join(root, 'scripts', 'types.mjs')],
  lint: [tool('oxlint/bin/oxlint')],
  format: [tool('oxfmt/bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern'],
  knip: [tool('knip/bin/knip.js'), '--no-config-hints'],
};
/** What corrects what a check finds. @type {Record<string, string>} */
const REMEDIES = { format: '`npm run format` corrects these files:' };
/** What a check reads where it is given no files. @type {Record<string, string[]>} */
const EVERYTHING = { format: ['.'] };

export const QUICK_STAGES = [...Object.keys(CHECKS), 'unit', 'page', 'architecture', 'conformance', JOURNEYS.name];
export const FULL_STAGES = [...Object.keys(CHECKS), ...VITEST, ...PLAYWRIGHT];
export const STAGES = [...FULL_STAGES, JOURNEYS.name];

/** Where Node keeps the compiled code of all that the stages start: test programs, hosts and commands. */
export const COMPILED_CODE = join(root, 'node_modules', '.cache', 'compiled');

const PYTHON_FOLDER = 'import os, sys; print(os.path.dirname(sys.executable))';

/**
 * The PATH on which `python3` is the interpreter itself. With some version managers it is a script, which starts thirty
 * shells for each call; the tests make hundreds of calls.
 */
function pathWithPython(/** @type {string} */ path) {
  const { status, stdout } = spawnSync('python3', ['-c', PYTHON_FOLDER], { env: env24, encoding: 'utf8' });
  const folder = (stdout ?? '').trim();
  const folders = path.split(delimiter);
  const first = folders.findIndex((entry) => existsSync(join(entry, 'python3')));
  if (status !== 0 || folders[first] === folder || !existsSync(join(folder, 'python3'))) return path;
  return folders.toSpliced(first, 0, folder).join(delimiter);
}

/** @type {string | undefined} */
let testPath;

/** Nobody reads a pipe in colour, and settings of the person's own instance are none of the tests' business. */
function environment() {
  /** @type {NodeJS.ProcessEnv} */
  const { HANGAR_API_KEY: _key, FORCE_COLOR: _force, NO_COLOR: _none, ...rest } = env24;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  testPath ??= pathWithPython(rest['PATH'] ?? '');
  return { NODE_COMPILE_CACHE: COMPILED_CODE, ...rest, PATH: testPath, ...colour };
}

const OWN_NETWORK = ['--net', 'sh', '-c', 'busybox ip link set lo up && exec "$0" "$@"'];

/**
 * A browser drops what it is loading when a network comes up, as those of containers do. In a network of their own,
 * which has only a loopback address, tests with containers run beside those with a browser. Where none can be made, no
 * test starts a container either (`whyNoContainers` in test/support/containers/engine.ts).
 */
function inOwnNetwork(/** @type {string[]} */ command) {
  const { status } = spawnSync('unshare', [...OWN_NETWORK, 'true'], { stdio: 'ignore' });
  return status === 0 ? ['unshare', ...OWN_NETWORK, ...command] : command;
}

/**
 * @typedef {object} Conditions
 * @property {Record<string, string>} [env] Variables beside those of this process.
 * @property {boolean} [aside] It gets less time than others that have a use for it.
 * @property {boolean} [ownNetwork]
 */

/**
 * The priority of what runs aside: about a third of the time of an equal program. With the lowest one, the linter would
 * take an hour on a machine that others keep busy.
 */
const ASIDE = 5;

/** Runs Node to its end and keeps all it prints. */
function run(
  /** @type {string[]} */ args,
  /** @type {Conditions} */ { env = {}, aside = false, ownNetwork = false } = {},
) {
  const [program = node24, ...rest] = ownNetwork ? inOwnNetwork([node24, ...args]) : [node24, ...args];
  const child = spawn(program, rest, {
    cwd: root,
    env: { ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STUCK_AFTER_MS,
    killSignal: 'SIGKILL',
  });
  // What it starts itself inherits this.
  if (aside && child.pid !== undefined) setPriority(child.pid, ASIDE);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  return new Promise((/** @type {(ended: { ok: boolean, why: string, output: string }) => void} */ resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ ok: code === 0, why: `ended with ${code ?? signal}`, output }));
  });
}

/** Times a stage. A stage that cannot even be run is one failure, with its reason. */
async function timed(
  /** @type {string} */ name,
  /** @type {() => Promise<{ output: string, report: Report }>} */ work,
) {
  const startedAt = performance.now();
  const { output, report } = await work().catch((/** @type {unknown} */ error) => ({
    output: '',
    report: { tests: [], files: [], faults: [String(error)] },
  }));
  /** @type {Outcome} */
  const outcome = { name, tookMs: performance.now() - startedAt, output, report };
  return outcome;
}

/**
 * The linter and the compiler are written in Go. With two threads they take half as much processor time again as with
 * one, and other tests run beside them.
 */
const ONE_THREAD = { GOMAXPROCS: '1' };

/** `files`: the only ones to read; all of them where none is named. */
export function runCheck(/** @type {string} */ name, /** @type {string[]} */ files = []) {
  return timed(name, async () => {
    const args = [...(CHECKS[name] ?? []), ...(files.length > 0 ? files : (EVERYTHING[name] ?? []))];
    const { ok, output } = await run(args, { aside: name !== 'build', env: ONE_THREAD });
    /** @type {Test} */
    const test = ok
      ? { stage: name, name, state: 'passed' }
      : { stage: name, name, state: 'failed', reason: [REMEDIES[name] ?? '', output.trim()].join('\n').trim() };
    return { output, report: { tests: [test], files: [], faults: [] } };
  });
}

/** Runs one test program and reads what its reporter wrote; its exit status has to agree with it. */
async function runTests(
  /** @type {string[]} */ args,
  /** @type {string[]} */ mustExecute,
  /** @type {Conditions} */ { env = {}, ownNetwork = false } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-report-'));
  try {
    const file = join(folder, 'report.json');
    const { ok, why, output } = await run(args, { env: { ...env, HANGAR_TEST_REPORT: file }, ownNetwork });
    if (!existsSync(file))
      return { output, report: { tests: [], files: [], faults: [`the run ${why} without a report`] } };
    /** @type {Report} */
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const failed = report.faults.length > 0 || report.tests.some(({ state }) => state === 'failed');
    if (!ok && !failed) report.faults.push(`every test passed, and yet the run ${why}`);
    for (const stage of mustExecute) {
      const executed = report.tests.some((test) => test.stage === stage && test.state !== 'skipped');
      if (!executed) report.faults.push(`${stage}: not one test was executed`);
    }
    return { output, report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const vitest = (/** @type {string[]} */ stages) => [
  '--reporter=default',
  `--reporter=${join(root, 'scripts', 'testing', 'vitestReport.mjs')}`,
  ...stages.map((stage) => `--project=${stage}`),
];

const needContainers = (/** @type {string[]} */ stages) => stages.every((stage) => WITH_CONTAINERS.includes(stage));

/**
 * Runs all of the stages, only the specs `files`, or the specs that are or import one of `related`, over whatever files
 * between.
 */
export function runVitest(/** @type {import('./selection.mjs').VitestRun} */ { stages, files, related }) {
  const name = stages.join(' + ');
  const start = tool('vitest/vitest.mjs');
  if (related !== undefined) {
    return timed(`${name}, as far as they import what changed`, () =>
      runTests([start, 'related', '--run', '--passWithNoTests', ...vitest(stages), ...related], []),
    );
  }
  return timed(name, () =>
    runTests([start, 'run', ...vitest(stages), ...(files ?? [])], files === undefined ? stages : [], {
      ownNetwork: needContainers(stages),
    }),
  );
}

const playwright = (/** @type {PlaywrightRun} */ { stages, files = [], tag, except }) => [
  tool('@playwright/test/cli.js'),
  'test',
  // Each run empties its folder first: what the failures of another one left stays.
  `--output=${join('test-results', tag === undefined ? stages.join('-') : 'journeys')}`,
  `--reporter=list,${join(root, 'scripts', 'testing', 'playwrightReport.mjs')}`,
  ...stages.map((stage) => `--project=${stage}`),
  ...files,
  ...(tag === undefined ? [] : ['--grep', tag]),
  ...(except === undefined ? [] : ['--grep-invert', except, '--pass-with-no-tests']),
];

export function runPlaywright(/** @type {string} */ name, /** @type {PlaywrightRun} */ selection) {
  // Its workers are told to use colours, and warn of it once each where the same environment says not to.
  const env = { NO_COLOR: '' };
  const { stages, files } = selection;
  const ownNetwork = needContainers(stages);
  return timed(name, () => runTests(playwright(selection), files === undefined ? stages : [], { env, ownNetwork }));
}

/** Counts browser tests without running them, for a machine that has no browser. */
export function skipPlaywright(
  /** @type {string} */ name,
  /** @type {PlaywrightRun} */ selection,
  /** @type {string} */ reason,
) {
  return timed(name, async () => {
    const { report } = await runTests([...playwright(selection), '--list'], []);
    return {
      output: '',
      report: {
        ...report,
        tests: report.tests.map((test) => ({ ...test, state: /** @type {const} */ ('skipped'), reason })),
      },
    };
  });
}
