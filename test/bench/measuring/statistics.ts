/** The few figures a table of measurements needs. */

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** The value below which the share `q` (0…1) of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const ordered = sorted(values);
  return ordered[Math.min(ordered.length - 1, Math.floor(q * ordered.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const ordered = sorted(values);
  const middle = ordered.length >> 1;
  const upper = ordered[middle] ?? Number.NaN;
  return ordered.length % 2 === 1 ? upper : ((ordered[middle - 1] ?? Number.NaN) + upper) / 2;
}

export interface Range {
  median: number;
  min: number;
  max: number;
}

export const rangeOf = (values: readonly number[]): Range => {
  const ordered = sorted(values);
  return { median: median(ordered), min: ordered[0] ?? Number.NaN, max: ordered.at(-1) ?? Number.NaN };
};

/** Throws unless exactly the ids of `wanted` were delivered, each once. */
export function checkDelivered(what: string, wanted: Iterable<string>, delivered: readonly string[]): void {
  const missing = new Set(wanted);
  const twice: string[] = [];
  for (const id of delivered) if (!missing.delete(id)) twice.push(id);
  if (missing.size > 0 || twice.length > 0) {
    throw new Error(`${what}: ${missing.size} never delivered, ${twice.length} delivered twice or unknown`);
  }
}
