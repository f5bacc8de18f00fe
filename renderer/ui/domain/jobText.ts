/** What a row of the list says of its job. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { readError } from '#contract/api/readError.ts';
import { isOver, noIdWords } from '../job/timeline.ts';
import { withFieldLabels } from '../text/fieldLabels.ts';
import { t } from '../../language/text.ts';

const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'REFUSED', 'UNANSWERED', 'GONE']);

/** The beginning and the end of an id: the beginning is its time, the end tells it from its neighbours. */
export function shortId(jobId: string): string {
  const core = jobId.replace(/^sync-(openai-)?/u, '').replace(/(?<=-\w{12})-\w+$/u, '');
  return core.length <= 10 ? core : `${core.slice(0, 4)}…${core.slice(-4)}`;
}

/** The sentence of its error; null for a job that has not failed. */
export const failureOf = ({ status, error }: LedgerEntry): string | null =>
  error !== null && FAILED.has(status) ? withFieldLabels(readError(error).headline) : null;

/**
 * Why it waits; null for a job that does not wait. While nobody can be asked, the last known reason is an old one:
 * null.
 */
export const waitOf = (entry: LedgerEntry): string | null =>
  entry.waiting !== null && entry.trouble === null && !isOver(entry)
    ? t`Waiting: ${withFieldLabels(entry.waiting)}`
    : null;

/** Why it failed or waits, else what it is about. */
export const whatOf = (entry: LedgerEntry): string => failureOf(entry) ?? waitOf(entry) ?? inputOf(entry);

const inputOf = (entry: LedgerEntry): string =>
  entry.preview ?? (entry.jobId === null ? noIdWords(entry) : t`No input`);

/**
 * What the job is about, as the title of a place that shows below it why it waits or failed; its error where it has no
 * input.
 */
export const titleOf = (entry: LedgerEntry): string =>
  entry.preview === null ? (failureOf(entry) ?? inputOf(entry)) : inputOf(entry);

/** Where it came from: "window", "command line", "API · curl". */
export function sourceOf({ source, client, keyName }: LedgerEntry): string {
  if (source === 'window') return t`window`;
  if (source === 'command') return t`command line`;
  return ['API', client ?? keyName].filter(Boolean).join(' · ');
}

/** The same in full. */
export function sourceWords({ source, client, keyName }: LedgerEntry): string {
  if (source === 'window') return t`The window of Hangar`;
  if (source === 'command') return t`The command line`;
  const by = client === null ? t`The API` : t`The API, by ${client}`;
  return keyName === null ? by : t`${by}, with the key "${keyName}"`;
}
