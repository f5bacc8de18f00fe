/** What `npm test` prints: a line for each stage as it ends, and at the end what took longest and what was skipped. */

import { stripVTControlCharacters } from 'node:util';

/** @typedef {import('./stages.mjs').Outcome} Outcome */
/** @typedef {import('./stages.mjs').Report} Report */
/** @typedef {import('./stages.mjs').ClientCall} ClientCall */
/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const SLOWEST = 10;
/** So many tests that were skipped for one reason are each named. */
const NAMED_SKIPS = 3;
/** Lines of an error that are repeated at the end. */
const ERROR_LINES = 12;

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

/** @returns {Counts} */
function countsOf(/** @type {Report['tests']} */ tests, faults = 0) {
  const inState = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
  return { passed: inState('passed'), failed: inState('failed') + faults, skipped: inState('skipped') };
}

export const counts = (/** @type {Outcome[]} */ outcomes) =>
  countsOf(
    outcomes.flatMap(({ report }) => report.tests),
    outcomes.reduce((sum, { report }) => sum + report.faults.length, 0),
  );

export const inWords = (/** @type {Counts} */ { passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

const line = (/** @type {string} */ name, /** @type {number} */ tookMs, /** @type {Counts} */ count) =>
  `${count.failed === 0 ? '✓' : '✗'} ${name}  ${seconds(tookMs)}  ${inWords(count)}\n`;

/** A run of several stages shares its processes, and so its time: a stage's own is from its first file to its last. */
function stageLines(/** @type {Outcome} */ { report, tookMs, name }) {
  const stages = [...new Set(report.tests.map(({ stage }) => stage))];
  if (stages.length < 2) return line(name, tookMs, countsOf(report.tests, report.faults.length));
  return stages
    .map((stage) => {
      const files = report.files.filter((file) => file.stage === stage);
      const spanMs =
        Math.max(...files.map(({ endedAt }) => endedAt)) - Math.min(...files.map(({ startedAt }) => startedAt));
      const tests = report.tests.filter((test) => test.stage === stage);
      return line(name === stage ? name : stage, files.length > 0 ? spanMs : 0, countsOf(tests));
    })
    .join('');
}

/** Lines for each published client: how many of its calls pass, and the others with their reasons. */
function clientLines(/** @type {Outcome} */ { report: { clientCalls = [] } }) {
  return [...new Set(clientCalls.map(({ client }) => client))]
    .map((client) => {
      const calls = clientCalls.filter((one) => one.client === client);
      const others = calls.filter(({ outcome }) => outcome !== 'passes');
      const why = (/** @type {ClientCall} */ { outcome, reason = '' }) => `${outcome}: ${reason}`;
      const lines = [...new Set(others.map(why))].map((reason) => {
        const names = others.filter((one) => why(one) === reason).map(({ call }) => call);
        return `      ${names.join(', ')}\n        ${reason}\n`;
      });
      return `    ${client}: ${calls.length - others.length} of ${calls.length} calls pass\n${lines.join('')}`;
    })
    .join('');
}

export function printOutcome(/** @type {Outcome} */ outcome) {
  process.stdout.write(stageLines(outcome) + clientLines(outcome));
  if (counts([outcome]).failed === 0) return;
  process.stdout.write(`${outcome.output.trimEnd()}\n`);
  for (const fault of outcome.report.faults) process.stdout.write(`  ${outcome.name}: ${fault}\n`);
}

export function printEnd(/** @type {Outcome[]} */ outcomes) {
  const files = outcomes.flatMap(({ report }) => report.files).sort((one, other) => other.busyMs - one.busyMs);
  if (files.length > SLOWEST) process.stdout.write('\nThe slowest files:\n');
  for (const { file, busyMs } of files.length > SLOWEST ? files.slice(0, SLOWEST) : []) {
    process.stdout.write(`${seconds(busyMs).padStart(9)}  ${file}\n`);
  }
  process.stdout.write(skipLines(outcomes.flatMap(({ report }) => report.tests)));
  process.stdout.write(failureLines(outcomes));
}

/** A check has the name of its stage. */
const titleOf = (/** @type {Report['tests'][number]} */ { stage, name }) =>
  stage === name ? name : `${stage}: ${name}`;

/**
 * What failed, once more: the output of the stages, where each failure stands in full, may be long or cut off by then.
 */
export function failureLines(/** @type {Pick<Outcome, 'name' | 'report'>[]} */ outcomes) {
  const failures = outcomes.flatMap(({ name, report }) => [
    ...report.tests
      .filter(({ state }) => state === 'failed')
      .map((test) => ({ title: titleOf(test), why: test.reason ?? '', where: test.where })),
    ...report.faults.map((fault) => ({ title: `${name}: outside a test`, why: fault, where: undefined })),
  ]);
  const lines = failures.map(({ title, why, where }) => {
    const error = stripVTControlCharacters(why).split('\n').slice(0, ERROR_LINES);
    const shown = where === undefined ? error : [...error, `at ${where}`];
    return [`  ${title}\n`, ...shown.map((text) => `    ${text}`.trimEnd() + '\n')].join('');
  });
  return lines.length === 0 ? '' : `\nFAILED:\n${lines.join('')}`;
}

/** The tests that were skipped, by their reasons. Of many with one reason it names the first and counts the rest. */
export function skipLines(/** @type {Pick<Report['tests'][number], 'name' | 'state' | 'reason'>[]} */ tests) {
  const skipped = tests.filter(({ state }) => state === 'skipped');
  const reasonOf = (/** @type {Pick<Report['tests'][number], 'reason'>} */ { reason }) =>
    reason ?? 'no reason was given';
  const lines = [...new Set(skipped.map(reasonOf))].map((reason) => {
    const alike = skipped.filter((test) => reasonOf(test) === reason);
    const named = alike.length > NAMED_SKIPS ? alike.slice(0, 1) : alike;
    const rest = alike.length - named.length;
    const names = named.map(({ name }) => `  ${name}\n`).join('');
    return `${names}${rest === 0 ? '' : `  and ${rest} more tests\n`}    because ${reason}\n`;
  });
  return lines.length === 0 ? '' : `\nSKIPPED:\n${lines.join('')}`;
}
