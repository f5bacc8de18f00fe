/** What the Jobs page shows; kept while the person looks at other pages. */
import { create } from 'zustand';
import type { LedgerFilter, LedgerStatus } from '#contract/ledger.ts';

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
} as const;
export type TimeFilter = keyof typeof timeFilters;

export interface JobsFilter {
  state: StateFilter;
  accountId: string | null;
  endpointId: string | null;
  time: TimeFilter;
  /** When the time filter was chosen, milliseconds since the epoch: the window does not slide under the list. */
  timeChosenAt: number;
  text: string;
}

export const noFilter: JobsFilter = {
  state: 'any',
  accountId: null,
  endpointId: null,
  time: 'any',
  timeChosenAt: 0,
  text: '',
};

export const useJobsFilter = create<JobsFilter>(() => noFilter);

export const isFiltered = (filter: JobsFilter): boolean =>
  filter.state !== 'any' ||
  filter.accountId !== null ||
  filter.endpointId !== null ||
  filter.time !== 'any' ||
  filter.text.trim() !== '';

export function toLedgerFilter(filter: JobsFilter): LedgerFilter {
  const { statuses } = stateFilters[filter.state];
  const { ms } = timeFilters[filter.time];
  const text = filter.text.trim();
  return {
    ...(statuses !== null && { statuses: [...statuses] }),
    ...(filter.accountId !== null && { accountId: filter.accountId }),
    ...(filter.endpointId !== null && { endpointId: filter.endpointId }),
    ...(ms !== null && { sentAfter: filter.timeChosenAt - ms }),
    ...(text !== '' && { text }),
  };
}
