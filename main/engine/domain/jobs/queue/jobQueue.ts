/** The queue of one endpoint: jobs that wait, workers that wait, and the counters of /health. */
import { isQuarantined, type Job } from '../jobRecord.ts';
import { newCounters, type QueueCounters } from './counters.ts';
import { createParkedWorkers, type ParkedWorkers } from './parkedWorkers.ts';
import { createRecentJobs, type RecentJobs } from './recentJobs.ts';
import { createWaitingJobs, type WaitingJobs } from './waitingJobs.ts';

interface Quarantine {
  /** Keeps a quarantined job: it waits, and no worker gets it. */
  quarantine(job: Job): void;
  /** The jobs that are quarantined now. */
  quarantined(): Job[];
}

export interface JobQueue extends WaitingJobs, Quarantine, RecentJobs, ParkedWorkers {
  readonly counters: QueueCounters;
}

function createQuarantine(): Quarantine {
  const jobs = new Set<Job>();
  return {
    quarantine(job) {
      jobs.add(job);
    },
    quarantined() {
      // A change of one that could not be stored may be rolled back.
      for (const job of jobs) if (job.removed || (job.pendingWrites === 0 && !isQuarantined(job))) jobs.delete(job);
      return [...jobs].filter((job) => job.status === 'IN_QUEUE' && isQuarantined(job));
    },
  };
}

export const createJobQueue = (): JobQueue => ({
  counters: newCounters(),
  ...createWaitingJobs(),
  ...createQuarantine(),
  ...createRecentJobs(),
  ...createParkedWorkers(),
});
