/** Calls back when deliveries are due. One timer serves all deliveries: it is set for the earliest one. */
import type { Cancel, Clock } from '../core/ports.ts';

export interface DueTimer<Delivery> {
  /** Makes the delivery due in `ms` milliseconds. */
  add(delivery: Delivery, ms: number): void;
  /** Deliveries may become due from now on. */
  start(): void;
  stop(): void;
}

/** `onDue` gets all deliveries that are due at one moment, earliest first. */
export function createDueTimer<Delivery>(clock: Clock, onDue: (deliveries: Delivery[]) => void): DueTimer<Delivery> {
  /** When each delivery is due, monotonic milliseconds, earliest first. */
  const dueTimes = new Map<Delivery, number>();
  let lastDueAt = 0;
  let timer: Cancel | null = null;
  let running = false;

  function sort(): void {
    const inOrder = [...dueTimes].sort(([, one], [, other]) => one - other);
    dueTimes.clear();
    for (const [delivery, dueAt] of inOrder) dueTimes.set(delivery, dueAt);
    timer?.();
    timer = null;
  }

  function arm(): void {
    const [first] = dueTimes.values();
    if (!running || timer || first === undefined) return;
    timer = clock.after(Math.max(0, first - clock.elapsed()), () => {
      timer = null;
      const now = clock.elapsed();
      const due: Delivery[] = [];
      for (const [delivery, dueAt] of dueTimes) {
        if (dueAt > now) break;
        dueTimes.delete(delivery);
        due.push(delivery);
      }
      onDue(due);
      arm();
    });
  }

  return {
    add(delivery, ms) {
      const dueAt = clock.elapsed() + ms;
      dueTimes.set(delivery, dueAt);
      // All deliveries wait equally long, unless the settings have changed or an earlier engine started the wait.
      if (dueAt < lastDueAt) sort();
      lastDueAt = Math.max(lastDueAt, dueAt);
      arm();
    },
    start() {
      running = true;
      arm();
    },
    stop() {
      running = false;
      timer?.();
    },
  };
}
