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
  /** That all may have changed, as it was reported; null if that is not so. */
  let all: StateChange | null = null;

  return {
    add(change) {
      const { about, id } = change;
      waiting.set(`${about} ${id ?? ''}`, change);
      if (about !== 'all' && waiting.size <= MOST_WAITING) return;
      // The first event names the kinds, which must not be lost.
      if (about === 'all') all = { ...all, ...change };
      all ??= { about: 'all', id: null };
      waiting.clear();
    },
    isEmpty: () => all === null && waiting.size === 0,
    take() {
      const changes = all === null ? [...waiting.values()] : [all];
      all = null;
      waiting.clear();
      return changes;
    },
  };
}
