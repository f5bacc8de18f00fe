/** The newest jobs of one endpoint, for the list of its requests. */
import type { Job } from '../jobRecord.ts';

export interface RecentJobs {
  /** Remembers the job among the newest of this endpoint. */
  note(job: Job): void;
  /** The newest jobs that are still there, newest first; about a thousand are remembered. */
  recent(): Iterable<Job>;
}

/** How many of the newest jobs are remembered. */
const RECENT = 1000;

export function createRecentJobs(): RecentJobs {
  /** A ring: job number n of the endpoint lies at n % RECENT. */
  const newest: Job[] = [];
  let noted = 0;
  return {
    note(job) {
      newest[noted++ % RECENT] = job;
    },
    *recent() {
      for (let n = noted - 1; n >= 0 && n >= noted - RECENT; n--) {
        const job = newest[n % RECENT];
        if (job && !job.removed) yield job;
      }
    },
  };
}
