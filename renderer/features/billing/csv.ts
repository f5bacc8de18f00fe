/** Exports usage as CSV. */
import type { UsageRow } from '#contract/bridge/billing.ts';
import { csvRow } from '#contract/core/csv.ts';

export const usageCsv = (rows: readonly UsageRow[]): string =>
  [
    ['time', 'kind', 'id', 'name', 'hours', 'disk_gb', 'amount_usd'],
    ...rows.map(({ time, kind, id, name, timeMs, gb, amount }) => [
      time,
      kind,
      id,
      name,
      timeMs / 3_600_000,
      gb,
      amount,
    ]),
  ]
    .map(csvRow)
    .join('');
