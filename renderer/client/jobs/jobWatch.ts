/** One live job: its entry, its chunks and its output, until its end. */
import { useEffect, useRef, useState } from 'react';
import type { JobEvent, LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { api } from '../transport/orpc.ts';
import { LONGEST_OUTPUT, useLongOutput, type LeftOutOutput, type PendingOutput } from './longOutput.ts';
import { useSubscription } from '../transport/subscription.ts';

interface JobState {
  entryId: string;
  /** Null until the first snapshot. */
  entry: LedgerEntry | null;
  chunks: readonly LedgerChunk[];
  output: string | null;
  /** An output that the events left out; null if there is none. */
  leftOut: LeftOutOutput | null;
  /** Why there is nothing to show: the ledger does not have the entry. */
  missing: string | null;
}

export interface WatchedJob extends Omit<JobState, 'leftOut'> {
  /** A long output that is not in `output` yet. */
  pendingOutput: PendingOutput | null;
}

/** About thirty updates a second: enough for the eye, and few enough for a long stream. */
const FRAME_MS = 33;

const unknownJob = (entryId: string): JobState => ({
  entryId,
  entry: null,
  chunks: [],
  output: null,
  leftOut: null,
  missing: null,
});

/** Applies events in order; several events make one new state. */
export function applyEvents(job: JobState, events: readonly JobEvent[]): JobState {
  let { entry, output, leftOut } = job;
  let chunks: LedgerChunk[] | null = null;
  for (const event of events) {
    if (event.type === 'snapshot') chunks = [...event.chunks];
    else if (event.type === 'chunks') (chunks ??= [...job.chunks]).push(...event.chunks);
    if (event.type !== 'chunks') {
      ({ entry, output } = event);
      leftOut = event.leftOut ?? null;
    }
  }
  return { ...job, entry, output, leftOut, chunks: chunks ?? job.chunks, missing: null };
}

export function useJobWatch(entryId: string | null): WatchedJob | null {
  const [job, setJob] = useState<JobState | null>(null);
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
    open: (signal) => api.jobs.watch({ entryId: entryId ?? '', longestOutput: LONGEST_OUTPUT }, { signal }),
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

  const { leftOut, ...shown } = job?.entryId === entryId ? job : unknownJob(entryId ?? '');
  const { whole, pendingOutput } = useLongOutput(entryId, leftOut);
  return entryId === null ? null : { ...shown, output: shown.output ?? whole, pendingOutput };
}
