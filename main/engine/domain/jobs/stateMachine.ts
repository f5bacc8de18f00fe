/**
 * The states of a job and what moves it from one to another.
 *
 * - IN_QUEUE     entered by submit, by a lost worker (`lost`), by an answer that never reached its worker (`giveBack`),
 *                by `retry`; left by `take`, `cancel`
 * - IN_PROGRESS  entered by `take`; left by `complete`, `fail`, `cancel`, `timeout`, `lost`, `giveBack`
 * - FAILED, TIMED_OUT      are ends, left only by `retry`
 * - COMPLETED, CANCELLED   are ends
 *
 * Ttl removes the record in any state; retention in an end state.
 */
import { AppError } from '#contract/core/errors.ts';
import type { JobStatus } from '#contract/api/job.ts';

export type JobEvent = 'take' | 'complete' | 'fail' | 'cancel' | 'timeout' | 'lost' | 'giveBack' | 'retry';

const transitions: Record<JobStatus, Partial<Record<JobEvent, JobStatus>>> = {
  IN_QUEUE: { take: 'IN_PROGRESS', cancel: 'CANCELLED' },
  IN_PROGRESS: {
    complete: 'COMPLETED',
    fail: 'FAILED',
    cancel: 'CANCELLED',
    timeout: 'TIMED_OUT',
    lost: 'IN_QUEUE',
    giveBack: 'IN_QUEUE',
  },
  COMPLETED: {},
  FAILED: { retry: 'IN_QUEUE' },
  CANCELLED: {},
  TIMED_OUT: { retry: 'IN_QUEUE' },
};

/** The state after `event`, or null where the event does not apply in this state. */
export function nextStatus(status: JobStatus, event: JobEvent): JobStatus | null {
  return transitions[status][event] ?? null;
}

/** As `nextStatus`, for callers to whom a forbidden event is an error (CONFLICT). */
export function requireNextStatus(status: JobStatus, event: JobEvent): JobStatus {
  const next = nextStatus(status, event);
  if (next === null) throw new AppError('CONFLICT', `The job is ${status}; it cannot ${event} any more.`);
  return next;
}
