/** The stages of `npm test`: what each runs, and how what it prints and reports is turned into counts. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { env24, node24, root, tool } from '../run24.mjs';

/**
 * @typedef {{ stage: string, name: string, state: 'passed' | 'failed' | 'skipped', reason?: string | undefined }} Test
 * @typedef {{ tests: Test[], faults: string[] }} Report `faults` are failures that belong to no single test.
 * @typedef {{ name: string, tookMs: number, output: string, report: Report }} Outcome
 */

/** Nothing here takes half of this on the slowest machine it is meant for: a stage that does is stuck. */
const STUCK_AFTER_MS = 25 * 60_000;

const VITEST = ['unit', 'architecture', 'conformance', 'system'];
const PLAYWRIGHT = ['e2e', 'desktop', 'e2eContainers'];

/** Checks without tests of their own; each counts as one. @type {Record<string, string[]>} */
export const CHECKS = {
  build: [tool('electron-vite/bin/electron-vite.js'), 'build'],
  lint: [tool('oxlint/bin/oxlint')],
  types: [join(root, 'scripts', 'types.mjs')],
  format: [
    tool('prettier/bin/prettier.cjs'),
    ...[
      '--check',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      'node_modules/.cache/prettier/checked',
    ],
    '.',
  ],
  knip: [tool('knip/bin/knip.js'), '--no-config-hints'],
};

export const STAGES = [...Object.keys(CHECKS), ...VITEST, ...PLAYWRIGHT];

/** Nobody reads a pipe in colour, and settings of the person's own instance are none of the tests' business. */
function environment() {
  /** @type {NodeJS.ProcessEnv} */
  const { HANGAR_API_KEY: _key, FORCE_COLOR: _force, NO_COLOR: _none, ...rest } = env24;
  return { ...rest, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) };
}

/** Runs a program to its end and keeps all it prints. One `aside` gets the time that nobody else has a use for. */
function run(/** @type {string[]} */ args, /** @type {Record<string, string>} */ extra = {}, aside = false) {
  const child = spawn(node24, args, {
    cwd: root,
    env: { ...environment(), ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: STUCK_AFTER_MS,
    killSignal: 'SIGKILL',
  });
  // What it starts itself inherits this.
  if (aside && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
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
    report: { tests: [], faults: [String(error)] },
  }));
  /** @type {Outcome} */
  const outcome = { name, tookMs: performance.now() - startedAt, output, report };
  return outcome;
}

export function runCheck(/** @type {string} */ name) {
  return timed(name, async () => {
    const { ok, output } = await run(CHECKS[name] ?? [], {}, name !== 'build');
    return { output, report: { tests: [{ stage: name, name, state: ok ? 'passed' : 'failed' }], faults: [] } };
  });
}

/** Runs one test program and reads what its reporter wrote; its exit status has to agree with it. */
async function runTests(/** @type {string[]} */ args, /** @type {string[]} */ stages, mustExecute = true) {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-report-'));
  try {
    const file = join(folder, 'report.json');
    const { ok, why, output } = await run(args, { HANGAR_TEST_REPORT: file });
    /** @type {Report} */
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const failed = report.faults.length > 0 || report.tests.some(({ state }) => state === 'failed');
    if (!ok && !failed) report.faults.push(`${stages.join(', ')}: every test passed, and yet the run ${why}`);
    for (const stage of mustExecute ? stages : []) {
      const executed = report.tests.some((test) => test.stage === stage && test.state !== 'skipped');
      if (!executed) report.faults.push(`${stage}: not one test was executed`);
    }
    return { output, report };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function runVitest(/** @type {string[]} */ stages) {
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'testing', 'vitestReport.mjs')}`];
  const projects = stages.map((stage) => `--project=${stage}`);
  return timed(stages.join(' + '), () =>
    runTests([tool('vitest/vitest.mjs'), 'run', ...reporters, ...projects], stages),
  );
}

const playwright = (/** @type {string[]} */ stages) => [
  tool('@playwright/test/cli.js'),
  'test',
  `--reporter=list,${join(root, 'scripts', 'testing', 'playwrightReport.mjs')}`,
  ...stages.map((stage) => `--project=${stage}`),
];

export function runPlaywright(/** @type {string[]} */ stages) {
  return timed(stages.join(' + '), () => runTests(playwright(stages), stages));
}

/** Counts browser tests without running them, for a machine that has no browser. */
export function skipPlaywright(/** @type {string[]} */ stages, /** @type {string} */ reason) {
  return timed(stages.join(' + '), async () => {
    const { report } = await runTests([...playwright(stages), '--list'], stages, false);
    return {
      output: '',
      report: {
        ...report,
        tests: report.tests.map((test) => ({ ...test, state: /** @type {const} */ ('skipped'), reason })),
      },
    };
  });
}

export const isVitest = (/** @type {string} */ stage) => VITEST.includes(stage);
export const isPlaywright = (/** @type {string} */ stage) => PLAYWRIGHT.includes(stage);
