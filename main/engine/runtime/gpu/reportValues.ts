/** Reads single values of what the programs of GPU makers print. */

/** `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `Not available in WDDM driver model` and their like are no numbers. */
export function numberOf(text: string | undefined): number | null {
  const digits = /^\s*(\d+(?:\.\d+)?)/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Of mebibytes. */
export function mibOf(text: string | undefined): number | null {
  const mib = numberOf(text);
  return mib === null ? null : mib * 2 ** 20;
}

export const wordOf = (text: string | undefined): string | null =>
  text === undefined || /^\s*(\[.*\]|N\/A|)\s*$/.test(text) ? null : text.trim();

/** A bus id as it is compared: drivers write its first part with four digits, or with eight. */
export const busKey = (id: string): string => id.toLowerCase().replace(/^0+(?=[0-9a-f]+:)/, '');
