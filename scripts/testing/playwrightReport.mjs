/**
 * A Playwright reporter that writes what became of each test, with the reason of a skip or a failure, to the file
 * HANGAR_TEST_REPORT names.
 */

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../run24.mjs';
import { placeIn } from './failedLine.mjs';

/** @typedef {import('./stages.mjs').Report} Report */
/** @typedef {import('@playwright/test/reporter').FullConfig} FullConfig */
/** @typedef {import('@playwright/test/reporter').Suite} Suite */
/** @typedef {import('@playwright/test/reporter').TestCase} TestCase */
/** @typedef {import('@playwright/test/reporter').TestError} TestError */

/** Why a test was skipped, or what it failed with. */
function reasonOf(/** @type {TestCase} */ test) {
  const skip = test.annotations.find(({ type }) => type === 'skip');
  if (skip) return skip.description;
  const errors = test.results.flatMap((result) => result.errors);
  return errors.length === 0 ? undefined : errors.map(({ message }) => message ?? '').join('\n');
}

/** Its frames of `at name (path:line:column)`. */
const framesOf = (/** @type {TestError | undefined} */ error) =>
  [...(error?.stack ?? '').matchAll(/\(?([^\s()]+):(\d+):\d+\)?$/gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line),
  }));

export default class PlaywrightReport {
  /** @type {Suite | undefined} */
  #suite;
  /** @type {string[]} */
  #faults = [];

  onBegin(/** @type {FullConfig} */ _config, /** @type {Suite} */ suite) {
    this.#suite = suite;
  }

  onError(/** @type {TestError} */ error) {
    this.#faults.push(error.message ?? String(error.value));
  }

  onEnd() {
    /** @type {Report} */
    const report = { tests: [], files: [], faults: this.#faults };
    /** @type {Map<string, import('./stages.mjs').TestFile>} */
    const files = new Map();
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      const stage = test.parent.project()?.name ?? '';
      for (const { startTime, duration } of test.results) {
        const startedAt = startTime.getTime();
        const key = `${stage} ${test.location.file}`;
        const file = files.get(key) ?? {
          stage,
          file: relative(root, test.location.file).replaceAll('\\', '/'),
          startedAt,
          endedAt: startedAt,
          busyMs: 0,
        };
        file.startedAt = Math.min(file.startedAt, startedAt);
        file.endedAt = Math.max(file.endedAt, startedAt + duration);
        file.busyMs += duration;
        files.set(key, file);
      }
      report.tests.push({
        stage,
        name: test
          .titlePath()
          .filter((title) => title !== '')
          .slice(1)
          .join(' > '),
        state: outcome === 'expected' ? 'passed' : outcome === 'skipped' ? 'skipped' : 'failed',
        reason: reasonOf(test),
        where: placeIn(test.location.file, framesOf(test.results.flatMap(({ errors }) => errors)[0])),
      });
    }
    report.files.push(...files.values());
    const path = process.env['HANGAR_TEST_REPORT'];
    if (path !== undefined) writeFileSync(path, JSON.stringify(report));
  }
}
