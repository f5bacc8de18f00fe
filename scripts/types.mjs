/**
 * Type-checks every top folder with its own tsconfig, by the native compiler: a quarter of the processor time of the
 * other one.
 */

import { onNode24, tool } from './run24.mjs';
import { sideBySide } from './testing/sideBySide.mjs';

await onNode24();

const colour = process.stdout.isTTY ? ['--pretty'] : [];
await sideBySide(
  ['renderer', 'main', 'test', 'preload', 'scripts'].map((project) => [
    tool('typescript-native/bin/tsc'),
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/types/${project}.tsbuildinfo`,
    // Each checker works out the types that it needs anew: four of them, as without this, take twice as much processor
    // time. Two projects are checked at a time.
    '--checkers',
    '1',
    ...colour,
  ]),
);
