/** The hours of a day in one column: of each its milliseconds, GB and amount, so that a year of them is few rows. */
import { HOURS_OF_DAY } from '../../domain/billing/usage.ts';

const FIELDS = 3;
const LENGTH = HOURS_OF_DAY * FIELDS;

export interface PackedHour {
  ms: number;
  gb: number;
  amount: number;
}

/** What was never written is a day on which nothing was used. Numbers stand in the byte order of the machine, little-endian on all there are. */
export function unpack(column: Uint8Array | undefined): Float64Array {
  const hours = new Float64Array(LENGTH);
  if (column?.byteLength === hours.byteLength) new Uint8Array(hours.buffer).set(column);
  return hours;
}

export const pack = (hours: Float64Array): Uint8Array => new Uint8Array(hours.buffer);

export function addToHour(hours: Float64Array, hourOfDay: number, { ms, gb, amount }: PackedHour): void {
  const at = hourOfDay * FIELDS;
  hours[at]! += ms;
  hours[at + 1] = Math.max(hours[at + 1]!, gb);
  hours[at + 2]! += amount;
}

/** Tells the hours in which something was used. */
export function eachHour(
  hours: Float64Array,
  take: (hourOfDay: number, ms: number, gb: number, amount: number) => void,
): void {
  for (let hour = 0, at = 0; at < LENGTH; hour += 1, at += FIELDS) {
    const ms = hours[at]!;
    const gb = hours[at + 1]!;
    const amount = hours[at + 2]!;
    if (ms !== 0 || gb !== 0 || amount !== 0) take(hour, ms, gb, amount);
  }
}
