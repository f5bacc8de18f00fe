/**
 * `npm run dev`: the page with hot reload, and app and engine from source, started again at each change of `main/`.
 * Readable by Node 20; the work is done on Node 24.
 */

import { runProgram } from './program.mjs';

await runProgram('scripts/dev/main.mjs', process.argv.slice(2));
