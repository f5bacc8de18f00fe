/** Rows as a file that spreadsheets read: commas, CRLF, and quotes where a field needs them. */
import type { UsageRow } from '#contract/billingBridge.ts';

type Field = string | number | null;

const quoted = (field: Field): string => {
  const text = field === null ? '' : String(field);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const toCsv = (rows: readonly (readonly Field[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');

export const usageCsv = (rows: readonly UsageRow[]): string =>
  toCsv([
    ['time', 'kind', 'id', 'name', 'hours', 'disk_gb', 'amount_usd'],
    ...rows.map(({ time, kind, id, name, timeMs, gb, amount }) => [
      ...[time, kind, id, name],
      ...[timeMs / 3_600_000, gb, amount],
    ]),
  ]);
