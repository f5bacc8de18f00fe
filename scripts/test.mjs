/** `npm test`: every check and every test, in the order that keeps two cores busy; `npm test -- unit lint` runs only those. */

import { findChromium } from './chromium.mjs';
import { onNode24 } from './run24.mjs';
import {
  STAGES,
  isPlaywright,
  isVitest,
  runCheck,
  runPlaywright,
  runVitest,
  skipPlaywright,
} from './testing/stages.mjs';

/** @typedef {import('./testing/stages.mjs').Outcome} Outcome */

const NO_BROWSER =
  'no Chromium was found. On Debian: apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell; ' +
  'elsewhere install Chrome or Chromium, or name it in HANGAR_CHROMIUM';

await onNode24();

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = asked.filter((name) => !STAGES.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no stage ${unknown.join(', ')}. The stages are: ${STAGES.join(', ')}.\n`);
  process.exit(2);
}
const wanted = (/** @type {string[]} */ stages) =>
  stages.filter((stage) => asked.length === 0 || asked.includes(stage));

/** @type {Outcome[]} */
const outcomes = [];

function tell(/** @type {Outcome} */ outcome) {
  outcomes.push(outcome);
  const { name, tookMs, output, report } = outcome;
  const count = counts([outcome]);
  const good = count.failed === 0;
  process.stdout.write(`${good ? '✓' : '✗'} ${name}  ${(tookMs / 1000).toFixed(1)} s  ${inWords(count)}\n`);
  if (good) return;
  process.stdout.write(`${output.trimEnd()}\n`);
  for (const fault of report.faults) process.stdout.write(`  ${fault}\n`);
}

function counts(/** @type {Outcome[]} */ of) {
  const tests = of.flatMap(({ report }) => report.tests);
  const inState = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
  const faults = of.reduce((sum, { report }) => sum + report.faults.length, 0);
  return { passed: inState('passed'), failed: inState('failed') + faults, skipped: inState('skipped') };
}

const inWords = (/** @type {ReturnType<typeof counts>} */ { passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

async function checks(/** @type {string[]} */ names) {
  for (const name of wanted(names)) tell(await runCheck(name));
}

async function vitest(/** @type {string[]} */ stages) {
  const those = wanted(stages.filter(isVitest));
  if (those.length > 0) tell(await runVitest(those));
}

async function playwright() {
  const those = wanted(STAGES.filter(isPlaywright));
  if (those.length === 0) return;
  tell(findChromium() === undefined ? await skipPlaywright(those, NO_BROWSER) : await runPlaywright(those));
}

// Tests that start whole programs spend half their time waiting for them: checks, which nobody waits for, go on meanwhile, and
// give way to everything else. Those with a browser come by themselves, because networks of containers that come up beside it
// break off what it loads.
const checked = checks(['lint', 'types', 'knip', 'format']);
await checks(['build']);
await vitest(['unit', 'architecture']);
await vitest(['conformance', 'system']);
await playwright();
await checked;

const skipped = outcomes.flatMap(({ report }) => report.tests).filter(({ state }) => state === 'skipped');
if (skipped.length > 0) process.stdout.write('\nSKIPPED:\n');
for (const { name, reason } of skipped)
  process.stdout.write(`  ${name}\n    because ${reason ?? 'no reason was given'}\n`);

const total = counts(outcomes);
process.stdout.write(`\n${inWords(total)}\n`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
