/** Which processes a process has started. Linux tells it in /proc; elsewhere the lists are empty. */
import { existsSync, readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended in between.
    return '';
  }
};

/** The direct children, by process id. */
export const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/** The program with its arguments, separated by NUL; empty when the process has ended. */
export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`);

/** All processes below one, by process id. */
export const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

export const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);
