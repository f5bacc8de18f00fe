/**
 * A heap of deadlines, at most one for each item, with a single timer armed to the earliest. Memory: 16 bytes an item.
 */
import { requireValue } from '#contract/core/requireValue.ts';
import type { Cancel, Clock } from './ports.ts';

/** Due items handled before other work gets its turn. */
const TURN = 200;
/** A clock that is set, or a machine that slept, is noticed after this long at most. */
const LOOK_AGAIN_MS = 60_000;

/** What can have a deadline. */
export interface Due {
  /** Its place in the heap; -1 while it has none. Written by the heap alone. */
  slot: number;
}

export interface Deadlines<T extends Due> {
  /** Gives the item this deadline in place of the one it had. */
  set(item: T, at: number): void;
  /** Takes the item's deadline back, if it has one. */
  clear(item: T): void;
  size(): number;
  /** From now on deadlines come due. Until then they are only noted. */
  start(): void;
  stop(): void;
}

/**
 * Calls `onDue(item)` when `time()`, in milliseconds, has reached the item's deadline; the item has none any more then.
 *
 * @param time what deadlines are compared with: the wall clock, or the one that never runs backwards
 */
export function createDeadlines<T extends Due>(
  { after }: Pick<Clock, 'after'>,
  time: () => number,
  onDue: (item: T) => void,
): Deadlines<T> {
  let at = new Float64Array(256);
  const items: T[] = [];
  // Nothing is earlier than this: no timer before the start.
  let armedFor = -Infinity;
  let disarm: Cancel | null = null;

  const timeOf = (slot: number): number => requireValue(at[slot], 'the deadline of a slot');
  const itemOf = (slot: number): T => requireValue(items[slot], 'the item of a slot');

  function place(slot: number, item: T, dueAt: number): void {
    at[slot] = dueAt;
    items[slot] = item;
    item.slot = slot;
  }

  function up(from: number, item: T, dueAt: number): void {
    let hole = from;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const parentAt = timeOf(parent);
      if (parentAt <= dueAt) break;
      place(hole, itemOf(parent), parentAt);
      hole = parent;
    }
    place(hole, item, dueAt);
  }

  function down(from: number, item: T, dueAt: number): void {
    const size = items.length;
    let hole = from;
    for (;;) {
      let child = hole * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && timeOf(child + 1) < timeOf(child)) child++;
      const childAt = timeOf(child);
      if (childAt >= dueAt) break;
      place(hole, itemOf(child), childAt);
      hole = child;
    }
    place(hole, item, dueAt);
  }

  function remove(item: T): void {
    const { slot } = item;
    item.slot = -1;
    const lastSlot = items.length - 1;
    const lastAt = timeOf(lastSlot);
    const last = itemOf(lastSlot);
    items.pop();
    if (last === item) return;
    if (lastAt < timeOf(slot)) up(slot, last, lastAt);
    else down(slot, last, lastAt);
  }

  function grow(): void {
    const wider = new Float64Array(at.length * 2);
    wider.set(at);
    at = wider;
  }

  function arm(): void {
    const earliest = items.length === 0 ? Infinity : timeOf(0);
    if (earliest >= armedFor) return;
    disarm?.();
    disarm = null;
    armedFor = earliest;
    if (earliest !== Infinity) disarm = after(Math.min(Math.max(0, earliest - time()), LOOK_AGAIN_MS), fire);
  }

  function fire(): void {
    disarm = null;
    armedFor = Infinity;
    const now = time();
    for (let handled = 0; handled < TURN && items.length > 0 && timeOf(0) <= now; handled++) {
      const item = itemOf(0);
      remove(item);
      onDue(item);
    }
    arm();
  }

  return {
    set(item, dueAt) {
      const { slot } = item;
      if (slot === -1) {
        if (items.length === at.length) grow();
        up(items.length, item, dueAt);
      } else if (dueAt < timeOf(slot)) up(slot, item, dueAt);
      else down(slot, item, dueAt);
      arm();
    },
    clear(item) {
      if (item.slot !== -1) remove(item);
    },
    size: () => items.length,
    start() {
      armedFor = Infinity;
      arm();
    },
    stop() {
      disarm?.();
      disarm = null;
      armedFor = -Infinity;
      items.length = 0;
    },
  };
}
