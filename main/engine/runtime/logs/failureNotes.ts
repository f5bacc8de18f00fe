/** The error of a failed job, as lines at the end of its log. */
import { readError } from '#contract/api/readError.ts';
import type { JobFailure } from '../../domain/jobs/ports.ts';
import type { WorkerLogs } from './workerLogs.ts';

/** Of a longer error, such as that of an endless recursion, the middle is left out. */
const MOST_LINES = 100;

/** The lines as the language writes them: Python names the error last, Node first. */
function linesOf(error: string): string[] {
  const { headline, detail } = readError(error);
  const text = error.startsWith('{') ? (detail ?? headline) : error;
  const lines = text.trimEnd().split('\n');
  const hasHeadline = lines.some((line) => line.includes(headline));
  return hasHeadline || lines.some((line) => endsOf(headline, line)) ? lines : [...lines, headline];
}

/** Whether a line says the error without the module of its class: "ValueError: no" for "builtins.ValueError: no". */
const endsOf = (headline: string, line: string): boolean => line.trim() !== '' && headline.endsWith(line.trim());

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const half = MOST_LINES / 2;
  return [...lines.slice(0, half), `… [${lines.length - MOST_LINES} more lines were left out]`, ...lines.slice(-half)];
}

/** The line that says what happened: the last one of Python, the first one of others. */
const namingLine = (lines: readonly string[]): string =>
  ((lines[0]?.startsWith('Traceback') === true ? lines.at(-1) : lines[0]) ?? '').trim();

/** Writes the error of a failed job into the log, unless the worker has written it there itself. */
export function createFailureNotes(logs: Pick<WorkerLogs, 'noteJob' | 'hasWritten'>): (failure: JobFailure) => void {
  return ({ jobId, endpointId, workerId, error }) => {
    const lines = linesOf(error);
    if (logs.hasWritten(jobId, namingLine(lines))) return;
    logs.noteJob({ workerId, endpointId }, jobId, 'error', shortened(lines));
  };
}
