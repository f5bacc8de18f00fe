/** Limits of billing and of metrics. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from './units.ts';

export const usageLimits = {
  /**
   * `price`: US dollars. `records`: most records of one answer. Usage is stored every `beatMs`: a crash loses at most
   * that much. A Pod that continued without an engine is billed for at most `madeUpMs` of that time.
   */
  billing: { price: { max: 1_000_000 }, records: 100_000, beatMs: 1 * MINUTE_MS, madeUpMs: 31 * DAY_MS },

  /**
   * Metrics of endpoints: stored every `beatMs`. Minutes are stored for `minutesMs`, hours for `hoursMs`: the longest
   * periods that can be asked for, and one more hour and day. While nothing can be stored, the newest `unstoredMinutes`
   * stay in memory.
   */
  metrics: { beatMs: 15 * SECOND_MS, minutesMs: 25 * HOUR_MS, hoursMs: 31 * DAY_MS, unstoredMinutes: 60 },
} as const;
