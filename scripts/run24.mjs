/**
 * Runs a script on the project's own Node 24, whatever Node started it. Node's own modules only, readable by Node 20.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MAJOR = 24;
const binary = process.platform === 'win32' ? 'node.exe' : 'node';

/** Where the npm package `node` puts its program. */
export const node24 = join(root, 'node_modules', 'node', 'bin', binary);

/** The environment in which `node` and every tool of the project are found first, for whatever a script starts. */
export const env24 = {
  ...process.env,
  PATH: [dirname(node24), join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter),
};

/**
 * The file behind a tool's command, so that it can be started without a shell on every system:
 * `tool('vitest/vitest.mjs')`.
 */
export const tool = (/** @type {string} */ path) => join(root, 'node_modules', ...path.split('/'));

/**
 * Call first in a script. On Node 24 it returns at once; otherwise the script is started again on Node 24 with the same
 * arguments, streams and signals, and this process ends as that one does.
 */
export async function onNode24() {
  if (Number(process.versions.node.split('.')[0]) >= MAJOR) return;
  if (!existsSync(node24)) {
    process.stderr.write(`Node ${MAJOR} is missing (${node24}). Run \`node scripts/setup.mjs\` first.\n`);
    process.exit(1);
  }
  const child = spawn(node24, process.argv.slice(1), { stdio: 'inherit', env: env24 });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? (signal === null ? 1 : 128);
      resolve(undefined);
    });
  });
  process.exit();
}
