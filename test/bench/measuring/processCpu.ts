/** CPU time of processes from /proc: the figure that stays within a few per cent where throughput does not. */
import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of user and system time each of these processes has used so far; 0 where the system cannot tell. */
export const cpuMicroseconds = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);

function cpuOf(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const [running] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
      nanoseconds += Number(running ?? 0);
    }
  } catch {
    // Not Linux, or the process is gone: the table then shows no CPU figure.
    return 0;
  }
  return nanoseconds / 1000;
}

/** How much CPU these processes use while `work` runs, in microseconds. */
export async function measureCpu<T>(
  pids: readonly number[],
  work: () => Promise<T>,
): Promise<{ cpuUs: number; result: T }> {
  const before = cpuMicroseconds(pids);
  const result = await work();
  return { cpuUs: cpuMicroseconds(pids) - before, result };
}
