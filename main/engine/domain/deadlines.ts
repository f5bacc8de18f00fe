/** One heap for every deadline of every job, with a single timer armed to the earliest. Memory: 16 bytes a deadline. */
import type { Cancel, Clock } from './ports.ts';

/** What is due. A deadline is never removed early: whoever is told checks whether it still applies. */
export const deadlineKinds = ['ttl', 'executionTimeout', 'retention'] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];

const KINDS = deadlineKinds.length;
/** Due deadlines handled before other work gets its turn. */
const TURN = 200;

export interface Deadlines {
  /** Calls `onDue(seq, kind)` at `at` (wall clock, milliseconds) or soon after. */
  add(at: number, seq: number, kind: DeadlineKind): void;
  stop(): void;
}

export function createDeadlines(clock: Clock, onDue: (seq: number, kind: DeadlineKind) => void): Deadlines {
  let at = new Float64Array(1024);
  let what = new Float64Array(1024);
  let size = 0;
  let armedFor = Infinity;
  let disarm: Cancel | null = null;

  function grow(): void {
    const widerAt = new Float64Array(at.length * 2);
    const widerWhat = new Float64Array(at.length * 2);
    widerAt.set(at);
    widerWhat.set(what);
    at = widerAt;
    what = widerWhat;
  }

  function place(index: number, dueAt: number, key: number): void {
    at[index] = dueAt;
    what[index] = key;
  }

  function push(dueAt: number, key: number): void {
    if (size === at.length) grow();
    let hole = size++;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (at[parent]! <= dueAt) break;
      place(hole, at[parent]!, what[parent]!);
      hole = parent;
    }
    place(hole, dueAt, key);
  }

  function pop(): number {
    const top = what[0]!;
    const lastAt = at[--size]!;
    const lastWhat = what[size]!;
    let hole = 0;
    for (;;) {
      let child = hole * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && at[child + 1]! < at[child]!) child++;
      if (at[child]! >= lastAt) break;
      place(hole, at[child]!, what[child]!);
      hole = child;
    }
    place(hole, lastAt, lastWhat);
    return top;
  }

  function arm(): void {
    const earliest = size === 0 ? Infinity : at[0]!;
    if (earliest >= armedFor && disarm) return;
    disarm?.();
    disarm = null;
    armedFor = earliest;
    if (earliest === Infinity) return;
    disarm = clock.after(Math.max(0, earliest - clock.now()), fire);
  }

  function fire(): void {
    disarm = null;
    armedFor = Infinity;
    const now = clock.now();
    for (let handled = 0; handled < TURN && size > 0 && at[0]! <= now; handled++) {
      const key = pop();
      onDue(Math.floor(key / KINDS), deadlineKinds[key % KINDS]!);
    }
    arm();
  }

  return {
    add(dueAt, seq, kind) {
      push(dueAt, seq * KINDS + deadlineKinds.indexOf(kind));
      arm();
    },
    stop() {
      disarm?.();
      disarm = null;
      size = 0;
    },
  };
}
