/**
 * Decides which webhook call begins next. Each receiver has its own queue and a small limit of concurrent calls. Slow
 * and unknown receivers also share a lower total limit, so they always leave room for receivers that answer quickly.
 */
import { requireValue } from '#contract/core/requireValue.ts';
import { limits } from '#contract/core/limits.ts';

const { perReceiver, slots, slowMs, receiversKnown } = limits.webhook;

type Pace = keyof typeof perReceiver;

/** The speeds of receivers: those that answered quickly the last time, and those that may hang. */
export const answering: readonly Pace[] = ['quick'];
export const doubtful: readonly Pace[] = ['new', 'slow'];
/** The number of receivers that are searched for a call that fits. */
const SEARCHED_RECEIVERS = 8;

/** A webhook call. `receiver`: scheme, host and port. `slots`: how many slots it takes. */
export interface Caller {
  readonly receiver: string;
  readonly slots: number;
}

interface Receiver<T> {
  readonly name: string;
  pace: Pace;
  inFlight: number;
  /** The waiting calls, oldest first. */
  readonly line: Set<T>;
}

export interface Receivers<T extends Caller> {
  /** Adds a call to the queue of its receiver. */
  add(caller: T): void;
  /** Begins the next call for receivers of these speeds, and returns it; null when none may begin. */
  next(kinds: readonly Pace[]): T | null;
  /** Ends a call. `tookMs`: its duration in milliseconds, which decides the speed of its receiver. */
  over(caller: T, tookMs: number): void;
}

export function createReceivers<T extends Caller>(): Receivers<T> {
  const receivers = new Map<string, Receiver<T>>();
  /** Receivers without calls, the one that is idle longest first. */
  const idle = new Set<Receiver<T>>();
  /** Receivers with waiting calls that are below their own limit. */
  const ready: Record<Pace, Set<Receiver<T>>> = { quick: new Set(), new: new Set(), slow: new Set() };
  let used = 0;

  function place(receiver: Receiver<T>): void {
    const { pace, line, inFlight } = receiver;
    if (line.size > 0 && inFlight < perReceiver[pace]) ready[pace].add(receiver);
    else ready[pace].delete(receiver);
  }

  return {
    add(caller) {
      let receiver = receivers.get(caller.receiver);
      if (!receiver) {
        receiver = { name: caller.receiver, pace: 'new', inFlight: 0, line: new Set() };
        receivers.set(receiver.name, receiver);
      }
      idle.delete(receiver);
      receiver.line.add(caller);
      place(receiver);
    },
    next(kinds) {
      for (const pace of kinds) {
        let searched = 0;
        for (const receiver of ready[pace]) {
          if (searched++ === SEARCHED_RECEIVERS) break;
          // Moves the receiver to the end, so that the others come first the next time.
          ready[pace].delete(receiver);
          const [caller] = receiver.line;
          if (!caller) continue;
          // A call that is larger than all slots together begins when no other call runs.
          const fits = used === 0 || used + caller.slots <= slots[pace];
          if (fits) {
            receiver.line.delete(caller);
            receiver.inFlight++;
            used += caller.slots;
          }
          place(receiver);
          if (fits) return caller;
        }
      }
      return null;
    },
    over(caller, tookMs) {
      const receiver = requireValue(receivers.get(caller.receiver), 'the receiver of a call');
      used -= caller.slots;
      receiver.inFlight--;
      ready[receiver.pace].delete(receiver);
      receiver.pace = tookMs >= slowMs ? 'slow' : 'quick';
      place(receiver);
      if (receiver.inFlight > 0 || receiver.line.size > 0) return;
      idle.add(receiver);
      if (idle.size <= receiversKnown) return;
      const [longest] = idle;
      if (!longest) return;
      idle.delete(longest);
      receivers.delete(longest.name);
    },
  };
}
