/**
 * `npm run mutate -- FILE`: changes a source file in one place after the other, in memory, and shows the changes that
 * no test notices. A change is noticed when a spec fails, does not end in time, or the types refuse it.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { env24, onNode24, root } from './run24.mjs';

/** @typedef {import('./testing/mutations.mjs').Mutation} Mutation */
/** @typedef {import('./testing/mutantRuns.mjs').Answer} Answer */

await onNode24();
const { linesOf, mutated, mutationsOf, sampleOf, specsReaching } = await import('./testing/mutations.mjs');
const { createTypeCheck } = await import('./testing/typeCheck.mjs');

const USAGE = `npm run mutate -- FILE [flags]
  --at 12,40-44     only changes in these lines
  --sample N        only N of the changes, drawn by --seed S (a new seed otherwise, which is printed)
  --spec PATTERN    only the specs whose path contains this; otherwise all unit specs that import the file, directly or over others
`;
/** A change may take so many times as long as the first run, which also loads everything, and so much more. */
const RUN_TIMES = 3;
const RUN_AND_MS = 10_000;
/** The same for a single test, which is given up at no less than TEST_LIMIT_MS. */
const TEST_TIMES = 10;
/** The specs without a change may take as long as this. */
const UNCHANGED_MS = 10 * 60_000;
/** A single test that waits in vain is given up sooner than the whole run. */
const TEST_LIMIT_MS = 5_000;

/** @returns {never} */
function giveUp(/** @type {string} */ why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        at: { type: 'string' },
        sample: { type: 'string' },
        seed: { type: 'string' },
        spec: { type: 'string' },
      },
    });
  } catch (error) {
    giveUp(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

/** A process that runs the specs with one text after the other; a mutant that never ends takes its process with it. */
function createRunner(/** @type {string} */ path, /** @type {string[][]} */ specs) {
  /** @type {Promise<import('node:child_process').ChildProcess> | null} */
  let running = null;

  function start() {
    const orders = JSON.stringify({ path, specs });
    const child = fork(join(root, 'scripts', 'testing', 'mutantRuns.mjs'), [orders], {
      cwd: root,
      env: { ...env24, NODE_ENV: 'test', VITEST: 'true' },
      // The process group of its own holds the workers as well, of which one may run for ever.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let output = '';
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (/** @type {string} */ text) => (output = (output + text).slice(-4000)));
    return new Promise((/** @type {(started: typeof child) => void} */ resolve, reject) => {
      child.once('message', () => resolve(child));
      child.once('exit', (code, signal) =>
        reject(new Error(`The specs could not be run (${code ?? signal}).\n${output}`)),
      );
    });
  }
  async function stop() {
    const child = await running?.catch(() => null);
    running = null;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
    await exit;
  }

  return {
    stop,
    /** What the specs say to this text; null when they were not done in time, or the process died of it. */
    async run(/** @type {string} */ text, /** @type {number} */ limitMs, /** @type {number | null} */ testLimitMs) {
      const child = await (running ??= start());
      const answer = await new Promise((/** @type {(answer: Answer | null) => void} */ resolve) => {
        const timer = setTimeout(() => end(null), limitMs);
        const onMessage = (/** @type {Answer} */ message) => end(message);
        const onExit = () => end(null);
        function end(/** @type {Answer | null} */ answer) {
          clearTimeout(timer);
          child.off('message', onMessage).off('exit', onExit);
          resolve(answer);
        }
        child.on('message', onMessage).on('exit', onExit);
        child.send({ text, testLimitMs });
      });
      if (answer === null) await stop();
      return answer;
    },
  };
}

const { values: flags, positionals } = readArguments();
const [name] = positionals;
if (name === undefined || positionals.length > 1) giveUp(USAGE);
const path = resolve(process.env['INIT_CWD'] ?? process.cwd(), name);
if (!existsSync(path)) giveUp(`There is no file ${path}.`);
const label = relative(root, path);

const source = readFileSync(path, 'utf8');
const isWanted = flags.at === undefined ? () => true : linesOf(flags.at);
let mutations = mutationsOf(path, source).filter(({ line }) => isWanted(line));
if (flags.sample !== undefined) {
  const seed = Number(flags.seed ?? Date.now() % 1_000_000);
  process.stdout.write(`${flags.sample} of ${mutations.length} changes, drawn with --seed ${seed}\n`);
  mutations = sampleOf(mutations, Number(flags.sample), seed);
}
const specs = specsReaching(path, root)
  .map((level) => level.filter((spec) => flags.spec === undefined || spec.includes(flags.spec)))
  .filter((level) => level.length > 0);
if (specs.length === 0)
  giveUp(`No unit spec${flags.spec === undefined ? '' : ` like ${flags.spec}`} imports ${label}.`);
process.stdout.write(`${label}: ${mutations.length} changes, ${specs.flat().length} specs\n`);

const runner = createRunner(path, specs);
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => void runner.stop().then(() => process.exit(130)));
}

// Without a change first: how long it takes, and that every test passes.
const startedAt = performance.now();
const unchanged = await runner.run(source, UNCHANGED_MS, null);
if (unchanged === null) giveUp('The specs do not end, also without a change.');
if (unchanged.failed.length > 0) {
  await runner.stop();
  giveUp(`The specs fail without a change:\n  ${unchanged.failed.join('\n  ')}`);
}
const limitMs = RUN_TIMES * (performance.now() - startedAt) + RUN_AND_MS;
const testLimitMs = Math.max(TEST_LIMIT_MS, TEST_TIMES * unchanged.slowestMs);

const typeCheck = createTypeCheck(path);
const count = { specs: 0, time: 0, types: 0, survived: 0 };
for (const mutation of mutations) {
  const text = mutated(source, mutation);
  const answer = await runner.run(text, limitMs, testLimitMs);
  if (answer === null) count.time++;
  else if (answer.failed.length > 0) count.specs++;
  // The types are asked only about what the specs let through: that takes longer than most specs.
  else if (typeCheck.refuses(text)) count.types++;
  else {
    count.survived++;
    process.stdout.write(`${label}:${mutation.line}  ${mutation.before}  →  ${mutation.after}\n`);
  }
}
await runner.stop();

const caught = mutations.length - count.survived;
const percent = mutations.length === 0 ? 100 : (100 * caught) / mutations.length;
const seconds = (performance.now() - startedAt) / 1000;
process.stdout.write(
  `${label}: ${caught} of ${mutations.length} changes are noticed (${percent.toFixed(1)} %): ${count.specs} by specs, ` +
    `${count.time} by their time, ${count.types} by types; ${count.survived} are not. ${seconds.toFixed(0)} s\n`,
);
process.exit(0);
