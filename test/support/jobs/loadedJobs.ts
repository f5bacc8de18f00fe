/** The rules of jobs, with everything read that their store holds. */
import { createJobs, type Jobs, type JobsOptions } from '../../../main/engine/domain/jobs/jobs.ts';

export function createLoadedJobs(options: JobsOptions): Jobs {
  const jobs = createJobs(options);
  const loading = jobs.load();
  while (loading.next().done !== true);
  return jobs;
}
