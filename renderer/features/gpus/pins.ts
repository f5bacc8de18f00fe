/** GPU types that the person pinned; kept in this browser or window. */
import { create } from 'zustand';
import * as z from 'zod';
import { readStored, writeStored } from '../../state/stored.ts';

const KEY = 'gpus.pinned';

function kept(): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(readStored(KEY) ?? '[]'));
  } catch {
    return [];
  }
}

export const usePins = create<{ pinned: readonly string[] }>(() => ({ pinned: kept() }));

export function togglePin(id: string): void {
  const { pinned } = usePins.getState();
  const next = pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id];
  writeStored(KEY, JSON.stringify(next));
  usePins.setState({ pinned: next });
}
