/** Jobs in the palette, by what they are about: the newest ones, and those that the ledger finds for a query. */
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { List } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import {
  noFilter,
  stateFilters,
  toLedgerFilter,
  useJobsFilter,
  type JobsFilter,
  type StateFilter,
} from '../../../state/jobsFilter.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import { navigate } from '../../../state/route.ts';
import { shortId, lineText } from '../../../ui/domain/jobText.ts';
import { StateChip, stateStyles } from '../../../ui/domain/StateChip.tsx';
import { formatCount, formatMoment } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const RECENT = 8;
const MATCHES_SHOWN = 6;
const LONGEST_TEXT = 200;
const TYPING_MS = 150;
/** How soon a search that is not complete goes on. */
const STEP_MS = 60;
const ICON = 15;

/** Its input or its error, with its endpoint, its state and its short id. It is found by its whole id, too. */
function jobAction(entry: LedgerEntry): SpotlightActionData {
  const { entryId, jobId, endpointName, preview, status, sentAt, tags } = entry;
  const id = jobId === null ? t`no id` : shortId(jobId);
  return {
    id: `job-${entryId}`,
    label: lineText(entry),
    description: [endpointName, id, formatMoment(sentAt)].join(' · '),
    keywords: ['job', status, stateStyles[status].word, jobId ?? '', preview ?? '', ...tags],
    leftSection: <List size={ICON} aria-hidden />,
    rightSection: <StateChip status={status} />,
    onClick: () => navigate({ page: 'jobs', entryId }),
  };
}

/** A word that names a state filters by it: "failed" means jobs that failed. The other words are the text. */
function filterOf(query: string): JobsFilter {
  const words = query.trim().slice(0, LONGEST_TEXT).split(/\s+/u);
  const stateOf = (word: string): StateFilter | undefined =>
    keysOf(stateFilters).find((key) => key !== 'any' && stateFilters[key].label.toLowerCase() === word.toLowerCase());
  const state = words.map(stateOf).find((one) => one !== undefined);
  const text = words.filter((word) => state === undefined || stateOf(word) !== state).join(' ');
  return { ...noFilter, state: state ?? 'any', text };
}

/** Opens Jobs with this search. `matching`: how many jobs it finds; `isAll`: whether these are all of them. */
const allAction = (filter: JobsFilter, matching: number, isAll: boolean): SpotlightActionData => ({
  id: 'jobs-all',
  label: isAll
    ? t`All ${formatCount(matching)} jobs like this`
    : t`All jobs like this, ${formatCount(matching)} so far`,
  description: t`Opens Jobs with this search`,
  leftSection: <List size={ICON} aria-hidden />,
  onClick: () => {
    useJobsFilter.setState(filter, true);
    navigate({ page: 'jobs', entryId: null });
  },
});

export interface PaletteJobs {
  group: SpotlightActionGroupData;
  /** Ids of the actions that the ledger found for the query. */
  matchIds: readonly string[];
  isSearching: boolean;
}

/** `open`: whether the palette is; the jobs are read then. */
export function usePaletteJobs(open: boolean, query: string): PaletteJobs {
  const [typed] = useDebouncedValue(query.trim(), TYPING_MS);
  const recent = { filter: {}, offset: 0, limit: RECENT };
  const { data: newest } = useQuery(orpc.jobs.list.queryOptions({ input: recent, enabled: open, staleTime: 0 }));
  const filter = filterOf(typed);
  const {
    data: answer,
    isPending,
    isError,
  } = useQuery(
    orpc.jobs.list.queryOptions({
      input: { filter: toLedgerFilter(filter), offset: 0, limit: MATCHES_SHOWN },
      enabled: open && typed !== '',
      staleTime: 0,
      retry: false,
      refetchInterval: ({ state: { data } }) => (data !== undefined && !data.complete ? STEP_MS : false),
    }),
  );
  const isCurrent = typed !== '' && typed === query.trim();
  const actions = (newest?.entries ?? []).map(jobAction);
  if (!isCurrent || answer === undefined) {
    const isSearching = query.trim() !== '' && !(isCurrent && isError) && (!isCurrent || isPending);
    return { group: { group: t`Recent jobs`, actions }, matchIds: [], isSearching };
  }
  const { entries, matching, complete } = answer;
  const jobs = entries.map(jobAction);
  const all = matching > 1 ? [allAction(filter, matching, complete)] : [];
  return {
    group: { group: t`Jobs`, actions: [...jobs, ...all] },
    matchIds: [...jobs, ...all].map(({ id }) => id),
    isSearching: !complete && matching === 0,
  };
}
