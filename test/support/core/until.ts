import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * How long a test waits for one condition, in milliseconds. The slowest step that is awaited takes five seconds alone
 * (a container engine starts), so a machine may be twenty times slower. The time limits of vitest are above it: a test
 * that waits in vain fails with the text of the wait.
 */
export const DEADLINE_MS = 120_000;

/** Pauses between two reads, in milliseconds: a tenth of the time waited so far, within these bounds. */
const PAUSE_MS = { least: 1, most: 50 };
const PRINTED_CHARACTERS = 2000;

type Primitive = string | number | boolean | undefined | null;
type There<T> = Exclude<T, undefined | null | false | ''>;

/**
 * Reads again and again until the value is the right one, and returns it. `pick` is the value that is waited for, or a
 * function that says of a value that it is right (true), that it is not (undefined, null, false, '' or NaN), or picks
 * the part that is returned. Without `pick`, every value is right except these: a file that is empty has not been
 * written yet. Fails with `what`, the time and the value that was read last when the shared deadline has passed; fails
 * at once when `read` or `pick` throws.
 */
export function until<T>(what: string, read: () => T | Promise<T>): Promise<There<T>>;
export function until<T, U extends T>(
  what: string,
  read: () => T | Promise<T>,
  pick: (value: T) => value is U,
): Promise<U>;
export function until<T>(what: string, read: () => T | Promise<T>, pick: (value: T) => boolean | undefined): Promise<T>;
export function until<T extends Primitive>(what: string, read: () => T | Promise<T>, pick: T): Promise<T>;
export function until<T, P>(what: string, read: () => T | Promise<T>, pick: (value: T) => P): Promise<There<P>>;
export function until<T>(
  what: string,
  read: () => T | Promise<T>,
  pick: Primitive | ((value: T) => unknown) = (value) => value,
): Promise<unknown> {
  return untilWithin(DEADLINE_MS, what, read, typeof pick === 'function' ? pick : (value) => value === pick);
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '' || Number.isNaN(value);

/**
 * As `until`, with a deadline of its own in milliseconds: for tests in which that time is the rule, and for a step that
 * takes more than five seconds alone.
 */
export async function untilWithin<T>(
  deadlineMs: number,
  what: string,
  read: () => T | Promise<T>,
  pick: (value: T) => unknown,
): Promise<unknown> {
  const startedAt = performance.now();
  const past = (): number => performance.now() - startedAt;
  let lastRead: () => string = () => 'nothing, because the first read has not ended.';
  const missed = (): Error => new Error(`Waited ${deadlineMs / 1000} s for: ${what}. Seen last: ${lastRead()}`);
  for (;;) {
    let value: T;
    let picked: unknown;
    try {
      value = await within(deadlineMs - past(), Promise.resolve(read()));
      picked = pick(value);
    } catch (error) {
      if (error instanceof TooLate) throw missed();
      throw new Error(`The wait for ${what} failed: ${messageOf(error)}`, { cause: error });
    }
    if (!isMissing(picked)) return picked === true ? value : picked;
    const newest = value;
    lastRead = () => printed(newest);
    if (past() >= deadlineMs) throw missed();
    await delay(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, past() / 10)));
  }
}

/**
 * Waits for a promise of what happens elsewhere, at most until the deadline. `observe` reads, for the failure, what can
 * be observed then. `deadlineMs`: a longer one than the shared deadline, for a step that takes more than five seconds
 * alone.
 */
export async function settles<T>(
  what: string,
  promise: Promise<T>,
  observe?: () => unknown,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  try {
    return await within(deadlineMs, promise);
  } catch (error) {
    if (!(error instanceof TooLate)) throw error;
    const observed = observe === undefined ? '' : ` Seen last: ${printed(observe())}`;
    throw new Error(`Waited ${deadlineMs / 1000} s for: ${what}.${observed}`, { cause: error });
  }
}

/** So long must a number stay the same to stand still, in milliseconds. */
const STILL_MS = 500;

/**
 * Waits until a number has stopped to change, and returns it. Silence has no event, so this can end early on a slow
 * machine: what is asserted afterwards must hold at any earlier time as well.
 */
export function standsStill(what: string, read: () => number): Promise<number> {
  let last = read();
  let changedAt = performance.now();
  return until(`${what} to stand still`, read, (value) => {
    if (value !== last) [last, changedAt] = [value, performance.now()];
    return performance.now() - changedAt > STILL_MS;
  });
}

class TooLate extends Error {}

/** Rejects with `TooLate` when the promise takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = async (): Promise<never> => {
    await delay(Math.max(1, ms), undefined, { signal: over.signal });
    throw new TooLate();
  };
  const timer = late();
  // It rejects as well when the promise was quicker.
  timer.catch(() => undefined);
  try {
    return await Promise.race([promise, timer]);
  } finally {
    over.abort();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Of a long text the end, where the newest is; of anything else the beginning. */
function printed(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > PRINTED_CHARACTERS
      ? `…${JSON.stringify(value.slice(-PRINTED_CHARACTERS))}`
      : JSON.stringify(value);
  }
  const text = inspect(value, { depth: 5, breakLength: 120, maxArrayLength: 50, maxStringLength: 500 });
  return text.length > PRINTED_CHARACTERS ? `${text.slice(0, PRINTED_CHARACTERS)}…` : text;
}
