/**
 * `npm run -s hangar -- …`: builds the bundles where they are stale, then runs the command line on Node 24. Readable by
 * Node 20.
 */

import { buildIfStale } from './bundles.mjs';
import { printHelp, runProgram } from './program.mjs';

await printHelp('main/cli.ts', process.argv.slice(2));
await buildIfStale();
await runProgram('out/main/cli.js', process.argv.slice(2));
