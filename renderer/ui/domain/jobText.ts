/** What a row of the list says of its job. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { readError } from '#contract/api/readError.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import { waitLine } from '../job/list/waitText.ts';
import { noIdWords } from '../job/timeline.ts';
import { withFieldLabels } from '../text/fieldLabels.ts';
import { t } from '../../language/text.ts';

const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'REFUSED', 'UNANSWERED', 'GONE']);

/** The beginning and the end of an id: the beginning is its time, the end tells it from its neighbours. */
export function shortId(jobId: string): string {
  const core = jobId.replace(/^sync-(openai-)?/u, '').replace(/(?<=-\w{12})-\w+$/u, '');
  return core.length <= 10 ? core : `${core.slice(0, 4)}…${core.slice(-4)}`;
}

/** What a job is, in one line, wherever one is shown. */
export interface JobLine {
  /** What it is about: its input. For a job without one: why it failed or waits, else why nothing is known. */
  what: string;
  /** Why it failed or waits, beside its input; null for none. */
  reason: { words: string; tone: 'bad' | 'wait' } | null;
}

/** `isLastKnown`: whether nobody can be asked about the job now; its last known reason to wait is an old one then. */
export function lineOf(entry: LedgerEntry, isLastKnown = false): JobLine {
  const reason = failureOf(entry) ?? (isLastKnown ? null : waitOf(entry));
  const { preview } = entry;
  if (preview === null) return { what: reason?.words ?? withoutInput(entry), reason: null };
  return { what: preview, reason };
}

/** The same line as a text, such as the name of a row. */
export function lineText(entry: LedgerEntry, isLastKnown = false): string {
  const { what, reason } = lineOf(entry, isLastKnown);
  return reason === null ? what : `${what} · ${reason.words}`;
}

/**
 * What the job is about, as the title of a place that shows below it why it waits or failed; its error where it has no
 * input.
 */
export const titleOf = (entry: LedgerEntry): string => lineOf(entry, true).what;

/** The sentence of its error. */
const failureOf = ({ status, error }: LedgerEntry): JobLine['reason'] =>
  error !== null && FAILED.has(status) ? { words: withFieldLabels(readError(error).headline), tone: 'bad' } : null;

const waitOf = ({ waiting, trouble, status }: LedgerEntry): JobLine['reason'] =>
  waiting !== null && trouble === null && !isOver({ status }) ? { words: waitLine(waiting), tone: 'wait' } : null;

const withoutInput = (entry: LedgerEntry): string => (entry.jobId === null ? noIdWords(entry) : t`No input`);

/** Where it came from: "window", "command line", "API · key "script"" with the name of its key, or else "API · curl". */
export function sourceOf({ source, client, keyName }: LedgerEntry): string {
  if (source === 'window') return t`window`;
  if (source === 'command') return t`command line`;
  return ['API', keyName === null ? client : t`key "${keyName}"`].filter(Boolean).join(' · ');
}

/** The same in full. */
export function sourceWords({ source, client, keyName }: LedgerEntry): string {
  if (source === 'window') return t`A window of Hangar`;
  if (source === 'command') return t`The command line`;
  const by = client === null ? t`The API` : t`The API, by ${client}`;
  return keyName === null ? by : t`${by}, with the key "${keyName}"`;
}
