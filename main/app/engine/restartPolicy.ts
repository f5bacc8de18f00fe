/** Decides how soon a dead engine is started again, and when to stop trying. */

/** Deaths older than this no longer count. */
const WINDOW_MS = 10 * 60_000;
/** A short first pause: workers and clients are waiting, and a single death is rarely the start of a loop. */
const DELAYS_MS = [150, 1000, 5000, 15_000];
const CRASHES_TO_GIVE_UP = DELAYS_MS.length + 1;
/** Something ends it again and again from outside, such as the system's memory guard: go on, but gently. */
const MANY_DEATHS = 40;
const GENTLE_DELAY_MS = 60_000;

export interface Death {
  at: number;
  /**
   * True when the engine failed by itself. False when it had been ready and was then ended from outside (a kill by a
   * person or by the system): that says nothing about whether it can run, so it never makes Hangar give up.
   */
  crashed: boolean;
}

export type RestartDecision = { delayMs: number } | { giveUp: string };

/** `deaths` in the order they happened, the newest last. Answers what to do about the newest. */
export function decideRestart(deaths: readonly Death[], now: number): RestartDecision {
  const recent = deaths.filter(({ at }) => now - at < WINDOW_MS);
  const crashes = recent.filter(({ crashed }) => crashed).length;
  if (crashes >= CRASHES_TO_GIVE_UP) return { giveUp: `It died ${crashes} times within 10 minutes.` };
  if (recent.length > MANY_DEATHS) return { delayMs: GENTLE_DELAY_MS };
  const newest = recent.at(-1);
  const step = newest?.crashed ? crashes - 1 : 0;
  return { delayMs: DELAYS_MS[step] ?? GENTLE_DELAY_MS };
}
