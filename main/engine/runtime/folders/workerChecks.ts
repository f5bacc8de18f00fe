/** "Check this worker": the tests that a folder brings, run as jobs of its endpoint one after the other, and judged as the hub judges them. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { WorkerCheck } from '#contract/local/folder.ts';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { Waiting } from '#contract/local/engine.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import { parseRequest } from '../../domain/jobs/payload/requestParser.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock } from '../../domain/core/ports.ts';
import { readTests, type HubTests } from './hubFiles.ts';

type Test = WorkerCheck['tests'][number];
type HubTest = HubTests['tests'][number];

export interface WorkerChecks {
  /** Of the last check; before the first one, the tests that the folder has. */
  state(endpointId: string, folder: string): WorkerCheck;
  /** CONFLICT while one runs, BAD_REQUEST where the folder has no tests. `env`: the variables of the template. */
  start(endpointId: string, folder: string, env: Readonly<Record<string, string>>): WorkerCheck;
  /** Cancels the job of the test that runs, and begins no other. CONFLICT where none runs. */
  stop(endpointId: string): WorkerCheck;
  /** The endpoint is gone. */
  forget(endpointId: string): void;
}

export interface WorkerChecksOptions {
  clock: Pick<Clock, 'after'>;
  jobs: Pick<Jobs, 'submit' | 'watch' | 'cancel'>;
  /** Why a queued job waits. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
}

const waitingTest = ({ name }: HubTest): Test => ({
  name,
  state: 'waiting',
  jobId: null,
  message: null,
  executionMs: null,
});

/** A check that runs. */
interface Running {
  isStopped: boolean;
  job: Job | null;
}

export function createWorkerChecks({ clock, jobs, waitsFor }: WorkerChecksOptions): WorkerChecks {
  const checks = new Map<string, WorkerCheck>();
  const running = new Map<string, Running>();

  function submit(endpointId: string, { input, timeout }: HubTest): Promise<Job> {
    const { min, max } = limits.executionTimeoutMs;
    const policy = timeout === undefined ? {} : { executionTimeout: Math.min(max, Math.max(min, Math.round(timeout))) };
    const body = JSON.stringify({ input, policy });
    const submission = {
      endpointId,
      request: parseRequest(body),
      body,
      sync: false,
      retentionMs: limits.retentionMs.run,
    };
    return new Promise((resolve, reject) => {
      jobs.submit(submission, (error, job) => (error ? reject(toAppError(error)) : resolve(job)));
    });
  }

  /** Ends the job; a failed write is told at the job itself. */
  const cancel = (job: Job): void => jobs.cancel(job, () => undefined);

  /** Settles with the end of the job. One that nobody can run is cancelled, and its reason told. */
  function ended(job: Job, test: Test): Promise<void> {
    return new Promise((resolve) => {
      let cancelCheck = (): void => undefined;
      const check = (): void => {
        cancelCheck();
        const waiting = job.status === 'IN_QUEUE' && !job.removed ? waitsFor(job) : null;
        if (job.removed || (isTerminal(job.status) && job.pendingWrites === 0)) {
          unwatch();
          resolve();
          return;
        }
        test.state = waiting ? 'waiting' : 'running';
        test.message = waiting?.message ?? null;
        if (waiting?.code === 'cannot-run' || waiting?.code === 'no-workers-allowed') jobs.cancel(job, check);
        // A job is told of its state, not of why it waits.
        else if (waiting) cancelCheck = clock.after(limits.startAgainMs, check);
      };
      const unwatch = jobs.watch(job, check);
      check();
    });
  }

  async function runOne(endpointId: string, run: Running, hubTest: HubTest, test: Test): Promise<void> {
    if (run.isStopped) {
      test.state = 'stopped';
      return;
    }
    try {
      const job = await submit(endpointId, hubTest);
      test.jobId = job.id;
      run.job = job;
      // It was stopped while the job was submitted.
      if (run.isStopped) cancel(job);
      await ended(job, test);
      if (run.isStopped && job.status === 'CANCELLED') {
        Object.assign(test, { state: 'stopped', message: null });
        return;
      }
      // The hub takes any answer of a job that completed.
      const passed = job.status === 'COMPLETED' && !job.removed;
      const reason =
        job.status === 'CANCELLED'
          ? (test.message ?? 'The job was cancelled.')
          : (job.error ?? `The job is ${job.status}.`);
      test.state = passed ? 'passed' : 'failed';
      test.message = passed ? null : job.removed ? 'The job was removed.' : reason;
      test.executionMs = job.executionTime;
    } catch (error) {
      test.state = 'failed';
      test.message = (error as Error).message;
    } finally {
      run.job = null;
    }
  }

  async function runAll(endpointId: string, check: WorkerCheck, hubTests: readonly HubTest[]): Promise<void> {
    const run: Running = { isStopped: false, job: null };
    running.set(endpointId, run);
    for (const [at, hubTest] of hubTests.entries()) await runOne(endpointId, run, hubTest, check.tests[at]!);
    if (running.get(endpointId) === run) running.delete(endpointId);
    const isAny = (testState: Test['state']): boolean => check.tests.some(({ state }) => state === testState);
    check.state = isAny('stopped') ? 'stopped' : isAny('failed') ? 'failed' : 'passed';
  }

  function stopRunning(run: Running): void {
    run.isStopped = true;
    if (run.job !== null && !isTerminal(run.job.status) && !run.job.removed) cancel(run.job);
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
      const check: WorkerCheck = {
        state: 'running',
        tests: tests.tests.map(waitingTest),
        notices:
          others.length === 0 ? [] : [`The hub sets other values of ${names} for these tests than the template does.`],
      };
      checks.set(endpointId, check);
      void runAll(endpointId, check, tests.tests);
      return check;
    },

    stop(endpointId) {
      const run = running.get(endpointId);
      const check = checks.get(endpointId);
      if (!run || !check) throw new AppError('CONFLICT', 'No check of this endpoint runs.');
      stopRunning(run);
      return check;
    },

    forget(endpointId) {
      const run = running.get(endpointId);
      if (run) stopRunning(run);
      checks.delete(endpointId);
    },
  };
}
