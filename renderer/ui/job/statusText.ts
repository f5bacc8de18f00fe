/** A ledger entry as the job API would answer for it. */
import { jobStatuses } from '#contract/api/job.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { indentJson } from './jsonText.ts';

/** The answer of /status, laid out. `output` is put in as the text it is. */
export function statusText(entry: LedgerEntry, output: string | null): string {
  const known = jobStatuses.some((status) => status === entry.status);
  const fields: [string, string | null][] = [
    ['delayTime', text(entry.delayTime)],
    ['error', text(entry.error)],
    ['executionTime', text(entry.executionTime)],
    ['id', text(entry.jobId)],
    ['output', output],
    ['status', known ? text(entry.status) : null],
    ['workerId', text(entry.workerId)],
  ];
  const present = fields.filter(([, value]) => value !== null);
  return indentJson(`{${present.map(([name, value]) => `"${name}":${value}`).join(',')}}`);
}

const text = (value: string | number | null): string | null => (value === null ? null : JSON.stringify(value));
