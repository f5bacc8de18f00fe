/** An engine like any other, whose clock can be put forward by a message, `{ type: 'advance', ms }`, or stopped by `{ type: 'hold' }`. */
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import type { Clock } from '../../../main/engine/domain/core/ports.ts';
import { runEngineProcess } from '../../../main/engine/entry.ts';
import { systemClock } from '../../../main/engine/runtime/host/systemClock.ts';

interface Timer {
  /** On this clock's elapsed time. */
  readonly at: number;
  readonly run: () => void;
  disarm: () => void;
}

let aheadMs = 0;
/** Where the clock was stopped. */
let heldAt: number | undefined;
const timers = new Set<Timer>();
const elapsed = (): number => (heldAt ?? systemClock.elapsed()) + aheadMs;
const wallAtZero = systemClock.now() - systemClock.elapsed();
/** Sums of fractions may fall short of a whole millisecond by less than this. */
const ROUNDING_MS = 0.001;

function arm(timer: Timer): void {
  timer.disarm = systemClock.after(Math.max(0, timer.at - elapsed()), () => {
    timers.delete(timer);
    timer.run();
  });
}

const clock: Clock = {
  now: () => Math.floor(wallAtZero + elapsed() + ROUNDING_MS),
  elapsed,
  after(ms, run) {
    const timer: Timer = { at: elapsed() + ms, run, disarm: () => undefined };
    timers.add(timer);
    arm(timer);
    return () => {
      timers.delete(timer);
      timer.disarm();
    };
  },
};

/** Goes from one due timer to the next, so that each runs at its own time and what it sets in turn is not passed over. */
async function advance(ms: number): Promise<void> {
  const end = elapsed() + ms;
  for (;;) {
    const [due] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    if (!due) break;
    aheadMs += Math.max(0, due.at - elapsed());
    timers.delete(due);
    due.disarm();
    due.run();
    // Commits end with the turn.
    await turn();
  }
  aheadMs += Math.max(0, end - elapsed());
  for (const timer of timers) {
    timer.disarm();
    arm(timer);
  }
}

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('advance'), ms: z.number() }),
  z.object({ type: z.literal('hold') }),
]);
process.on('message', (message: unknown) => {
  const order = messageSchema.safeParse(message).data;
  if (order?.type === 'advance') void advance(order.ms).then(() => process.send?.({ type: 'advanced' }));
  if (order?.type === 'hold') {
    heldAt ??= systemClock.elapsed();
    process.send?.({ type: 'held' });
  }
});

runEngineProcess(clock);
