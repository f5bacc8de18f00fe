/** Measures what a worker and everything it started use of the processor and the memory, when somebody asks. */
import type { WorkerUsage } from '../../domain/ports.ts';
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

/** `variable`: by which the processes of a worker are known. Answers how to measure the worker whose process is `pid`. */
export function createTreeUsage(variable: string): (pid: number, mark: string) => () => Promise<WorkerUsage> {
  const table = createProcessTable(variable);
  let look: { askedAt: number; seen: Promise<{ at: number; rows: ProcessRow[] }> } | null = null;

  function lookNow(): Promise<{ at: number; rows: ProcessRow[] }> {
    const askedAt = performance.now();
    if (look === null || askedAt - look.askedAt > SHARED_MS) {
      look = { askedAt, seen: table().then((rows) => ({ at: performance.now(), rows })) };
    }
    return look.seen;
  }

  return (pid, mark) => {
    let before: { at: number; cpuMs: Map<string, number> } | null = null;
    let cpuPercent: number | null = null;
    return async () => {
      const seen = await lookNow().catch(() => null);
      const tree = seen === null ? [] : treeOf(seen.rows, pid, mark);
      if (seen === null || tree.length === 0) return { cpuPercent: null, memoryBytes: null };
      const { at } = seen;
      if (before === null || at - before.at >= SHORTEST_MS) {
        if (before !== null) {
          const { cpuMs } = before;
          // One that was not there before has used all its time since. That of one that has ended meanwhile is not known.
          const used = tree.reduce((sum, row) => sum + Math.max(0, row.cpuMs - (cpuMs.get(row.key) ?? 0)), 0);
          cpuPercent = Math.round((1000 * used) / (at - before.at)) / 10;
        }
        before = { at, cpuMs: new Map(tree.map((row) => [row.key, row.cpuMs])) };
      }
      return { cpuPercent, memoryBytes: tree.reduce((sum, row) => sum + row.memoryBytes, 0) };
    };
  };
}
