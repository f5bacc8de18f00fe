/** Changes that wait for a reader who is behind. */
import type { StateChange } from './stateChange.ts';

export interface WaitingChanges {
  add(change: StateChange): void;
  isEmpty(): boolean;
  /** What waits, the oldest first, each once. Nothing waits after it. */
  take(): StateChange[];
}

/** More changes than this become one that says that all may have changed: a reader that stands still costs no more. */
export const MOST_WAITING = 1000;

export function createWaitingChanges(): WaitingChanges {
  /** By what and which. */
  const waiting = new Map<string, StateChange>();
  let isAll = false;

  return {
    add({ about, id }) {
      waiting.set(`${about} ${id ?? ''}`, { about, id });
      if (about !== 'all' && waiting.size <= MOST_WAITING) return;
      isAll = true;
      waiting.clear();
    },
    isEmpty: () => !isAll && waiting.size === 0,
    take() {
      const changes = isAll ? [{ about: 'all' as const, id: null }] : [...waiting.values()];
      isAll = false;
      waiting.clear();
      return changes;
    },
  };
}
