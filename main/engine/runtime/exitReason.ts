/** Says why a worker ended, for a person: how the system saw it, and the line of its output that tells most. */
import { constants } from 'node:os';
import type { WorkerExit } from '../domain/ports.ts';

const meaning: Record<string, string> = {
  SIGKILL: 'something killed it; often that is the system running out of memory',
  SIGSEGV: 'its native code touched memory that was not its own',
  SIGBUS: 'its native code touched memory that was not there',
  SIGILL: 'its native code has instructions that this processor does not know',
  SIGFPE: 'its native code divided by zero',
  SIGABRT: 'it gave up on itself',
  SIGXCPU: 'it used more processor time than it was given',
};

/** What a program writes when it ends of something, before the frames that mean nothing to most. */
const TELLING = /\b(fatal error|out of memory|memoryerror|segmentation fault|panicked|core dumped)\b/i;
/** `1: 0xe13b2a node::OOMErrorHandler…`, and the rulers around such lists. */
const NOISE = /^\s*(\d+: 0x|#\d+ 0x|-{3,}|<-{2})|^\s*$/;

/** Shells tell of a signal by an exit code above 128. */
function signalOf(code: number | null): string | null {
  if (code === null || code <= 128) return null;
  return Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0] ?? null;
}

export function exitReason({ code, signal, startError, lastLines }: WorkerExit): string {
  const ended = signal ?? signalOf(code);
  const means = ended === null || meaning[ended] === undefined ? '' : ` (${meaning[ended]})`;
  const plain = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  const how = startError ?? `${plain}${signal === null && ended !== null ? `, which stands for ${ended}` : ''}${means}`;
  const said = lastLines.findLast((line) => TELLING.test(line)) ?? lastLines.findLast((line) => !NOISE.test(line));
  return said === undefined ? how : `${how}; it last wrote: ${said.trim()}`;
}
