/** A Playwright reporter that writes what became of each test, with the reason of a skip, to the file HANGAR_TEST_REPORT names. */

import { writeFileSync } from 'node:fs';

/** @typedef {import('./stages.mjs').Report} Report */
/** @typedef {import('@playwright/test/reporter').FullConfig} FullConfig */
/** @typedef {import('@playwright/test/reporter').Suite} Suite */
/** @typedef {import('@playwright/test/reporter').TestCase} TestCase */
/** @typedef {import('@playwright/test/reporter').TestError} TestError */

/** Why a test was skipped: its own reason, or that others had to pass before it. */
function reasonOf(/** @type {TestCase} */ test) {
  const skip = test.annotations.find(({ type }) => type === 'skip');
  if (skip) return skip.description;
  return test.results.length === 0 ? 'it runs only after others that have failed' : undefined;
}

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
    const report = { tests: [], faults: this.#faults };
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome();
      report.tests.push({
        stage: test.parent.project()?.name ?? '',
        name: test
          .titlePath()
          .filter((title) => title !== '')
          .slice(1)
          .join(' > '),
        state: outcome === 'expected' ? 'passed' : outcome === 'skipped' ? 'skipped' : 'failed',
        reason: reasonOf(test),
      });
    }
    const path = process.env['HANGAR_TEST_REPORT'];
    if (path !== undefined) writeFileSync(path, JSON.stringify(report));
  }
}
