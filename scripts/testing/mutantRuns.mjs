/**
 * A process of `npm run mutate`: runs specs over and over, each time with another text in place of one file. The file
 * itself is never written, so whatever ends this process leaves the working tree as it was.
 */

import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import config from '../../vitest.config.ts';
import { root } from '../run24.mjs';

/** @typedef {{ path: string, specs: string[][] }} Orders `specs`: the first group to fail ends a run. */
/** @typedef {{ text: string, testLimitMs: number | null }} Ask Tests that take longer than this fail; null: as configured. */
/** @typedef {{ failed: string[], slowestMs: number }} Answer `failed` names what failed; empty where every test passed. */

/** @type {Orders} */
const { path, specs } = JSON.parse(process.argv[2] ?? '');
/** @type {string | null} */
let replaced = null;

const plugin = {
  name: 'hangar-mutant',
  enforce: /** @type {const} */ ('pre'),
  load: (/** @type {string} */ id) => (replaced !== null && id.split('?')[0] === path ? replaced : null),
};

/** @typedef {{ plugins?: unknown[], test?: { name?: unknown, setupFiles?: string[] } }} Project */
const setupFiles = /** @type {string[]} */ (config.test?.setupFiles ?? []);
// The others start whole programs, which a change in memory does not reach.
const projects = /** @type {Project[]} */ (config.test?.projects ?? []).filter(({ test }) =>
  ['unit', 'page'].includes(String(test?.name)),
);
const vitest = await createVitest({
  root,
  config: false,
  watch: false,
  bail: 1,
  reporters: [{}],
  passWithNoTests: true,
  // The cache on disk knows a module by the text of its file: it would hide every change.
  fsModuleCache: false,
  maxWorkers: config.test?.maxWorkers ?? 2,
  projects: /** @type {never} */ (
    projects.map((project) => ({
      ...project,
      extends: false,
      plugins: [...(project.plugins ?? []), plugin],
      // A process that ran one mutant still holds its modules.
      test: {
        ...project.test,
        setupFiles: [...setupFiles, ...(project.test?.setupFiles ?? [])],
        fsModuleCache: false,
        isolate: true,
      },
    }))
  ),
});
const all = await vitest.globTestSpecifications();
const groups = specs.map((group) => all.filter(({ moduleId }) => group.includes(moduleId)));

/** @returns {Promise<Answer>} */
async function run() {
  vitest.invalidateFile(path);
  let slowestMs = 0;
  for (const group of groups) {
    if (group.length === 0) continue;
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(group);
    const ids = new Set(group.map(({ moduleId }) => moduleId));
    const ran = testModules.filter(({ moduleId }) => ids.has(moduleId));
    for (const test of ran.flatMap(({ children }) => [...children.allTests()])) {
      slowestMs = Math.max(slowestMs, test.diagnostic()?.duration ?? 0);
    }
    const failed = [
      ...ran.filter((module) => !module.ok()).map(({ moduleId }) => moduleId.slice(join(root, '/').length)),
      ...unhandledErrors.map(String),
    ];
    if (failed.length > 0) return { failed, slowestMs };
  }
  return { failed: [], slowestMs };
}

process.on('message', (/** @type {Ask} */ { text, testLimitMs }) => {
  replaced = text;
  if (testLimitMs !== null) {
    for (const { config } of vitest.projects) config.testTimeout = config.hookTimeout = testLimitMs;
  }
  void run().then((answer) => process.send?.(answer));
});
process.once('disconnect', () => void vitest.close().then(() => process.exit(0)));
process.send?.('ready');
