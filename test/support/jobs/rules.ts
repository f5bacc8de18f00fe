/** The rules of jobs on a clock that is advanced by hand and a store that commits when told. */
import type { Policy } from '#contract/api/job.ts';
import type { Job } from '../../../main/engine/domain/jobs/jobRecord.ts';
import { createLoadedJobs } from './loadedJobs.ts';
import { createFakeClock, createFakeJobStore, type FakeJobStore } from '../core/fakes.ts';

export const ENDPOINT = 'ep';

export function setUp(
  store: FakeJobStore = createFakeJobStore(),
  onDemand: (endpointId: string) => void = () => undefined,
) {
  const clock = createFakeClock();
  const recycled: string[] = [];
  const counted: unknown[] = [];
  const jobs = createLoadedJobs({
    clock,
    store,
    onDemand,
    onRecycle: (workerId) => void recycled.push(workerId),
    counter: {
      accepted: () => void counted.push('accepted'),
      ended: (_endpointId, ...end) => void counted.push(end),
    },
  });
  const submit = (policy: Policy = {}, settled: (error: unknown) => void = () => undefined): Job => {
    let made: Job | undefined;
    const request = { input: {}, policy };
    const submission = { endpointId: ENDPOINT, request, body: '{"input":{}}', sync: false, retentionMs: 1_800_000 };
    jobs.submit(submission, (error, job) => {
      made = job;
      settled(error);
    });
    store.commit();
    return made!;
  };
  const take = (workerId: string): Job[] => {
    let taken: Job[] = [];
    jobs.takeNow(jobs.workers.touch(workerId, ENDPOINT), 10, (handed) => (taken = handed));
    store.commit();
    return taken;
  };
  const done = (job: Job, workerId: string, result: object = {}): void => {
    jobs.result(
      job,
      workerId,
      { progress: false, output: '1', error: null, stopWorker: false, ...result },
      () => undefined,
    );
    store.commit();
  };
  return { clock, jobs, store, submit, take, done, recycled, counted };
}
