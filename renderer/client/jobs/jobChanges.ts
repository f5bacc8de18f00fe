/** The stream of changed ledger entries: one subscription, delivered in batches to every list of jobs. */
import { useEffect, useEffectEvent } from 'react';
import { create } from 'zustand';
import type { JobChanges, LedgerEntry, OpenJobs } from '#contract/app/ledger.ts';
import { api, useConnection } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';

type Listener = (entries: LedgerEntry[]) => void;

/** Interval of the batches: a person cannot follow faster changes, and a stream changes its entry with every chunk. */
const BATCH_MS = 50;

/** Interval of reading again while more jobs change than the stream lists. */
const RESYNC_MS = 1000;

const listeners = new Set<Listener>();
const resyncs = new Set<() => void>();
let resyncTimer: ReturnType<typeof setTimeout> | null = null;
let pending = new Map<string, LedgerEntry>();
let pendingOpen: OpenJobs | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;

const useOpen = create<{ open: OpenJobs | null }>(() => ({ open: null }));

function flush(): void {
  timer = null;
  const entries = [...pending.values()];
  pending = new Map();
  useOpen.setState({ open: pendingOpen });
  for (const listener of listeners) listener(entries);
}

/** How many jobs of all accounts run and wait, as the lists show them; null while the stream is not open. */
export const useOpenJobs = (): OpenJobs | null => useOpen(({ open }) => open);

function resync(): void {
  resyncTimer = null;
  for (const listener of resyncs) listener();
}

/** Subscribes to the stream; mounted once. */
export function useJobChangesFeed(): void {
  useSubscription<JobChanges>({
    key: 'jobs',
    ends: 'never',
    open: (signal) => api.jobs.changes(undefined, { signal }),
    onEvent: ({ entries, others, open = pendingOpen }) => {
      for (const entry of entries) pending.set(entry.entryId, entry);
      pendingOpen = open;
      timer ??= setTimeout(flush, BATCH_MS);
      if (others > 0) resyncTimer ??= setTimeout(resync, RESYNC_MS);
    },
    onClosed: () => {
      pendingOpen = null;
      useOpen.setState({ open: null });
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

/** Calls `onResync` when changes were missed: after each reconnect, and while very many jobs change. */
export function useMissedChanges(onResync: () => void): void {
  const catchUp = useEffectEvent(onResync);
  const generation = useConnection((status) => status.generation);
  useEffect(() => {
    if (generation > 1) catchUp();
  }, [generation]);
  useEffect(() => {
    const listener = (): void => catchUp();
    resyncs.add(listener);
    return () => void resyncs.delete(listener);
  }, []);
}
