/** Which measured values the page shows now, and which of them its engines send. Those are not polled. */
import { useEffect } from 'react';
import { create } from 'zustand';

export type Measured = 'machine' | 'workers' | 'pods';

/** Measured values of one account, and the shortest interval at which a part of the page shows them. */
export interface Watched {
  accountId: string;
  of: Measured;
  everyMs: number;
}

interface Samples {
  /** One for each part of the page that shows them. */
  shown: readonly Watched[];
  /** The keys of those that arrive now. */
  arriving: ReadonlySet<string>;
}

const useSamples = create<Samples>(() => ({ shown: [], arriving: new Set() }));

export const sampleKey = ({ accountId, of }: Pick<Watched, 'accountId' | 'of'>): string => `${of} ${accountId}`;

export function noteArriving(watched: Watched, isArriving: boolean): void {
  const { arriving: before } = useSamples.getState();
  const key = sampleKey(watched);
  if (before.has(key) === isArriving) return;
  const arriving = new Set(before);
  if (isArriving) arriving.add(key);
  else arriving.delete(key);
  useSamples.setState({ arriving });
}

/** What is shown, each once. */
export function useWatched(): Watched[] {
  const watched = new Map<string, Watched>();
  for (const one of useSamples(({ shown }) => shown)) {
    const before = watched.get(sampleKey(one));
    if (!before || one.everyMs < before.everyMs) watched.set(sampleKey(one), one);
  }
  return [...watched.values()];
}

/**
 * Has the engine send these values every `everyMs` while the caller is mounted; null: they are not needed. Returns the
 * interval at which the caller has to read them itself: none while they arrive.
 */
export function useSampleMs(accountId: string, of: Measured, everyMs: number | null): number | false {
  useEffect(() => {
    if (everyMs === null) return undefined;
    const own: Watched = { accountId, of, everyMs };
    useSamples.setState(({ shown }) => ({ shown: [...shown, own] }));
    return () => useSamples.setState(({ shown }) => ({ shown: shown.filter((one) => one !== own) }));
  }, [accountId, of, everyMs]);
  const isArriving = useSamples(({ arriving }) => arriving.has(sampleKey({ accountId, of })));
  return isArriving || everyMs === null ? false : everyMs;
}
