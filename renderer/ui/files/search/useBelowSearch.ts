/** A search by name below a folder, whose results arrive while it runs. */
import { useEffect, useState } from 'react';
import type { FileSearch } from '#contract/local/files.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import type { Place } from '../../../client/files/transfers.ts';

export interface BelowSearch extends Omit<FileSearch, 'end'> {
  /** `stopped`: by the person. */
  end: FileSearch['end'] | 'stopped' | 'failed';
  /** Why it failed; null otherwise. */
  problem: string | null;
}

const fresh: BelowSearch = { matches: [], folders: 0, incomplete: 0, end: null, problem: null };

/** Searches as long as the component is shown. The caller gives it another key for another search. */
export function useBelowSearch({ accountId, holder, path }: Place, text: string): BelowSearch & { stop: () => void } {
  const [search, setSearch] = useState(fresh);
  const [abort] = useState(() => new AbortController());
  const { in: kind, id } = holder;
  useEffect(() => {
    const own = new AbortController();
    const signal = AbortSignal.any([own.signal, abort.signal]);
    const run = async () => {
      try {
        const events = await api.files.search({ accountId, holder: { in: kind, id }, path, text }, { signal });
        for await (const { matches, ...state } of events) {
          if (signal.aborted) return;
          setSearch((before) => ({ ...state, problem: null, matches: [...before.matches, ...matches] }));
        }
      } catch (error) {
        if (!signal.aborted) setSearch((before) => ({ ...before, end: 'failed', problem: errorText(error) }));
      }
    };
    void run();
    return () => own.abort();
  }, [accountId, kind, id, path, text, abort]);
  const stop = () => {
    abort.abort();
    setSearch((before) => (before.end === null ? { ...before, end: 'stopped' } : before));
  };
  return { ...search, stop };
}
