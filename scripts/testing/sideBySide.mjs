/** Runs several checks of one kind, two at a time: their programs use one core each, and share nothing. */

import { spawn } from 'node:child_process';
import { env24, node24, root } from '../run24.mjs';

const AT_A_TIME = 2;

/** Prints one run's output in one piece, so that two that run at once can be told apart. @returns {Promise<boolean>} */
function run(/** @type {string[]} */ args) {
  const child = spawn(node24, args, { cwd: root, env: env24, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(output);
      resolve(code === 0);
    });
  });
}

/**
 * Each run is the arguments of one Node process; the longest ones first. The exit status tells whether all went well.
 */
export async function sideBySide(/** @type {string[][]} */ runs) {
  const waiting = [...runs];
  let allGood = true;
  async function takeNext() {
    for (let args = waiting.shift(); args !== undefined; args = waiting.shift()) {
      if (!(await run(args))) allGood = false;
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, takeNext));
  process.exitCode = allGood ? 0 : 1;
}
