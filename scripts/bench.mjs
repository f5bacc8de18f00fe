/**
 * `npm run bench` measures the built engine beside its peers, `npm run bench:page` (`--page`) the page. The flags stand
 * in test/bench/README.md. `--source` takes the engine from source.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale } from './bundles.mjs';
import { env24, node24, onNode24, root } from './run24.mjs';

await onNode24();

const flags = process.argv.slice(2).filter((flag) => flag !== '--source' && flag !== '--page');
const program = process.argv.includes('--page') ? ['page', 'main.ts'] : ['main.ts'];
const fromSource = process.argv.includes('--source');
if (fromSource) flags.push('--entry', join(root, 'main', 'engine.ts'));
else if (!flags.includes('--help')) await buildIfStale();

const child = spawn(node24, [join(root, 'test', 'bench', ...program), ...flags], {
  cwd: root,
  env: env24,
  stdio: 'inherit',
});
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 130);
});
