/**
 * Writes docs/clients.md anew, from the table of published clients and the reasons why some of their calls cannot pass.
 */

import { spawnSync } from 'node:child_process';
import { env24, node24, onNode24, root, tool } from './run24.mjs';

await onNode24();
const vitest = [tool('vitest/vitest.mjs'), 'run', '--project=clients', 'test/clients/document.spec.ts', '--update'];
process.exitCode = spawnSync(node24, vitest, { cwd: root, env: env24, stdio: 'inherit' }).status ?? 1;
