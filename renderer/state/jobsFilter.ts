/** The filter of the Jobs page; it stays while other pages are shown. */
import { create } from 'zustand';
import * as z from 'zod';
import { keysOf } from '#contract/core/keysOf.ts';
import { asJson } from './personalSetting.ts';
import type { JobSource, LedgerFilter, LedgerStatus } from '#contract/app/ledger.ts';
import { FAILED_STATUSES } from '#contract/app/jobs/failures.ts';
import { t } from '../language/text.ts';

export const stateFilters = {
  any: { label: t`Any state`, statuses: null },
  open: { label: t`Not ended`, statuses: ['SENDING', 'IN_QUEUE', 'IN_PROGRESS'] },
  queued: { label: t`Queued`, statuses: ['SENDING', 'IN_QUEUE'] },
  running: { label: t`Running`, statuses: ['IN_PROGRESS'] },
  done: { label: t`Done`, statuses: ['COMPLETED'] },
  failed: { label: t`Failed`, statuses: FAILED_STATUSES },
  cancelled: { label: t`Cancelled`, statuses: ['CANCELLED'] },
  notCancelled: {
    label: t`Not cancelled`,
    statuses: [
      'SENDING',
      'IN_QUEUE',
      'IN_PROGRESS',
      'COMPLETED',
      'FAILED',
      'TIMED_OUT',
      'REFUSED',
      'UNANSWERED',
      'GONE',
    ],
  },
  gone: { label: t`Gone`, statuses: ['GONE'] },
} as const satisfies Record<string, { label: string; statuses: readonly LedgerStatus[] | null }>;
export type StateFilter = keyof typeof stateFilters;

const HOUR_MS = 3_600_000;

export const timeFilters = {
  any: { label: t`Any time`, ms: null },
  today: { label: t`Today`, ms: null },
  hour: { label: t`Last hour`, ms: HOUR_MS },
  day: { label: t`Last 24 hours`, ms: 24 * HOUR_MS },
  week: { label: t`Last 7 days`, ms: 7 * 24 * HOUR_MS },
  month: { label: t`Last 30 days`, ms: 30 * 24 * HOUR_MS },
  range: { label: t`From – to`, ms: null },
} as const;
export type TimeFilter = keyof typeof timeFilters;

export const sourceFilters = {
  any: { label: t`Any source` },
  window: { label: t`Window of Hangar` },
  command: { label: t`Command line` },
  api: { label: t`API` },
} as const satisfies Record<JobSource | 'any', { label: string }>;
export type SourceFilter = keyof typeof sourceFilters;

/** The filter of the Jobs page; all of it can be saved under a name. */
export interface JobsFilter {
  state: StateFilter;
  source: SourceFilter;
  /** The name of the API key that sent the job. */
  keyName: string | null;
  tag: string | null;
  accountId: string | null;
  endpointId: string | null;
  time: TimeFilter;
  /**
   * When the time filter was chosen, in milliseconds since the epoch, so that the period does not move while the list
   * is shown.
   */
  timeChosenAt: number;
  /** Days of `range`, as local YYYY-MM-DD; empty: no limit on that side. */
  from: string;
  to: string;
  text: string;
}

export const noFilter: JobsFilter = {
  state: 'any',
  source: 'any',
  keyName: null,
  tag: null,
  accountId: null,
  endpointId: null,
  time: 'any',
  timeChosenAt: 0,
  from: '',
  to: '',
  text: '',
};

export const useJobsFilter = create<JobsFilter>(() => noFilter);

/** The part of a filter that can be saved, as JSON text. */
export const savedFilterSchema = asJson(
  z.object({
    state: z.enum(keysOf(stateFilters)),
    source: z.enum(keysOf(sourceFilters)),
    // Filters of older versions have none.
    keyName: z.string().nullable().default(null),
    tag: z.string().nullable(),
    accountId: z.string().nullable(),
    endpointId: z.string().nullable(),
    time: z.enum(keysOf(timeFilters)),
    from: z.string(),
    to: z.string(),
    text: z.string(),
  }),
);

export const isFiltered = (filter: JobsFilter): boolean =>
  filter.state !== 'any' ||
  filter.source !== 'any' ||
  filter.keyName !== null ||
  filter.tag !== null ||
  filter.accountId !== null ||
  filter.endpointId !== null ||
  filter.time !== 'any' ||
  filter.text.trim() !== '';

/** The local start of a day, plus `later` days; undefined for an invalid day. */
function dayBegin(day: string, later: number): number | undefined {
  const [, year, month, date] = /^(\d{4,})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + later).getTime();
  return Number.isNaN(at) ? undefined : at;
}

/** Both days of a range are included. */
function rangeOf({ time, from, to }: JobsFilter): Pick<LedgerFilter, 'sentAfter' | 'sentBefore'> {
  if (time === 'today') return { sentAfter: new Date().setHours(0, 0, 0, 0) };
  const [after, before] = time === 'range' ? [dayBegin(from, 0), dayBegin(to, 1)] : [];
  return { ...(after !== undefined && { sentAfter: after }), ...(before !== undefined && { sentBefore: before }) };
}

export function toLedgerFilter(filter: JobsFilter): LedgerFilter {
  const { statuses } = stateFilters[filter.state];
  const { ms } = timeFilters[filter.time];
  const text = filter.text.trim();
  return {
    ...(statuses !== null && { statuses: [...statuses] }),
    ...(filter.source !== 'any' && { source: filter.source }),
    ...(filter.keyName !== null && { keyName: filter.keyName }),
    ...(filter.tag !== null && { tag: filter.tag }),
    ...(filter.accountId !== null && { accountId: filter.accountId }),
    ...(filter.endpointId !== null && { endpointId: filter.endpointId }),
    ...(ms !== null && { sentAfter: filter.timeChosenAt - ms }),
    ...rangeOf(filter),
    ...(text !== '' && { text }),
  };
}
