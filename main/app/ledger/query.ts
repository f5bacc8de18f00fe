/** A ledger filter as SQL. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerFilter } from '#contract/ledger.ts';

export interface Query {
  /** FROM and WHERE; the entry table is `e`. */
  from: string;
  values: SQLInputValue[];
  /** Whether every entry matches. */
  isAll: boolean;
}

/** `%` and `_` of the text stand for themselves. */
const pattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

export function toQuery(filter: LedgerFilter): Query {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const also = (sql: string, ...more: SQLInputValue[]): void => {
    parts.push(sql);
    values.push(...more);
  };

  if (filter.statuses) also(`e.status IN (${filter.statuses.map(() => '?').join(', ')})`, ...filter.statuses);
  if (filter.accountId !== undefined) also('e.account_id = ?', filter.accountId);
  if (filter.endpointId !== undefined) also('e.endpoint_id = ?', filter.endpointId);
  if (filter.sentAfter !== undefined) also('e.sent_at >= ?', filter.sentAfter);
  const text = filter.text?.trim();
  if (text) also(`(s.head LIKE ? ESCAPE '\\' OR s.body LIKE ? ESCAPE '\\')`, pattern(text), pattern(text));

  const tables = text ? 'entries e JOIN search s ON s.seq = e.seq' : 'entries e';
  const isAll = parts.length === 0;
  return { from: isAll ? tables : `${tables} WHERE ${parts.join(' AND ')}`, values, isAll };
}
