/**
 * `npm test`: the checks and tests that `testing/selection.mjs` reads from the arguments, in the order that keeps two
 * cores busy.
 */

import { rmSync } from 'node:fs';
import { findChromium } from './chromium.mjs';
import { onNode24 } from './run24.mjs';
import { counts, inWords, printEnd, printOutcome } from './testing/summary.mjs';
import { SelectionError, USAGE, checkable, select, stageOf, vitestRuns } from './testing/selection.mjs';
import { COMPILED_CODE, JOURNEYS, runCheck, runPlaywright, runVitest, skipPlaywright } from './testing/stages.mjs';

/** @typedef {import('./testing/stages.mjs').Outcome} Outcome */
/** @typedef {import('./testing/stages.mjs').PlaywrightRun} PlaywrightRun */

const NO_BROWSER =
  'no Chromium was found. On Debian: apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell; ' +
  'elsewhere install Chrome or Chromium, or name it in HANGAR_CHROMIUM';

await onNode24();

/** @returns {import('./testing/selection.mjs').Selection} */
function selected() {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  try {
    return select(argv);
  } catch (error) {
    if (!(error instanceof SelectionError)) throw error;
    process.stderr.write(error.message);
    process.exit(2);
  }
}

const selection = selected();
const { tier, stages, files, related, seed } = selection;

// Both reach the tests: the full tier draws other random cases each time, and more of them
// (test/support/core/random.ts).
process.env['HANGAR_TEST_TIER'] = tier;
const isWholeTier = stages.length > 5 && tier === 'full';
const drawn = seed ?? (isWholeTier ? Math.floor(Math.random() * 2 ** 31) : undefined);
if (drawn !== undefined) process.env['HANGAR_TEST_SEED'] = String(drawn);
const seedLine =
  drawn === undefined ? '' : `Random cases are drawn from seed ${drawn}; the same again: --seed ${drawn}\n`;
process.stdout.write(seedLine);
// In part it is that of programs in folders of earlier runs, which are gone.
if (isWholeTier) rmSync(COMPILED_CODE, { recursive: true, force: true });

/** @type {Outcome[]} */
const outcomes = [];

async function finish(/** @type {Promise<Outcome>} */ running) {
  const outcome = await running;
  outcomes.push(outcome);
  printOutcome(outcome);
}

async function checks(/** @type {string[]} */ names) {
  for (const name of names.filter((check) => stages.includes(check))) {
    const readable = checkable(name, related);
    if (related.length === 0 || readable.length > 0 || !['lint', 'format'].includes(name)) {
      await finish(runCheck(name, readable));
    }
  }
}

async function vitest(/** @type {string[]} */ names) {
  for (const run of vitestRuns(selection, names)) await finish(runVitest(run));
}

async function playwright(/** @type {string} */ name, /** @type {PlaywrightRun} */ options) {
  await finish(findChromium() === undefined ? skipPlaywright(name, options, NO_BROWSER) : runPlaywright(name, options));
}

/** Runs what is chosen of browser stages that run together. */
async function browsers(/** @type {string[]} */ together) {
  const whole = together.filter((stage) => stages.includes(stage));
  if (whole.length > 0) await playwright(whole.join(' + '), { stages: whole });
  const own = files.filter((path) => together.includes(stageOf(path)) && !whole.includes(stageOf(path)));
  const ownStages = [...new Set(own.map(stageOf))];
  // The journeys of these files have run.
  const except = stages.includes(JOURNEYS.name) ? JOURNEYS.tag : undefined;
  if (own.length > 0) await playwright(ownStages.join(' + '), { stages: ownStages, files: own, except });
}

async function withContainers() {
  await vitest(['containers']);
  await browsers(['e2eContainers']);
}

// Tests that start whole programs spend half their time waiting for them: checks, which nobody waits for, go on
// meanwhile (with a lower priority). So do the tests of single modules and components, which use the processor all the
// time, the installation of published clients, which waits for their registries, and tests with containers, one after
// the other in a network of their own. Some tests of conformance, packages and clients start containers in the network
// of the machine, where these break off what a browser loads: other tests with a browser wait for them, and run beside
// those of whole programs, since each of the two alone leaves the processor idle now and then.
const checked = checks(['types', 'lint', 'format', 'knip']);
const clients = vitest(['clients']);
await checks(['build']);
// Without that check, each run that needs the bundles makes them, and two of them would at the same time.
const contained = stages.includes('build') ? withContainers() : undefined;
const inProcess = vitest(['unit', 'page', 'architecture']);
await vitest(['conformance', 'packages']);
await clients;
const system = stages.includes('build') ? vitest(['system']) : undefined;
if (stages.includes(JOURNEYS.name)) await playwright(JOURNEYS.name, { stages: JOURNEYS.stages, tag: JOURNEYS.tag });
await browsers(['e2e', 'desktop']);
await (contained ?? withContainers());
await (system ?? vitest(['system']));
await Promise.all([inProcess, checked]);

printEnd(outcomes);
process.stdout.write(seedLine);
const total = counts(outcomes);
process.stdout.write(`\n${inWords(total)}\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
