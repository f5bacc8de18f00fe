/** The feed of changed ledger entries: one subscription, handed to whoever shows jobs, in batches. */
import { useEffect, useEffectEvent } from 'react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { api, useConnection } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

type Listener = (entries: LedgerEntry[]) => void;

/** A person cannot follow more than this, and a stream changes its entry with every chunk. */
const BATCH_MS = 50;

const listeners = new Set<Listener>();
let pending = new Map<string, LedgerEntry>();
let timer: ReturnType<typeof setTimeout> | null = null;

function flush(): void {
  timer = null;
  const entries = [...pending.values()];
  pending = new Map();
  for (const listener of listeners) listener(entries);
}

/** Follows the feed; mounted once. */
export function useJobChangesFeed(): void {
  useSubscription<LedgerEntry>({
    key: 'jobs',
    ends: 'never',
    open: (signal) => api.jobs.changes(undefined, { signal }),
    onEvent: (entry) => {
      pending.set(entry.entryId, entry);
      timer ??= setTimeout(flush, BATCH_MS);
    },
  });
}

/** Calls `onChange` with the newest state of each entry that changed, in the order in which they first changed. */
export function useJobChanges(onChange: Listener): void {
  const listen = useEffectEvent(onChange);
  useEffect(() => {
    const listener: Listener = (entries) => listen(entries);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}

/** Calls `onResync` when changes may have been missed: after each reconnect. */
export function useMissedChanges(onResync: () => void): void {
  const resync = useEffectEvent(onResync);
  const generation = useConnection((status) => status.generation);
  useEffect(() => {
    if (generation > 1) resync();
  }, [generation]);
}
