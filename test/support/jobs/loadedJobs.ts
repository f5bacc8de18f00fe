/** The rules of jobs, with everything read that their store holds. */
import { limits } from '#contract/core/limits.ts';
import { defaultLimits } from '#contract/local/settings.ts';
import { createJobs, type Jobs, type JobsOptions } from '../../../main/engine/domain/jobs/jobs.ts';
import { createFakeIds, silentLogger } from '../core/fakes.ts';

type Defaults = 'ids' | 'logger' | 'limits' | 'executionTimeoutMs' | 'onDemand' | 'onRecycle';

/** Where an option is absent: fake ids, no log, the limits of a new engine, and nobody who hears of demand. */
export function createLoadedJobs(options: Omit<JobsOptions, Defaults> & Partial<Pick<JobsOptions, Defaults>>): Jobs {
  const jobs = createJobs({
    ids: createFakeIds(),
    logger: silentLogger,
    limits: defaultLimits,
    executionTimeoutMs: () => limits.executionTimeoutMs.default,
    onDemand: () => undefined,
    onRecycle: () => undefined,
    ...options,
  });
  const loading = jobs.load();
  while (loading.next().done !== true);
  return jobs;
}
