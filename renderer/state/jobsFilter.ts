/** What the Jobs page shows; kept while the person looks at other pages. */
import { create } from 'zustand';
import type { LedgerFilter, LedgerStatus } from '#contract/app/ledger.ts';

export const stateFilters = {
  any: { label: 'Any state', statuses: null },
  open: { label: 'Not ended', statuses: ['SENDING', 'IN_QUEUE', 'IN_PROGRESS'] },
  queued: { label: 'Queued', statuses: ['SENDING', 'IN_QUEUE'] },
  running: { label: 'Running', statuses: ['IN_PROGRESS'] },
  done: { label: 'Done', statuses: ['COMPLETED'] },
  failed: { label: 'Failed', statuses: ['FAILED', 'TIMED_OUT', 'REFUSED', 'UNANSWERED'] },
  cancelled: { label: 'Cancelled', statuses: ['CANCELLED'] },
  gone: { label: 'Gone', statuses: ['GONE'] },
} as const satisfies Record<string, { label: string; statuses: readonly LedgerStatus[] | null }>;
export type StateFilter = keyof typeof stateFilters;

const HOUR_MS = 3_600_000;

export const timeFilters = {
  any: { label: 'Any time', ms: null },
  hour: { label: 'Last hour', ms: HOUR_MS },
  day: { label: 'Last 24 h', ms: 24 * HOUR_MS },
  week: { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  month: { label: 'Last 30 days', ms: 30 * 24 * HOUR_MS },
  range: { label: 'From – to', ms: null },
} as const;
export type TimeFilter = keyof typeof timeFilters;

export interface JobsFilter {
  state: StateFilter;
  accountId: string | null;
  endpointId: string | null;
  time: TimeFilter;
  /** When the time filter was chosen, milliseconds since the epoch: the window does not slide under the list. */
  timeChosenAt: number;
  /** Days of `range`, as YYYY-MM-DD where this computer is; empty where that end is open. */
  from: string;
  to: string;
  text: string;
}

export const noFilter: JobsFilter = {
  state: 'any',
  accountId: null,
  endpointId: null,
  time: 'any',
  timeChosenAt: 0,
  from: '',
  to: '',
  text: '',
};

export const useJobsFilter = create<JobsFilter>(() => noFilter);

export const isFiltered = (filter: JobsFilter): boolean =>
  filter.state !== 'any' ||
  filter.accountId !== null ||
  filter.endpointId !== null ||
  filter.time !== 'any' ||
  filter.text.trim() !== '';

/** When a day begins where this computer is, `later` days after it; undefined where it is none. */
function dayBegin(day: string, later: number): number | undefined {
  const [, year, month, date] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime();
  return Number.isNaN(at) ? undefined : at;
}

/** Both of its days belong to a range. */
function rangeOf({ time, from, to }: JobsFilter): Pick<LedgerFilter, 'sentAfter' | 'sentBefore'> {
  const [after, before] = time === 'range' ? [dayBegin(from, 0), dayBegin(to, 1)] : [];
  return { ...(after !== undefined && { sentAfter: after }), ...(before !== undefined && { sentBefore: before }) };
}

export function toLedgerFilter(filter: JobsFilter): LedgerFilter {
  const { statuses } = stateFilters[filter.state];
  const { ms } = timeFilters[filter.time];
  const text = filter.text.trim();
  return {
    ...(statuses !== null && { statuses: [...statuses] }),
    ...(filter.accountId !== null && { accountId: filter.accountId }),
    ...(filter.endpointId !== null && { endpointId: filter.endpointId }),
    ...(ms !== null && { sentAfter: filter.timeChosenAt - ms }),
    ...rangeOf(filter),
    ...(text !== '' && { text }),
  };
}
