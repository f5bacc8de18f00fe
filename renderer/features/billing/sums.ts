/** Rows of usage added up: by span of time, resource, GPU type or endpoint. */
import type { UsageRow } from '#contract/bridge/billing.ts';

export const groupings = { day: 'By day', resource: 'By resource', gpu: 'By GPU', endpoint: 'By endpoint' } as const;
export type Grouping = keyof typeof groupings;

export interface UsageSum {
  key: string;
  /** When it is told by time: where its span begins. */
  time: string | null;
  kind: UsageRow['kind'] | null;
  /** Null: the sum of all of its kind. */
  name: string | null;
  amount: number;
  timeMs: number;
}

const keyOf = ({ time, kind, id }: UsageRow, grouping: Grouping): string => {
  if (grouping === 'day') return time;
  // A GPU type is one, whoever used it.
  return grouping === 'gpu' && kind !== 'volume' ? `gpu ${id ?? ''}` : `${kind} ${id ?? ''}`;
};

/** By day the newest first, else the dearest first. */
export function sumsOf(rows: readonly UsageRow[], grouping: Grouping): UsageSum[] {
  const found = new Map<string, UsageSum>();
  for (const row of rows) {
    if (grouping === 'endpoint' && row.kind !== 'endpoint') continue;
    const key = keyOf(row, grouping);
    const isTime = grouping === 'day';
    const kind = isTime || (grouping === 'gpu' && row.kind !== 'volume') ? null : row.kind;
    const sum = found.get(key) ?? {
      key,
      kind,
      time: isTime ? row.time : null,
      name: isTime ? null : (row.name ?? row.id),
      amount: 0,
      timeMs: 0,
    };
    found.set(key, { ...sum, amount: sum.amount + row.amount, timeMs: sum.timeMs + row.timeMs });
  }
  const all = [...found.values()];
  return grouping === 'day'
    ? all.sort((a, b) => (a.key < b.key ? 1 : -1))
    : all.sort((a, b) => b.amount - a.amount || (a.key < b.key ? -1 : 1));
}

export const totalOf = (rows: readonly { amount: number }[]): number => rows.reduce((sum, row) => sum + row.amount, 0);
