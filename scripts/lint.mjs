/** Lints everything, a top folder at a time: one linter for all of them needs the types of all of them at once. */

import { onNode24, tool } from './run24.mjs';
import { sideBySide } from './sideBySide.mjs';

await onNode24();

const LARGE = ['renderer', 'main', 'test'];
const eslint = [tool('eslint/bin/eslint.js'), process.stdout.isTTY ? '--color' : '--no-color'];
const theRest = ['.', ...LARGE.flatMap((folder) => ['--ignore-pattern', `${folder}/**`])];

await sideBySide([...LARGE.map((folder) => [...eslint, folder]), [...eslint, ...theRest]]);
