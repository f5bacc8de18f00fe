/** The real clock and the real random numbers, for the ports that specs replace. */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Ids } from '../../domain/core/ports.ts';

/** setTimeout uses 32 bits; longer delays are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run) {
    let timer: NodeJS.Timeout;
    const leg = (leftMs: number): void => {
      const legMs = Math.min(leftMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (leftMs > legMs ? leg(leftMs - legMs) : run()), legMs);
    };
    leg(ms);
    return () => clearTimeout(timer);
  },
};

/** The local time of this machine at `at` (milliseconds since the epoch), in minutes since midnight. */
export function minuteOfDay(at: number): number {
  const moment = new Date(at);
  return moment.getHours() * 60 + moment.getMinutes();
}

export const systemIds: Ids = {
  random: (bytes) => randomBytes(bytes).toString('hex'),
  digest: (secret) => createHash('sha256').update(secret).digest('hex'),
};
