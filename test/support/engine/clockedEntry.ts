/**
 * An engine like any other, whose clock can be put forward by a message, `{ type: 'advance', ms }` or `{ type: 'sleep',
 * ms }`, or stopped by `{ type: 'hold' }`.
 */
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

/**
 * Times are multiples of this, which a float adds and subtracts exactly: a timer of 45 s never falls due a bit before
 * or after its 45 s.
 */
const GRAIN_MS = 2 ** -10;
const toGrains = (ms: number): number => Math.ceil(ms / GRAIN_MS) * GRAIN_MS;

let aheadMs = 0;
/** Where the clock was stopped. */
let heldAt: number | undefined;
const timers = new Set<Timer>();
const sinceStart = (): number => toGrains(systemClock.elapsed());
const elapsed = (): number => (heldAt ?? sinceStart()) + aheadMs;
const wallAtZero =
  Math.floor(systemClock.now() - systemClock.elapsed()) + Number(process.env['HANGAR_TEST_CLOCK_AHEAD_MS'] ?? 0);

function arm(timer: Timer): void {
  if (heldAt !== undefined) return;
  timer.disarm = systemClock.after(Math.max(0, timer.at - elapsed()), () => {
    timers.delete(timer);
    timer.run();
  });
}

const clock: Clock = {
  now: () => wallAtZero + Math.floor(elapsed()),
  elapsed,
  after(ms, run) {
    const timer: Timer = { at: elapsed() + toGrains(ms), run, disarm: () => undefined };
    timers.add(timer);
    arm(timer);
    return () => {
      timers.delete(timer);
      timer.disarm();
    };
  },
};

/**
 * Goes from one due timer to the next, so that each runs at its own time and what it sets in turn is not passed over.
 */
async function advance(ms: number): Promise<void> {
  const end = elapsed() + toGrains(ms);
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

/** As the clock of a computer that was asleep: each timer that is overdue runs once, and late. */
async function sleep(ms: number): Promise<void> {
  aheadMs += toGrains(ms);
  await advance(0);
}

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('advance'), ms: z.number() }),
  z.object({ type: z.literal('sleep'), ms: z.number() }),
  z.object({ type: z.literal('hold') }),
]);
process.on('message', (message: unknown) => {
  const order = messageSchema.safeParse(message).data;
  if (order?.type === 'advance') void advance(order.ms).then(() => process.send?.({ type: 'advanced' }));
  if (order?.type === 'sleep') void sleep(order.ms).then(() => process.send?.({ type: 'advanced' }));
  if (order?.type === 'hold') {
    heldAt ??= sinceStart();
    for (const timer of timers) timer.disarm();
    process.send?.({ type: 'held' });
  }
});

runEngineProcess(clock);
