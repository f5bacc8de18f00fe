/** Reads what a job of one endpoint usually takes, and whether its handler yields; again after each job that ends. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isOver } from '#contract/app/jobs/times.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { ownJobsOptions } from '../../client/jobs/ownJobs.ts';
import { usualOf, type UsualRuns } from './usualRuns.ts';

/** Older jobs ran on another version of the handler, or with other inputs. */
const NEWEST = 100;

interface OwnRuns {
  /** Null while too little is known. */
  usual: UsualRuns | null;
  /** Whether the last completed job has sent chunks; null while none is known. */
  yields: boolean | null;
}

export function useOwnRuns(accountId: string, endpointId: string): OwnRuns {
  const queries = useQueryClient();
  const filter = { accountId, endpointId, statuses: ['COMPLETED' as const] };
  const options = ownJobsOptions(filter, NEWEST);
  const { data } = useQuery(options);
  useJobChanges((changed) => {
    const ended = changed.some((entry) => entry.endpointId === endpointId && isOver(entry));
    if (ended) void queries.invalidateQueries({ queryKey: options.queryKey });
  });
  const [last] = data?.entries ?? [];
  return {
    usual: data ? usualOf(data.entries, data.matching) : null,
    yields: last === undefined ? null : last.chunkCount > 0,
  };
}
