/** `npm run serve`: builds the bundles where they are stale, then runs the headless host on Node 24. Readable by Node 20. */

import { buildIfStale } from './bundles.mjs';
import { runProgram } from './program.mjs';

await buildIfStale();
await runProgram('out/main/headless.js', process.argv.slice(2));
