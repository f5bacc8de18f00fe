/** Explains the end of a worker to a person: the cause first, then what the system reports. */
import { constants } from 'node:os';
import { errorPlace } from './errorPlace.ts';
import { levelOfLine } from '../../domain/logs/lineParser.ts';
import { causeClause, causeOf } from '../../domain/jobs/views/failureClassifier.ts';
import type { WorkerExit } from '../../domain/autoscaling/ports.ts';

const meaning: Record<string, string> = {
  SIGKILL: 'often because the system ran out of memory',
  SIGSEGV: 'native code accessed invalid memory',
  SIGBUS: 'native code accessed memory that does not exist',
  SIGILL: 'native code uses instructions that this processor lacks',
  SIGFPE: 'native code divided by zero',
  SIGABRT: 'it aborted itself',
  SIGXCPU: 'it exceeded its limit of processor time',
};

/** Exit codes of shells and container engines for a command that did not start; and of a program that was done. */
const meaningOfCode: Record<number, string> = {
  0: 'the program ended by itself; a worker has to keep running and take jobs',
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
/** How the worker loops of Hangar begin the line that says why they end. */
const OWN_LINE = '[hangar] ';

/** The signal behind an exit code above 128, as shells report it; null for other codes. */
function signalOf(code: number | null): string | null {
  if (code === null || code <= 128) return null;
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
}

/** What the system reports: "exit code 127", "killed by SIGKILL"; `withMeaning` adds what that stands for. */
function reportOf({ code, signal }: WorkerExit, withMeaning: boolean): string {
  const ended = signal ?? signalOf(code);
  const meant = withMeaning
    ? ended === null
      ? code === null
        ? undefined
        : meaningOfCode[code]
      : meaning[ended]
    : undefined;
  if (signal !== null) {
    const plain = `${signal === 'SIGKILL' ? 'killed' : 'ended'} by ${signal}`;
    return meant === undefined ? plain : `${plain} (${meant})`;
  }
  const notes = [ended, meant].filter((note) => note !== null && note !== undefined);
  return notes.length === 0 ? `exit code ${code}` : `exit code ${code} (${notes.join(': ')})`;
}

/** The resource that ran out, by the output or the kill of the worker; null otherwise. */
function causeIn({ code, outOfMemory }: WorkerExit, causeLine: string | undefined): string | null {
  if (outOfMemory === true) return causeClause.memory;
  const cause = code === 0 || causeLine === undefined ? null : causeOf(causeLine);
  return cause && causeClause[cause];
}

/** Whether the line says why the worker ended. Any other last line may be a line about its work. */
const saysWhy = (line: string): boolean =>
  line.startsWith(OWN_LINE) || TELLING.test(line) || levelOfLine(line) === 'error';

const withoutMarks = (line: string): string =>
  line
    .trim()
    .slice(line.trim().startsWith(OWN_LINE) ? OWN_LINE.length : 0)
    .replace(/\.$/, '');

/**
 * Why a worker ended, without a full stop. What is known of the cause comes first:
 * "ModuleNotFoundError: No module named 'torch' (handler.py:2, exit code 1)",
 * "out of GPU memory: torch.OutOfMemoryError: … (exit code 1)", "exit code 3; last output: loading".
 */
export function exitReason(exit: WorkerExit): string {
  const { code, startError, lastLines, killedAfterMs } = exit;
  if (killedAfterMs !== undefined) {
    return `Hangar killed it because it had not stopped ${killedAfterMs / 1000} s after it was asked to`;
  }
  const causeLine = lastLines.findLast((line) => causeOf(line) !== null || TELLING.test(line));
  const line = causeLine ?? lastLines.findLast((text) => !NOISE.test(text));
  const cause = startError === null ? causeIn(exit, causeLine) : null;
  const report = startError ?? (cause === null ? reportOf(exit, true) : `${cause} (${reportOf(exit, false)})`);
  if (line === undefined) return report;
  const place = code === 0 ? null : errorPlace(lastLines);
  const shownPlace = place === null || line.includes(place) ? null : place;
  const isCause = startError === null && code !== 0 && (causeLine !== undefined || place !== null || saysWhy(line));
  if (!isCause) return `${report}; last output: ${line.trim()}`;
  const facts = [shownPlace, reportOf(exit, false)].filter((fact) => fact !== null).join(', ');
  return `${cause === null ? '' : `${cause}: `}${withoutMarks(line)} (${facts})`;
}
