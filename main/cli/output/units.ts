/** Short texts of numbers with their units, for tables. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span of time in milliseconds. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

/** How long ago a moment was; both in milliseconds since the epoch. */
export function ago(at: number, now: number = Date.now()): string {
  const ms = Math.max(0, now - at);
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s ago`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  return `${Math.floor(ms / DAY)} d ago`;
}

/** As `ago`, for a time in the format of RFC 3339; '' for null, or an invalid time. */
export const agoText = (time: string | null): string => {
  const at = Date.parse(time ?? '');
  return Number.isNaN(at) ? '' : ago(at);
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** An amount of bytes; 1 kB is 1000 bytes. */
export function bytes(amount: number): string {
  let value = amount;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** US dollars. */
export const dollars = (amount: number): string => `$${amount < 1 ? amount.toFixed(3) : amount.toFixed(2)}`;
