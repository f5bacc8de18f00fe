/** Runs a program as if it were this one: same streams, arguments, signals and exit code. Readable by Node 20. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { node24, root } from './run24.mjs';

const PARENT_LOOK_MS = 300;
const parent = process.ppid;

/**
 * npm's shell does not pass a signal on, it just dies: without this, stopping npm would leave the program running
 * alone. Answers how to stop looking.
 */
function stopWithParent(/** @type {import('node:child_process').ChildProcess} */ child) {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return () => undefined;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_LOOK_MS);
  return () => clearInterval(watch);
}

/** Ends this process as the child ends. @returns {Promise<never>} */
export async function becomes(/** @type {string} */ command, /** @type {string[]} */ args) {
  const child = spawn(command, args, { stdio: 'inherit' });
  const stopLooking = stopWithParent(child);
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // The child is told once: to it a further signal means that it must end at once.
      stopLooking();
      // Ctrl+C has reached it already: the terminal sends it to the whole group.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  /** @type {number} */
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve(status ?? (signal === null ? 1 : 128)));
  });
  process.exit(code);
}

/**
 * A bundle, on the project's own Node 24. The working folder stays the caller's, so that relative paths mean what was
 * typed.
 */
export const runProgram = (/** @type {string} */ bundle, /** @type {string[]} */ args) =>
  becomes(node24, [join(root, bundle), ...args]);

/**
 * With --help: runs the source of the program, which prints its help, and ends this process as it ends. Help needs no
 * bundles, and a person who asks for it does not wait for a build.
 */
export async function printHelp(/** @type {string} */ source, /** @type {string[]} */ args) {
  if (args.includes('--help')) await becomes(node24, [join(root, source), ...args]);
}
