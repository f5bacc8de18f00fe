/**
 * Jobs with an input of the handler's own, for a page that learns from them: requests of OpenAI clients have another.
 */
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { orpc } from '../transport/orpc.ts';

/** How soon a search that is not complete goes on, in milliseconds. */
const STEP_MS = 60;

/** The newest jobs that match the filter, without the requests of OpenAI clients, such as those of the chat. */
export const ownJobsOptions = (filter: LedgerFilter, limit: number) =>
  orpc.jobs.list.queryOptions({
    input: { filter: { ...filter, openai: false }, offset: 0, limit },
    retry: false,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && !data.complete && data.entries.length < limit ? STEP_MS : false,
  });
