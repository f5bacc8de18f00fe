/** Jobs for a person: their states, the reasons of their waits, and their outputs. */
import { readError } from '#contract/api/readError.ts';
import type { LedgerEntry, LedgerStatus } from '#contract/app/ledger.ts';
import type { Output, Style } from './output.ts';
import { harmless } from './text.ts';

const styles: Partial<Record<LedgerStatus, Style>> = {
  COMPLETED: 'green',
  FAILED: 'red',
  TIMED_OUT: 'red',
  REFUSED: 'red',
  UNANSWERED: 'red',
  CANCELLED: 'dim',
  GONE: 'dim',
  IN_PROGRESS: 'cyan',
};

/** `cell`: the state, padded to the width of its column. */
export function statusCell(output: Output, status: LedgerStatus, cell: string): string {
  const style = styles[status];
  return style === undefined ? cell : output.style(style, cell);
}

/** Before the reason why a job cannot be asked about now. */
export const LAST_KNOWN = 'Last known state.';

/** One line about a job that has not ended; `time`: how long it has been in this state. */
export function jobLine({ status, jobId, waiting, trouble, workerId, chunkCount }: LedgerEntry, time: string): string {
  const more = [
    trouble === null ? null : `${LAST_KNOWN} ${trouble}`,
    status === 'IN_QUEUE' ? waiting : workerId && `worker ${workerId}`,
    chunkCount > 0 ? `${chunkCount} chunk${chunkCount === 1 ? '' : 's'}` : null,
    jobId && `job ${jobId}`,
  ];
  return [status, time, ...more].filter(Boolean).join('  ');
}

/** Raw JSON for a person: a text without quotes, everything else indented. */
export function outputText(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return harmless(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  } catch {
    // The text is not JSON: it is shown as it is.
    return harmless(json);
  }
}

/**
 * The error of a job for a person: with its stack trace, if `whole` is true and there is one, otherwise as one
 * sentence.
 */
export function errorText(error: string, whole: boolean): string {
  const { headline, detail } = readError(error);
  // A text is shown as the worker wrote it; the JSON of a worker is laid out.
  if (!error.startsWith('{')) return error;
  return !whole || detail === null
    ? headline
    : detail.includes(headline)
      ? detail.trim()
      : `${headline}\n${detail.trim()}`;
}
