/** Those who want to know of each change of something. */
import type { Cancel } from './ports.ts';

export interface Listeners {
  add(listener: () => void): Cancel;
  call(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    add(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    call() {
      for (const listener of [...listeners]) listener();
    },
  };
}
