import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  withinMs?: number;
  everyMs?: number;
}

/**
 * Asks `probe` again and again until it answers something other than undefined, null or false, and returns that.
 * Fails with `what` and the last answer when it takes longer than `withinMs`.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { withinMs = 20_000, everyMs = 10 }: UntilOptions = {},
): Promise<Exclude<T, undefined | null | false>> {
  const startedAt = performance.now();
  for (;;) {
    const seen = await probe();
    if (seen !== undefined && seen !== null && seen !== false) {
      return seen as Exclude<T, undefined | null | false>;
    }
    if (performance.now() - startedAt > withinMs) throw new Error(`Waited ${withinMs} ms in vain for: ${what}`);
    await delay(everyMs);
  }
}
