/** The rules of jobs, with everything read that their store holds. */
import { defaultLimits } from '#contract/local/settings.ts';
import { createJobs, type Jobs, type JobsOptions } from '../../../main/engine/domain/jobs/jobs.ts';

/** `limits`: those of a new engine where it is absent. */
export function createLoadedJobs(options: Omit<JobsOptions, 'limits'> & Partial<Pick<JobsOptions, 'limits'>>): Jobs {
  const jobs = createJobs({ limits: defaultLimits, ...options });
  const loading = jobs.load();
  while (loading.next().done !== true);
  return jobs;
}
