/**
 * A Vitest reporter that writes what became of each test, with the reason of a skip, to the file HANGAR_TEST_REPORT
 * names.
 */

import { writeFileSync } from 'node:fs';
import { placeIn } from './failedLine.mjs';

/** @typedef {import('./stages.mjs').Report} Report */
/** @typedef {import('./stages.mjs').ClientCall} ClientCall */
/** @typedef {import('vitest/node').Reporter} Reporter */
/** @typedef {{ message: string, stacks?: readonly { file: string, line: number }[] }} SerializedError */

/**
 * Why a test was skipped: by itself while it ran, or by the options of it or of a suite around it.
 * @param {{ note?: string }} result
 * @param {{ whySkipped?: string }} meta
 */
export const reasonOf = ({ note }, { whySkipped }) => note ?? whySkipped;

export default class VitestReport {
  /** When each file began, by its id. @type {Map<string, number>} */
  #startedAt = new Map();

  /** @type {NonNullable<Reporter['onTestModuleQueued']>} */
  onTestModuleQueued = ({ id }) => {
    this.#startedAt.set(id, Date.now());
  };

  /** @type {Map<string, number>} */
  #endedAt = new Map();

  /** @type {NonNullable<Reporter['onTestModuleEnd']>} */
  onTestModuleEnd = ({ id }) => {
    this.#endedAt.set(id, Date.now());
  };

  /** @type {NonNullable<Reporter['onTestRunEnd']>} */
  onTestRunEnd = (modules, unhandledErrors) => {
    /** @type {Report} */
    const report = {
      tests: [],
      files: [],
      clientCalls: [],
      faults: unhandledErrors.map((error) => error.message),
    };
    for (const module of modules) {
      const stage = module.project.name;
      const times = module.diagnostic();
      report.files.push({
        stage,
        file: module.relativeModuleId,
        startedAt: this.#startedAt.get(module.id) ?? 0,
        endedAt: this.#endedAt.get(module.id) ?? 0,
        busyMs: times.environmentSetupDuration + times.setupDuration + times.collectDuration + times.duration,
      });
      for (const error of module.errors()) report.faults.push(`${module.relativeModuleId}: ${error.message}`);
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) report.faults.push(`${suite.fullName}: ${error.message}`);
      }
      for (const test of module.children.allTests()) {
        const result = /** @type {{ state: string, note?: string, errors?: readonly SerializedError[] }} */ (
          test.result()
        );
        const { state, errors } = result;
        // A test that is still pending when the run ends never finished, which is no way to pass.
        const became = state === 'passed' || state === 'skipped' ? state : 'failed';
        report.tests.push({
          stage,
          name: `${module.relativeModuleId} > ${test.fullName}`,
          state: became,
          reason:
            became === 'failed' ? errors?.map(({ message }) => message).join('\n') : reasonOf(result, test.meta()),
          where: became === 'failed' ? placeIn(module.moduleId, errors?.[0]?.stacks ?? []) : undefined,
        });
        const { clientCall } = /** @type {{ clientCall?: ClientCall }} */ (test.meta());
        if (clientCall !== undefined) report.clientCalls?.push(clientCall);
      }
    }
    const path = process.env['HANGAR_TEST_REPORT'];
    if (path !== undefined) writeFileSync(path, JSON.stringify(report));
  };
}
