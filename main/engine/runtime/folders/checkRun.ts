/** One run of the tests of a folder: each test is a job of the endpoint. */
import { messageOf, toAppError } from '#contract/core/errors.ts';
import type { WorkerCheck } from '#contract/local/folder.ts';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { Waiting } from '#contract/local/engine.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import { parseRequest } from '../../domain/jobs/payload/requestParser.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock } from '../../domain/core/ports.ts';
import type { HubTests } from './hubFiles.ts';

type Test = WorkerCheck['tests'][number];
type HubTest = HubTests['tests'][number];

export interface CheckRunOptions {
  clock: Pick<Clock, 'after'>;
  jobs: Pick<Jobs, 'submit' | 'watch' | 'cancel'>;
  /** The reason why a queued job waits. */
  waitsFor(job: Job): Pick<Waiting, 'code' | 'message'>;
  /** Called with the id of the endpoint after each change of a result, and of an environment that is made. */
  onProgress(endpointId: string): void;
}

/** A test of a folder. Its result is updated during the run. */
export interface RunnableTest {
  readonly hubTest: HubTest;
  readonly result: Test;
}

export interface CheckRun {
  /** Resolves once the test has a result; at once when the run is stopped. Never rejects. */
  runTest(test: RunnableTest): Promise<void>;
  /** Cancels the job of the running test, and marks the remaining tests as stopped. */
  stop(): void;
}

/** The result of an ended job by the rule of the hub: a test passes when its job completes, with any output. */
function resultOf(job: Job, result: Test, isStopped: boolean): Partial<Test> {
  if (isStopped && job.status === 'CANCELLED') return { state: 'stopped', message: null };
  const executionMs = job.executionTime;
  if (job.removed) return { state: 'failed', message: 'The job was removed.', executionMs };
  if (job.status === 'COMPLETED') return { state: 'passed', message: null, executionMs };
  const reason =
    job.status === 'CANCELLED'
      ? (result.message ?? 'The job was cancelled.')
      : (job.error ?? `The job is ${job.status}.`);
  return { state: 'failed', message: reason, executionMs };
}

export function createCheckRun({ clock, jobs, waitsFor, onProgress }: CheckRunOptions, endpointId: string): CheckRun {
  let isStopped = false;
  let current: Job | null = null;

  function submit({ input, timeout }: HubTest): Promise<Job> {
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

  /** Cancels the job. A failed write is visible at the job itself. */
  const cancel = (job: Job): void => jobs.cancel(job, () => undefined);

  /** Resolves when the job has ended. Cancels a job that no worker can run; the result contains the reason. */
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
        onProgress(endpointId);
        if (waiting?.code === 'cannot-run' || waiting?.code === 'no-workers-allowed') jobs.cancel(job, check);
        // Jobs emit events for their state, but not for the reason of their wait: poll it.
        else if (waiting) cancelCheck = clock.after(limits.startAgainMs, check);
      };
      const unwatch = jobs.watch(job, check);
      check();
    });
  }

  return {
    async runTest({ hubTest, result }) {
      if (isStopped) {
        result.state = 'stopped';
        return;
      }
      try {
        const job = await submit(hubTest);
        result.jobId = job.id;
        current = job;
        // The run was stopped during the submission.
        if (isStopped) cancel(job);
        await ended(job, result);
        Object.assign(result, resultOf(job, result, isStopped));
      } catch (error) {
        Object.assign(result, { state: 'failed', message: messageOf(error) });
      } finally {
        current = null;
        onProgress(endpointId);
      }
    },
    stop() {
      isStopped = true;
      if (current !== null && !isTerminal(current.status) && !current.removed) cancel(current);
    },
  };
}
