/**
 * "Check this worker": runs the tests of a folder as jobs of its endpoint, one after the other, and judges them like
 * the hub.
 */
import { AppError } from '#contract/core/errors.ts';
import type { WorkerCheck } from '#contract/local/folder.ts';
import { createCheckRun, type CheckRun, type CheckRunOptions, type RunnableTest } from './checkRun.ts';
import { readTests, type HubTests } from './hubFiles.ts';

type Test = WorkerCheck['tests'][number];
type HubTest = HubTests['tests'][number];

export interface WorkerChecks {
  /** The state of the last check; before the first one, the tests of the folder without results. */
  state(endpointId: string, folder: string): WorkerCheck;
  /**
   * Throws CONFLICT while a check runs, BAD_REQUEST where the folder has no tests. `env`: the variables of the
   * template.
   */
  start(endpointId: string, folder: string, env: Readonly<Record<string, string>>): WorkerCheck;
  /** Cancels the job of the running test, and starts no other. Throws CONFLICT where no check runs. */
  stop(endpointId: string): WorkerCheck;
  /** Removes the state of a deleted endpoint. */
  forget(endpointId: string): void;
}

const waitingTest = ({ name }: HubTest): Test => ({
  name,
  state: 'waiting',
  jobId: null,
  message: null,
  executionMs: null,
});

export function createWorkerChecks(options: CheckRunOptions): WorkerChecks {
  const checks = new Map<string, WorkerCheck>();
  const running = new Map<string, CheckRun>();

  async function runAll(endpointId: string, check: WorkerCheck, tests: readonly RunnableTest[]): Promise<void> {
    const run = createCheckRun(options, endpointId);
    running.set(endpointId, run);
    for (const test of tests) await run.runTest(test);
    if (running.get(endpointId) === run) running.delete(endpointId);
    const hasAny = (testState: Test['state']): boolean => check.tests.some(({ state }) => state === testState);
    check.state = hasAny('stopped') ? 'stopped' : hasAny('failed') ? 'failed' : 'passed';
    options.onProgress(endpointId);
  }

  return {
    state(endpointId, folder) {
      const check = checks.get(endpointId);
      if (check) return check;
      const hub = readTests(folder);
      return typeof hub === 'string'
        ? { state: 'none', tests: [], notices: [hub] }
        : { state: 'none', tests: (hub?.tests ?? []).map(waitingTest), notices: [] };
    },

    start(endpointId, folder, env) {
      if (checks.get(endpointId)?.state === 'running') {
        throw new AppError('CONFLICT', 'A check of this endpoint runs already.');
      }
      const tests = readTests(folder);
      if (typeof tests === 'string') throw new AppError('BAD_REQUEST', tests);
      if (tests === null || tests.tests.length === 0) {
        throw new AppError('BAD_REQUEST', `There are no tests in ${folder}: a .runpod/tests.json names them.`);
      }
      const others = (tests.config?.env ?? []).filter(({ key, value }) => env[key] !== String(value ?? ''));
      const names = others.map(({ key }) => key).join(', ');
      const runnable = tests.tests.map((hubTest) => ({ hubTest, result: waitingTest(hubTest) }));
      const check: WorkerCheck = {
        state: 'running',
        tests: runnable.map(({ result }) => result),
        notices:
          others.length === 0 ? [] : [`The hub sets other values of ${names} for these tests than the template does.`],
      };
      checks.set(endpointId, check);
      options.onProgress(endpointId);
      void runAll(endpointId, check, runnable);
      return check;
    },

    stop(endpointId) {
      const run = running.get(endpointId);
      const check = checks.get(endpointId);
      if (!run || !check) throw new AppError('CONFLICT', 'No check of this endpoint runs.');
      run.stop();
      return check;
    },

    forget(endpointId) {
      running.get(endpointId)?.stop();
      checks.delete(endpointId);
    },
  };
}
