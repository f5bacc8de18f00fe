/**
 * Whose turn it is to be called. Each receiver has a line of its own and few calls at a time; those that answer always find
 * room, because those that hang, or may, have to stop at fewer calls altogether.
 */
import { limits } from '#contract/core/limits.ts';

const { perReceiver, slots, slowMs, receiversKnown } = limits.webhook;

type Pace = keyof typeof perReceiver;

/** Receivers that have answered of late, and those that may hang. */
export const answering: readonly Pace[] = ['quick'];
export const doubtful: readonly Pace[] = ['new', 'slow'];
/** How many queues are searched for a call that fits, when the first one's does not. */
const LOOKED_AT = 8;

/** A call to be made. `receiver`: scheme, host and port. `slots`: how many it takes. */
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
  /** Puts a call in its receiver's line. */
  add(caller: T): void;
  /** The next call of receivers of these kinds that may begin, and now counts as begun; null when none may. */
  next(kinds: readonly Pace[]): T | null;
  /** A call that was begun is over. How long it took decides what its receiver counts as. */
  over(caller: T, tookMs: number): void;
}

export function createReceivers<T extends Caller>(): Receivers<T> {
  const receivers = new Map<string, Receiver<T>>();
  /** Those with nothing to do, in the order in which they came to be idle. */
  const idle = new Set<Receiver<T>>();
  /** Receivers with a line that may be called now, as far as they themselves are concerned. */
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
        let looked = 0;
        for (const receiver of ready[pace]) {
          if (looked++ === LOOKED_AT) break;
          // To the end of the turns: the others come first the next time.
          ready[pace].delete(receiver);
          const [caller] = receiver.line;
          // One that is larger than all slots together still goes when nobody else does.
          const fits = used === 0 || used + caller!.slots <= slots[pace];
          if (fits) {
            receiver.line.delete(caller!);
            receiver.inFlight++;
            used += caller!.slots;
          }
          place(receiver);
          if (fits) return caller!;
        }
      }
      return null;
    },
    over(caller, tookMs) {
      const receiver = receivers.get(caller.receiver)!;
      used -= caller.slots;
      receiver.inFlight--;
      ready[receiver.pace].delete(receiver);
      receiver.pace = tookMs >= slowMs ? 'slow' : 'quick';
      place(receiver);
      if (receiver.inFlight > 0 || receiver.line.size > 0) return;
      idle.add(receiver);
      if (idle.size <= receiversKnown) return;
      const [longest] = idle;
      idle.delete(longest!);
      receivers.delete(longest!.name);
    },
  };
}
