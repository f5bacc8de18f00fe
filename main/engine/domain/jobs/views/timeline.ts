/** The moments of a job, as a person is told them. */
import { isTerminal } from '#contract/api/job.ts';
import type { JobTimeline, Waiting } from '#contract/local/engine.ts';
import type { Job } from '../jobRecord.ts';

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** `waiting`: why it waits; null when it does not. */
export function timelineOf(job: Job, waiting: Waiting | null): JobTimeline {
  const { workerStartedAt } = job;
  return {
    id: job.id,
    status: job.status,
    submittedAt: new Date(job.submittedAt).toISOString(),
    queuedAt: new Date(job.queuedAt).toISOString(),
    workerId: job.workerId,
    // A worker that was there before the job was not started for it.
    workerStartedAt: workerStartedAt !== null && workerStartedAt >= job.queuedAt ? moment(workerStartedAt) : null,
    startedAt: moment(job.startedAt),
    pricePerHour: job.pricePerHour,
    finishedAt: isTerminal(job.status) ? moment(job.finishedAt) : null,
    waiting,
  };
}
