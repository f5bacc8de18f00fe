/** One live job: its entry, its chunks and its output, until its end. */
import { useEffect, useRef, useState } from 'react';
import type { JobEvent, LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { api } from '../transport/orpc.ts';
import { useSubscription } from '../transport/subscription.ts';

export interface WatchedJob {
  entryId: string;
  /** Null until the first snapshot. */
  entry: LedgerEntry | null;
  chunks: readonly LedgerChunk[];
  output: string | null;
  /** Why there is nothing to show: the ledger does not have the entry. */
  missing: string | null;
}

/** About thirty updates a second: enough for the eye, and few enough for a long stream. */
const FRAME_MS = 33;

const unknownJob = (entryId: string): WatchedJob => ({ entryId, entry: null, chunks: [], output: null, missing: null });

/** Applies events in order; several events make one new state. */
export function applyEvents(job: WatchedJob, events: readonly JobEvent[]): WatchedJob {
  let { entry, output } = job;
  let chunks: LedgerChunk[] | null = null;
  for (const event of events) {
    if (event.type === 'snapshot') chunks = [...event.chunks];
    else if (event.type === 'chunks') (chunks ??= [...job.chunks]).push(...event.chunks);
    if (event.type !== 'chunks') ({ entry, output } = event);
  }
  return { ...job, entry, output, chunks: chunks ?? job.chunks, missing: null };
}

export function useJobWatch(entryId: string | null): WatchedJob | null {
  const [job, setJob] = useState<WatchedJob | null>(null);
  const pending = useRef<JobEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  useEffect(() => {
    return () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
      pending.current = [];
    };
  }, [entryId]);

  const flush = (id: string) => {
    timer.current = null;
    const events = pending.current;
    pending.current = [];
    setJob((before) => applyEvents(before?.entryId === id ? before : unknownJob(id), events));
  };

  useSubscription<JobEvent>({
    key: entryId,
    ends: 'once',
    open: (signal) => api.jobs.watch({ entryId: entryId ?? '' }, { signal }),
    onEvent: (event) => {
      if (entryId === null) return;
      pending.current.push(event);
      if (event.type === 'snapshot') {
        if (timer.current !== null) clearTimeout(timer.current);
        flush(entryId);
      } else timer.current ??= setTimeout(() => flush(entryId), FRAME_MS);
    },
    onMissing: (missing) => {
      if (entryId !== null) setJob({ ...unknownJob(entryId), missing });
    },
  });

  if (entryId === null) return null;
  return job?.entryId === entryId ? job : unknownJob(entryId);
}
