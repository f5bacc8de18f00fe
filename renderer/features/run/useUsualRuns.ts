/** Reads what a job of one endpoint usually takes, and again after each job of it that ends. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isOver } from '#contract/app/jobTimes.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { ownJobsOptions } from '../../client/jobs/ownJobs.ts';
import { usualOf, type UsualRuns } from './usualRuns.ts';

/** Older jobs ran on another version of the handler, or with other inputs. */
const NEWEST = 100;

/** Null while nothing is known. */
export function useUsualRuns(accountId: string, endpointId: string): UsualRuns | null {
  const queries = useQueryClient();
  const filter = { accountId, endpointId, statuses: ['COMPLETED' as const] };
  const options = ownJobsOptions(filter, NEWEST);
  const { data } = useQuery(options);
  useJobChanges((changed) => {
    const ended = changed.some((entry) => entry.endpointId === endpointId && isOver(entry));
    if (ended) void queries.invalidateQueries({ queryKey: options.queryKey });
  });
  return data ? usualOf(data.entries, data.matching) : null;
}
