/** How a container ended, in words. */
import type { PodContainer } from '../podInterfaces.ts';

const FIRST_SIGNAL = 128;

const meanings: Readonly<Record<number, string>> = {
  0: 'it finished',
  125: 'the container engine could not start it',
  126: 'its command cannot be executed',
  127: 'its command was not found',
};

/** By the number of the signal. */
const signals: Readonly<Record<number, string>> = {
  2: 'SIGINT: it was interrupted',
  4: 'SIGILL: an instruction that this processor lacks',
  6: 'SIGABRT: it aborted itself',
  7: 'SIGBUS: a memory error, often too little shared memory',
  8: 'SIGFPE: an arithmetic error',
  9: 'SIGKILL: it was killed',
  11: 'SIGSEGV: a memory error',
  15: 'SIGTERM: it was asked to stop',
};

/** The meaning of an exit code. A program itself gives a meaning to one that is not usual. */
const meaningOf = (exitCode: number): string =>
  meanings[exitCode] ?? signals[exitCode - FIRST_SIGNAL] ?? 'an error of its program';

/** "exit code 127 (its command was not found)", "memory ran out"; null if it is not known. */
export function exitWords({ exitCode, outOfMemory }: Pick<PodContainer, 'exitCode' | 'outOfMemory'>): string | null {
  if (outOfMemory) return 'memory ran out';
  if (exitCode === null) return null;
  return `exit code ${exitCode} (${meaningOf(exitCode)})`;
}

/**
 * The same as a part of a sentence: " with exit code 1 (an error of its program)", " because memory ran out", or
 * nothing.
 */
export function howEnded(container: Pick<PodContainer, 'exitCode' | 'outOfMemory'>): string {
  const words = exitWords(container);
  if (words === null) return '';
  return container.outOfMemory ? ` because ${words}` : ` with ${words}`;
}
