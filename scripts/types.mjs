/** Type-checks every top folder with its own tsconfig, two at a time, and prints what the compiler has to say. */

import { spawn } from 'node:child_process';
import { env24, node24, onNode24, root, tool } from './run24.mjs';

/** The largest first, so that the two that run side by side end together. */
const PROJECTS = ['renderer', 'main', 'test', 'preload', 'scripts'];
const SIDE_BY_SIDE = 2;

await onNode24();

/** @returns {Promise<boolean>} */
function check(/** @type {string} */ project) {
  return new Promise((resolve, reject) => {
    const colour = process.stdout.isTTY ? ['--pretty'] : [];
    const args = [tool('typescript/bin/tsc'), '-p', project, ...colour];
    const child = spawn(node24, args, { cwd: root, env: env24, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

const waiting = [...PROJECTS];
let failed = 0;

async function takeFromWaiting() {
  for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
    if (!(await check(project))) failed += 1;
  }
}

await Promise.all(Array.from({ length: SIDE_BY_SIDE }, takeFromWaiting));
process.exitCode = failed === 0 ? 0 : 1;
