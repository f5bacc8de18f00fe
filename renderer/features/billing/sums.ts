/** Sums of usage rows: by period, resource, GPU type or endpoint. */
import type { UsageRow } from '#contract/bridge/billing.ts';
import type { Route } from '../../state/routePath.ts';
import { t } from '../../language/text.ts';

export const groupings = {
  day: t`By day`,
  resource: t`By resource`,
  gpu: t`By GPU`,
  endpoint: t`By endpoint`,
} as const;
export type Grouping = keyof typeof groupings;

export interface UsageSum {
  key: string;
  /** The start of the period, if sums are grouped by time. */
  time: string | null;
  kind: UsageRow['kind'] | null;
  /** Null: the sum of all resources of this kind. */
  name: string | null;
  /** The page of the resource; null for other sums, and once it is deleted. */
  to: Route | null;
  amount: number;
  timeMs: number;
}

const keyOf = ({ time, kind, id }: UsageRow, grouping: Grouping): string => {
  if (grouping === 'day') return time;
  // A GPU type has one sum over all resources that used it.
  return grouping === 'gpu' && kind !== 'volume' ? `gpu:${id ?? ''}` : `${kind}:${id ?? ''}`;
};

function pageOf({ kind, id, exists }: UsageRow): Route | null {
  if (id === null || !exists) return null;
  switch (kind) {
    case 'pod':
      return { page: 'pods', podId: id, tab: 'overview' };
    case 'endpoint':
      return { page: 'endpoints', endpointId: id, tab: 'overview' };
    case 'volume':
      return { page: 'resources', tab: 'volumes', volumeId: id, path: '' };
  }
}

/** By day: newest first; otherwise most expensive first. */
export function sumsOf(rows: readonly UsageRow[], grouping: Grouping): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) {
    if (grouping === 'endpoint' && row.kind !== 'endpoint') continue;
    const key = keyOf(row, grouping);
    const isTime = grouping === 'day';
    const kind = isTime || (grouping === 'gpu' && row.kind !== 'volume') ? null : row.kind;
    const sum = sums.get(key) ?? {
      key,
      kind,
      time: isTime ? row.time : null,
      name: isTime ? null : (row.name ?? row.id),
      to: kind === null ? null : pageOf(row),
      amount: 0,
      timeMs: 0,
    };
    sums.set(key, { ...sum, amount: sum.amount + row.amount, timeMs: sum.timeMs + row.timeMs });
  }
  const all = [...sums.values()];
  return grouping === 'day'
    ? all.sort((a, b) => (a.key < b.key ? 1 : -1))
    : all.sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1));
}

export const totalOf = (rows: readonly { amount: number }[]): number => rows.reduce((sum, row) => sum + row.amount, 0);
