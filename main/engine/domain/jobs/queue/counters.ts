/** The counters of one queue: what `/health` answers, and what calls for workers. */
import { isQuarantined, type Job } from '../jobRecord.ts';

export interface QueueCounters {
  inQueue: number;
  /** Jobs of `inQueue` for which a worker may be started: those that are neither of low priority nor in quarantine. */
  calling: number;
  /** Jobs of `inQueue` in quarantine, which no worker gets. */
  quarantined: number;
  inProgress: number;
  /** Jobs of `inProgress` of low priority. */
  lowInProgress: number;
  completed: number;
  failed: number;
  retried: number;
}

export const newCounters = (): QueueCounters => ({
  inQueue: 0,
  calling: 0,
  quarantined: 0,
  inProgress: 0,
  lowInProgress: 0,
  completed: 0,
  failed: 0,
  retried: 0,
});

/** Moves a job between the counters; the one place where they change with a status. */
export function countMove(
  counters: QueueCounters,
  job: Job,
  from: Job['status'] | null,
  to: Job['status'] | null,
): void {
  const queued = (by: number): void => {
    counters.inQueue += by;
    if (isQuarantined(job)) counters.quarantined += by;
    else if (!job.lowPriority) counters.calling += by;
  };
  const running = (by: number): void => {
    counters.inProgress += by;
    if (job.lowPriority) counters.lowInProgress += by;
  };
  if (from === 'IN_QUEUE') queued(-1);
  else if (from === 'IN_PROGRESS') running(-1);
  // What was counted as ended stays so when its record goes, and not when it is taken up again.
  else if (to !== null && from === 'COMPLETED') counters.completed--;
  else if (to !== null && (from === 'FAILED' || from === 'TIMED_OUT')) counters.failed--;
  if (to === 'IN_QUEUE') queued(1);
  else if (to === 'IN_PROGRESS') running(1);
  else if (to === 'COMPLETED') counters.completed++;
  else if (to === 'FAILED' || to === 'TIMED_OUT') counters.failed++;
}
