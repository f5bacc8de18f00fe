/** Measures what a worker and everything it started use of the processor and the memory, when somebody asks. */
import type { WorkerUsage } from '../../domain/autoscaling/ports.ts';
import { createProcessTable, type ProcessRow } from './processTable.ts';

/** Those who ask for several workers at once share one look at the machine. */
const SHARED_MS = 250;
/** Processor time is counted in steps of 10 ms; over less than this, it says nothing. */
const SHORTEST_MS = 200;

/** Processes of the group of `pid`, those with the mark, wherever they have moved to, and whatever any of these started. */
export function treeOf(rows: readonly ProcessRow[], pid: number, mark: string): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings) siblings.push(row);
    else children.set(row.parent, [row]);
  }
  const tree = new Set(rows.filter((row) => row.pid === pid || row.group === pid || row.mark === mark));
  // What is added is looked at as well.
  for (const row of tree) for (const child of children.get(row.pid) ?? []) tree.add(child);
  return [...tree];
}

/** A look at a tree of processes: `at` is its end, in milliseconds of the monotonic clock. */
interface TreeSample {
  readonly at: number;
  readonly rows: readonly ProcessRow[];
}

/**
 * The share of one core that a tree has used between two looks, in percent; several cores are more than 100. Each process is measured
 * over the time between its own two rows. One that was not there before has used all its time since; that of one that has ended
 * meanwhile is not known.
 */
export function cpuPercentBetween(before: TreeSample, now: TreeSample): number {
  const earlier = new Map(before.rows.map((row) => [row.key, row]));
  const share = now.rows.reduce((sum, { key, cpuMs, readAt }) => {
    const since = earlier.get(key) ?? { cpuMs: 0, readAt: before.at };
    return sum + Math.max(0, cpuMs - since.cpuMs) / Math.max(1, readAt - since.readAt);
  }, 0);
  return Math.round(1000 * share) / 10;
}

/** `variable`: by which the processes of a worker are known. Answers how to measure the worker whose process is `pid`. */
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
