/** The texts of the marks of an axis: all of one axis have the same unit. */

/** The text of a mark, on an axis from 0 to `top`. */
export type AxisFormat = (value: number, top: number) => string;

/** "2.5" and "10", never "10.0". */
const digits = (value: number): string => String(Number(value.toFixed(2)));

/** Memory on an axis in GB of 2^30 bytes: "0 GB", "2.5 GB", or in MB or TB where the whole axis has that unit. */
export const memoryMark: AxisFormat = (gb, top) => {
  if (top * 1024 < 999.5) return `${Math.round(gb * 1024)} MB`;
  return top < 999.5 ? `${digits(gb)} GB` : `${digits(gb / 1024)} TB`;
};

/** From large to small. */
const durationUnits = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1000 },
];

/**
 * Durations in milliseconds: "500 ms" and "1000 ms", "30 s" and "60 s". An axis has a unit once it is longer than one
 * and a half of it: so the marks at the distances of `durationDistances` are whole numbers.
 */
export const durationMark: AxisFormat = (ms, top) => {
  const unit = durationUnits.find((one) => top > one.ms * 1.5) ?? { name: 'ms', ms: 1 };
  return `${digits(ms / unit.ms)} ${unit.name}`;
};
