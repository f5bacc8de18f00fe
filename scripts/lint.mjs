/** Lints everything, a top folder at a time: one linter for all of them needs the types of all of them at once. */

import { onNode24, tool } from './run24.mjs';
import { sideBySide } from './sideBySide.mjs';

await onNode24();

const LARGE = ['renderer', 'main', 'test'];
const colour = process.stdout.isTTY ? '--color' : '--no-color';
// What a change elsewhere does to the types of a file that did not change is found on a fresh clone, which has no cache.
const cache = ['--cache', '--cache-strategy', 'content'];
const eslint = (/** @type {string} */ folder) => [
  tool('eslint/bin/eslint.js'),
  colour,
  ...cache,
  '--cache-location',
  `node_modules/.cache/eslint/${folder}.json`,
];
const theRest = ['.', ...LARGE.flatMap((folder) => ['--ignore-pattern', `${folder}/**`])];

await sideBySide([...LARGE.map((folder) => [...eslint(folder), folder]), [...eslint('rest'), ...theRest]]);
