/** Sizes of the panes a person has dragged, remembered for each place that has panes. */
import { readStored, writeStored } from './stored.ts';

export type PaneSizes = Record<string, number>;

export function readPanes(place: string): PaneSizes | undefined {
  try {
    const kept: unknown = JSON.parse(readStored(`panes.${place}`) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return undefined;
    const sizes = Object.entries(kept).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    return sizes.length === 0 ? undefined : Object.fromEntries(sizes);
  } catch {
    // Not ours, or cut off: start with the default sizes.
    return undefined;
  }
}

export const keepPanes = (place: string, sizes: PaneSizes): void =>
  void writeStored(`panes.${place}`, JSON.stringify(sizes));
