/** "Check this worker": the tests that a folder brings, run as jobs of its endpoint one after the other, and judged as the hub judges them. */
import { AppError, toAppError } from '#contract/errors.ts';
import type { WorkerCheck } from '#contract/folder.ts';
import { isTerminal } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import type { Waiting } from '#contract/local.ts';
import type { Job } from '../../domain/job.ts';
import { parseRequest } from '../../domain/jobRequest.ts';
import type { Jobs } from '../../domain/jobs.ts';
import type { Clock } from '../../domain/ports.ts';
import { readTests, type HubTests } from './hubFiles.ts';

type Test = WorkerCheck['tests'][number];
type HubTest = HubTests['tests'][number];

const NONE: WorkerCheck = { state: 'none', tests: [], notices: [] };

export interface WorkerChecks {
  state(endpointId: string): WorkerCheck;
  /** CONFLICT while one runs, BAD_REQUEST where the folder has no tests. `env`: the variables of the template. */
  start(endpointId: string, folder: string, env: Readonly<Record<string, string>>): WorkerCheck;
  forget(endpointId: string): void;
}

export interface WorkerChecksOptions {
  clock: Pick<Clock, 'after'>;
  jobs: Pick<Jobs, 'submit' | 'watch' | 'cancel'>;
  /** Why a queued job waits. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
}

export function createWorkerChecks({ clock, jobs, waitsFor }: WorkerChecksOptions): WorkerChecks {
  const checks = new Map<string, WorkerCheck>();

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

  /** Settles with the end of the job. One that nobody can run is cancelled, and its reason told. */
  function ended(job: Job, test: Test): Promise<void> {
    return new Promise((resolve) => {
      let lookAgain = (): void => undefined;
      const look = (): void => {
        lookAgain();
        const waiting = job.status === 'IN_QUEUE' && !job.removed ? waitsFor(job) : null;
        if (job.removed || (isTerminal(job.status) && job.unsettled === 0)) {
          unwatch();
          resolve();
          return;
        }
        test.state = waiting ? 'waiting' : 'running';
        test.message = waiting?.message ?? null;
        if (waiting?.code === 'cannot-run' || waiting?.code === 'no-workers-allowed') jobs.cancel(job, look);
        // A job is told of its state, not of why it waits.
        else if (waiting) lookAgain = clock.after(limits.startAgainMs, look);
      };
      const unwatch = jobs.watch(job, look);
      look();
    });
  }

  async function runOne(endpointId: string, hubTest: HubTest, test: Test): Promise<void> {
    try {
      const job = await submit(endpointId, hubTest);
      test.jobId = job.id;
      await ended(job, test);
      // The hub takes any answer of a job that completed.
      const passed = job.status === 'COMPLETED' && !job.removed;
      const why =
        job.status === 'CANCELLED'
          ? (test.message ?? 'The job was cancelled.')
          : (job.error ?? `The job is ${job.status}.`);
      test.state = passed ? 'passed' : 'failed';
      test.message = passed ? null : job.removed ? 'The job was removed.' : why;
      test.executionMs = job.executionTime;
    } catch (error) {
      test.state = 'failed';
      test.message = (error as Error).message;
    }
  }

  async function run(endpointId: string, check: WorkerCheck, hubTests: readonly HubTest[]): Promise<void> {
    for (const [at, hubTest] of hubTests.entries()) await runOne(endpointId, hubTest, check.tests[at]!);
    check.state = check.tests.every(({ state }) => state === 'passed') ? 'passed' : 'failed';
  }

  return {
    state: (endpointId) => checks.get(endpointId) ?? NONE,

    start(endpointId, folder, env) {
      if (checks.get(endpointId)?.state === 'running') {
        throw new AppError('CONFLICT', 'A check of this endpoint runs already.');
      }
      const found = readTests(folder);
      if (typeof found === 'string') throw new AppError('BAD_REQUEST', found);
      if (found === null || found.tests.length === 0) {
        throw new AppError('BAD_REQUEST', `There are no tests in ${folder}: a .runpod/tests.json names them.`);
      }
      const others = (found.config?.env ?? []).filter(({ key, value }) => env[key] !== String(value ?? ''));
      const names = others.map(({ key }) => key).join(', ');
      const check: WorkerCheck = {
        state: 'running',
        tests: found.tests.map(({ name }) => ({
          ...{ name, state: 'waiting' as const, jobId: null, message: null, executionMs: null },
        })),
        notices:
          others.length === 0 ? [] : [`The hub sets other values of ${names} for these tests than the template does.`],
      };
      checks.set(endpointId, check);
      void run(endpointId, check, found.tests);
      return check;
    },

    forget: (endpointId) => void checks.delete(endpointId),
  };
}
