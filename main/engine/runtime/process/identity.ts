/** Tells a process from another one that was given the same number later. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const QUESTION_TIMEOUT_MS = 5000;

/** A variable of a process's environment that nothing else was started with. */
export interface Variable {
  name: string;
  value: string;
}

interface LinuxStat {
  state: string;
  group: number;
  /** Clock ticks since the machine started. */
  startedTicks: string;
}

function linuxStat(pid: number | string): LinuxStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain anything, so fields are counted from its end: state is the third.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, group: Number(fields[2]), startedTicks: fields[19]! };
  } catch {
    // It is gone.
    return null;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

/** How the systems without /proc are asked when a process was started. */
const questions: Partial<Record<NodeJS.Platform, (pid: number) => [program: string, ...args: string[]]>> = {
  win32: (pid) => ['powershell', '-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`],
};

/** When a process was started, in whatever words the system has for it; null when it is gone or cannot be told. */
export async function startMark(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = linuxStat(pid);
    return stat === null || stat.state === 'Z' ? null : `${bootId()} ${stat.startedTicks}`;
  }
  const [program, ...args] = questions[process.platform]?.(pid) ?? ['ps', '-o', 'lstart=', '-p', String(pid)];
  return new Promise((resolve) => {
    const options = { timeout: QUESTION_TIMEOUT_MS, windowsHide: true };
    // Both programs fail for a process that is gone.
    execFile(program, args, options, (error, stdout) => resolve(error ? null : stdout.trim() || null));
  });
}

/** Whether anything of a process group still runs. Zombies do not: they only wait to be noticed. */
export function groupRuns(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || groupMembers(group).length > 0;
}

/** The running processes of a group; Linux only. */
export function groupMembers(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const stat = linuxStat(pid);
      return stat !== null && stat.group === group && stat.state !== 'Z';
    })
    .map(Number);
}

/** Whether a process was started with this variable; Linux only. */
export function hasVariable(pid: number, { name, value }: Variable): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${name}=${value}`);
  } catch {
    // It is gone, or it is not ours to look at: then it is not ours to end either.
    return false;
  }
}

/** Every process that was started with this variable, whatever group it has moved to; none where only Linux could tell. */
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
