/** Measures the CPU and memory usage of a worker and its descendants, on request. */
import type { WorkerUsage } from '../../domain/autoscaling/ports.ts';
import { createProcessTable, type ProcessRow } from './processTable.ts';

/** Requests within this time share one list of processes, milliseconds. */
const SHARED_MS = 250;
/** The shortest interval of a measurement, milliseconds, because CPU time is counted in steps of 10 ms. */
const SHORTEST_MS = 200;

/** The processes in the group of `pid`, those with the variable in any group, and all their descendants. */
export function treeOf(rows: readonly ProcessRow[], pid: number, mark: string): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const tree = new Set(rows.filter((row) => row.pid === pid || row.group === pid || row.mark === mark));
  // The iteration includes the rows that it adds.
  for (const row of tree) for (const child of children.get(row.pid) ?? []) tree.add(child);
  return [...tree];
}

/** One list of a process tree. `at` is its end, monotonic milliseconds. */
interface TreeSample {
  readonly at: number;
  readonly rows: readonly ProcessRow[];
}

/**
 * The CPU usage of a tree between two samples, in percent of one core; several cores are more than 100. Each process is
 * measured between its own two rows. A new process counts with all its CPU time. The time of a process that has ended
 * is unknown.
 */
export function cpuPercentBetween(before: TreeSample, now: TreeSample): number {
  const earlier = new Map(before.rows.map((row) => [row.key, row]));
  const share = now.rows.reduce((sum, { key, cpuMs, readAt }) => {
    const since = earlier.get(key) ?? { cpuMs: 0, readAt: before.at };
    return sum + Math.max(0, cpuMs - since.cpuMs) / Math.max(1, readAt - since.readAt);
  }, 0);
  return Math.round(1000 * share) / 10;
}

/**
 * `variable`: the environment variable that identifies the processes of a worker. Returns a function that creates the
 * measurement for the worker with the process `pid`.
 */
export function createTreeUsage(variable: string): (pid: number, mark: string) => () => Promise<WorkerUsage> {
  const table = createProcessTable(variable);
  let latest: { askedAt: number; sample: Promise<TreeSample> } | null = null;

  function takeSample(): Promise<TreeSample> {
    const askedAt = performance.now();
    if (latest === null || askedAt - latest.askedAt > SHARED_MS) {
      latest = { askedAt, sample: table().then((rows) => ({ at: performance.now(), rows })) };
    }
    return latest.sample;
  }

  return (pid, mark) => {
    let before: TreeSample | null = null;
    let cpuPercent: number | null = null;
    return async () => {
      const sample = await takeSample().catch(() => null);
      const rows = sample === null ? [] : treeOf(sample.rows, pid, mark);
      if (sample === null || rows.length === 0) return { cpuPercent: null, memoryBytes: null };
      const now = { at: sample.at, rows };
      if (before === null || now.at - before.at >= SHORTEST_MS) {
        if (before !== null) cpuPercent = cpuPercentBetween(before, now);
        before = now;
      }
      return { cpuPercent, memoryBytes: rows.reduce((sum, row) => sum + row.memoryBytes, 0) };
    };
  };
}
