/** Explains the end of a worker to a person: the report of the system, and the most informative line of its output. */
import { constants } from 'node:os';
import { errorPlace } from './errorPlace.ts';
import { causeClause, causeOf } from '../../domain/jobs/views/failureClassifier.ts';
import type { WorkerExit } from '../../domain/autoscaling/ports.ts';

const meaning: Record<string, string> = {
  SIGKILL: 'something killed it; often that is the system running out of memory',
  SIGSEGV: 'its native code touched memory that was not its own',
  SIGBUS: 'its native code touched memory that was not there',
  SIGILL: 'its native code has instructions that this processor does not know',
  SIGFPE: 'its native code divided by zero',
  SIGABRT: 'it gave up on itself',
  SIGXCPU: 'it used more processor time than it was given',
};

/** Exit codes of shells and container engines for a command that did not start. */
const notBegun: Record<number, string> = {
  125: 'a container could not be run',
  126: 'a command was found, but could not be executed',
  127: 'a command was not found',
};

/** Texts that name the cause of an end, before the stack frames. */
const TELLING = /\b(fatal error|out of memory|segmentation fault|panicked|core dumped)\b/i;
/**
 * Stack frames such as `1: 0xe13b2a node::OOMErrorHandler…` or `at handler (…)`, separators, and the last line of Node.
 */
const NOISE = /^\s*(\d+: 0x|#\d+ 0x|-{3,}|<-{2})|^\s*$|^\s+at |^Node\.js v\d/;

/** The signal behind an exit code above 128, as shells report it; null for other codes. */
function signalOf(code: number | null): string | null {
  if (code === null || code <= 128) return null;
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
}

/** The resource that ran out, by the output or the kill of the worker; null otherwise. It comes first in the reason. */
function causeIn({ code, outOfMemory, startError }: WorkerExit, causeLine: string | undefined): string | null {
  if (outOfMemory === true) return 'it was killed because memory ran out';
  const cause = startError !== null || code === 0 || causeLine === undefined ? null : causeOf(causeLine);
  return cause && causeClause[cause];
}

export function exitReason(exit: WorkerExit): string {
  const { code, signal, startError, lastLines, killedAfterMs } = exit;
  if (killedAfterMs !== undefined) {
    return `Hangar killed it, because it had not ended ${killedAfterMs / 1000} s after it was told to`;
  }
  const ended = signal ?? signalOf(code);
  const meant = ended === null ? notBegun[code ?? 0] : meaning[ended];
  const means = meant === undefined ? '' : ` (${meant})`;
  const plain = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  const causeLine = lastLines.findLast((line) => causeOf(line) !== null || TELLING.test(line));
  const cause = causeIn(exit, causeLine);
  const signalled = signal === null && ended !== null ? `, which stands for ${ended}` : '';
  const outcome = startError ?? (cause === null ? `${plain}${signalled}${means}` : `${cause} (${plain}${signalled})`);
  const lastLine = causeLine ?? lastLines.findLast((line) => !NOISE.test(line));
  if (lastLine === undefined) return outcome;
  const place = code === 0 ? null : errorPlace(lastLines);
  const at = place === null || lastLine.includes(place) ? '' : ` (${place})`;
  return `${outcome}; it last wrote: ${lastLine.trim()}${at}`;
}
