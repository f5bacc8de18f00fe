/** Decides how soon a crashed program of Hangar is restarted, and when to give up. */
import type { ChildExit } from '../platform/childProgram.ts';

/** Deaths older than this no longer count. */
const WINDOW_MS = 10 * 60_000;
/** The first delay is short: workers and clients are waiting, and one crash is rarely the start of a loop. */
const DELAYS_MS = [150, 1000, 5000, 15_000];
const CRASHES_TO_GIVE_UP = DELAYS_MS.length + 1;
/**
 * After this many deaths, something ends the engine again and again from outside, such as the memory guard of the
 * system: continue, but slowly.
 */
const MANY_DEATHS = 40;
const GENTLE_DELAY_MS = 60_000;

export interface Death {
  at: number;
  /**
   * True if the program failed by itself. False if it was ready and was then ended from outside, by a person or by the
   * system. That does not show whether it can run, so it never makes Hangar give up.
   */
  crashed: boolean;
}

export type RestartDecision = { delayMs: number } | { giveUp: string };

/** `deaths` are in order of time, the newest last. Decides about the newest one. */
export function decideRestart(deaths: readonly Death[], now: number): RestartDecision {
  const recent = deaths.filter(({ at }) => now - at < WINDOW_MS);
  const crashes = recent.filter(({ crashed }) => crashed).length;
  if (crashes >= CRASHES_TO_GIVE_UP) return { giveUp: `It crashed ${crashes} times within 10 minutes.` };
  if (recent.length > MANY_DEATHS) return { delayMs: GENTLE_DELAY_MS };
  const newest = recent.at(-1);
  const step = newest?.crashed ? crashes - 1 : 0;
  return { delayMs: DELAYS_MS[step] ?? GENTLE_DELAY_MS };
}

/**
 * Signals that only come from outside. A crash ends with SIGSEGV, SIGABRT and similar signals, or with an exit code.
 */
const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** Whether the program failed by itself. */
export const isCrash = ({ signal }: Pick<ChildExit, 'signal'>): boolean => !OUTSIDE_SIGNALS.has(signal ?? '');

/** How a program ended, for a sentence. */
export const exitText = ({ code, signal }: ChildExit): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`;

/** The deaths that `decideRestart` can need: more than MANY_DEATHS. */
const MOST_REMEMBERED = 100;

/** The last deaths of one program, which decide about its next start. */
export function createDeaths() {
  let deaths: Death[] = [];
  return {
    /** `now`: milliseconds since the epoch. Decides when to start the program again, or why not. */
    record(crashed: boolean, now: number): RestartDecision {
      deaths = [...deaths, { at: now, crashed }].slice(-MOST_REMEMBERED);
      return decideRestart(deaths, now);
    },
    /** A person wants another start: earlier deaths no longer count. */
    forget(): void {
      deaths = [];
    },
  };
}
