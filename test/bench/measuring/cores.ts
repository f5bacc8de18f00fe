/** Which cores programs run on, where the system can be told. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

const CORES = cpus().length;

const bind = (cores: string, pids: readonly number[]): void => {
  for (const pid of pids) spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
};

/**
 * Measures with the service (`pids`) on the first core and this process on the second. Left to the system, two programs
 * that take turns run now on one core and now on two, and a hop between them costs half as much on one: twice in the
 * same minute.
 */
export async function apart<T>(pids: readonly number[], measure: () => Promise<T>): Promise<T> {
  if (process.platform !== 'linux' || CORES < 2) return measure();
  bind('0', pids);
  bind('1', [process.pid]);
  try {
    return await measure();
  } finally {
    bind(`0-${CORES - 1}`, [...pids, process.pid]);
  }
}
