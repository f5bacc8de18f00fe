/** Type-checks every top folder with its own tsconfig. */

import { onNode24, tool } from './run24.mjs';
import { sideBySide } from './sideBySide.mjs';

await onNode24();

const colour = process.stdout.isTTY ? ['--pretty'] : [];
await sideBySide(
  ['renderer', 'main', 'test', 'preload', 'scripts'].map((project) => [
    tool('typescript/bin/tsc'),
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/types/${project}.tsbuildinfo`,
    ...colour,
  ]),
);
