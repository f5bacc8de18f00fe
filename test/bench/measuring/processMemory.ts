/** What the kernel says about a process at rest: resident memory, and how often it wakes up. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Resident memory in kilobytes; NaN where there is no /proc. */
export function residentKb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}

const LOOK_EVERY_MS = 500;
const STEADY_LOOKS = 6;
const STEADY_SHARE = 0.005;

/** Resident memory once it has stayed the same for three seconds, or after 20 s; kilobytes. */
export async function restingKb(pid: number): Promise<number> {
  let settledAt = residentKb(pid);
  let steady = 0;
  for (let attempt = 0; attempt < 40 && steady < STEADY_LOOKS; attempt++) {
    await pause(LOOK_EVERY_MS);
    const now = residentKb(pid);
    if (Math.abs(now - settledAt) <= settledAt * STEADY_SHARE) steady++;
    else {
      steady = 0;
      settledAt = now;
    }
  }
  return residentKb(pid);
}

const PEAK_LOOK_MS = 10;

/** The most resident memory that a process has while `work` runs, as megabytes above what it had before, and in all. */
export async function peakMb(pid: number, work: () => Promise<unknown>): Promise<{ grewMb: number; mostMb: number }> {
  const beforeKb = residentKb(pid);
  let mostKb = beforeKb;
  const sample = (): void => void (mostKb = Math.max(mostKb, residentKb(pid)));
  const looking = setInterval(sample, PEAK_LOOK_MS);
  try {
    await work();
    sample();
  } finally {
    clearInterval(looking);
  }
  return { grewMb: (mostKb - beforeKb) / 1024, mostMb: mostKb / 1024 };
}

/**
 * How often threads of these processes have gone to sleep of their own accord, so far: each time something woke them
 * before.
 */
export function wakeUps(pids: readonly number[]): number {
  let sum = 0;
  for (const pid of pids) {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
      sum += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    }
  }
  return sum;
}
