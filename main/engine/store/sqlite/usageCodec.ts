/**
 * Packs the hours of a day into one column: milliseconds, GB and amount of each. A year by the hour is therefore few
 * rows.
 */
import { HOURS_OF_DAY } from '../../domain/billing/usage.ts';

const FIELDS = 3;
const LENGTH = HOURS_OF_DAY * FIELDS;

export interface PackedHour {
  ms: number;
  gb: number;
  amount: number;
}

/**
 * A missing row means zero usage. Numbers use the byte order of the machine, which is little-endian on all supported
 * ones.
 */
export function unpack(column: Uint8Array | undefined): Float64Array {
  const hours = new Float64Array(LENGTH);
  if (column?.byteLength === hours.byteLength) new Uint8Array(hours.buffer).set(column);
  return hours;
}

export const pack = (hours: Float64Array): Uint8Array => new Uint8Array(hours.buffer);

export function addToHour(hours: Float64Array, hourOfDay: number, { ms, gb, amount }: PackedHour): void {
  const at = hourOfDay * FIELDS;
  hours[at] = (hours[at] ?? 0) + ms;
  hours[at + 1] = Math.max(hours[at + 1] ?? 0, gb);
  hours[at + 2] = (hours[at + 2] ?? 0) + amount;
}

/** Calls `take` for each hour with usage. */
export function eachHour(
  hours: Float64Array,
  take: (hourOfDay: number, ms: number, gb: number, amount: number) => void,
): void {
  for (let hour = 0, at = 0; at < LENGTH; hour += 1, at += FIELDS) {
    const ms = hours[at] ?? 0;
    const gb = hours[at + 1] ?? 0;
    const amount = hours[at + 2] ?? 0;
    if (ms !== 0 || gb !== 0 || amount !== 0) take(hour, ms, gb, amount);
  }
}
