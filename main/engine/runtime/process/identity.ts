/** Distinguishes a process from a later one with the same id. */
import { expectCode, systemCode } from '#contract/core/systemCode.ts';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const QUESTION_TIMEOUT_MS = 5000;

/** An environment variable with a value that only one worker's processes have. */
export interface Variable {
  name: string;
  value: string;
}

interface LinuxStat {
  state: string;
  group: number;
  /** Clock ticks since the start of the machine. */
  startedTicks: string;
}

function linuxStat(pid: number | string): LinuxStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain any character, so count fields from its end: the state is the third.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, , group] = fields;
    const startedTicks = fields[19];
    if (state === undefined || startedTicks === undefined) return null;
    return { state, group: Number(group), startedTicks };
  } catch (error) {
    // The process is gone.
    expectCode(error, 'ENOENT', 'ESRCH');
    return null;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

/** The commands that report the start of a process, on systems without /proc. */
const questions: Partial<Record<NodeJS.Platform, (pid: number) => [program: string, ...args: string[]]>> = {
  win32: (pid) => ['powershell', '-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`],
};

/**
 * The start of a process, in the format of the system; null where the process is gone or the system does not report it.
 */
export async function startMark(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = linuxStat(pid);
    return stat === null || stat.state === 'Z' ? null : `${bootId()} ${stat.startedTicks}`;
  }
  const [program, ...args] = questions[process.platform]?.(pid) ?? ['ps', '-o', 'lstart=', '-p', String(pid)];
  return new Promise((resolve) => {
    const options = { timeout: QUESTION_TIMEOUT_MS, windowsHide: true };
    // Both programs fail for a missing process.
    execFile(program, args, options, (error, stdout) => resolve(error ? null : stdout.trim() || null));
  });
}

/** Whether a process of this group runs. Zombies do not count: they have ended. */
export function groupRuns(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
  return process.platform !== 'linux' || groupMembers(group).length > 0;
}

/** The ids of the running processes of a group; Linux only. */
export function groupMembers(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const stat = linuxStat(pid);
      return stat !== null && stat.group === group && stat.state !== 'Z';
    })
    .map(Number);
}

/** Whether a process started with this variable; Linux only. */
export function hasVariable(pid: number, { name, value }: Variable): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${name}=${value}`);
  } catch (error) {
    expectCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM');
    // The process is gone, or belongs to another user and must not be killed.
    return false;
  }
}

/** All processes that started with this variable, in any group. Empty on systems other than Linux. */
export async function processesWith({ name, value }: Variable): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const sought = Buffer.from(`${name}=${value}\0`);
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const matches = await Promise.all(
    pids.map(async (pid) => {
      const variables = await readFile(`/proc/${pid}/environ`).catch(() => null);
      return variables?.includes(sought) ? Number(pid) : 0;
    }),
  );
  return matches.filter((pid) => pid > 0);
}
