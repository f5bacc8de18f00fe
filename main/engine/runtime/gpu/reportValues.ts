/** Parses single values in the output of vendor tools. */

/**
 * Null for texts that are no number: `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `Not available in WDDM driver
 * model`.
 */
export function numberOf(text: string | undefined): number | null {
  const digits = /^\s*(\d+(?:\.\d+)?)/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Converts mebibytes to bytes. */
export function mibOf(text: string | undefined): number | null {
  const mib = numberOf(text);
  return mib === null ? null : mib * 2 ** 20;
}

export const wordOf = (text: string | undefined): string | null =>
  text === undefined || /^\s*(\[.*\]|N\/A|)\s*$/.test(text) ? null : text.trim();

/** A bus id in a form for comparisons: drivers write its first part with four or eight digits. */
export const busKey = (id: string): string => id.toLowerCase().replace(/^0+(?=[0-9a-f]+:)/, '');
