/**
 * An output that is too long for the events of its job: it comes in pieces, while the page shows the job and the start,
 * which is in the event.
 */
import { useEffect, useState } from 'react';
import { api, errorText, useConnection } from '../transport/orpc.ts';

/** A longer output is read apart. Bytes. */
export const LONGEST_OUTPUT = 250_000;

/** An output that the events of its job left out. */
export interface LeftOutOutput {
  bytes: number;
  /** What comes first, cut off somewhere. */
  start: string;
}

/** An output that is still read, or could not be read. */
export interface PendingOutput extends LeftOutOutput {
  /** Why it could not be read, for a person; null while it is read. */
  problem: string | null;
  retry: () => void;
}

interface Reading {
  /** Which output this is: of another job, or of the next attempt, it is not shown. */
  key: string;
  whole: string | null;
  problem: string | null;
}

/** Reads the output that the events of a job left out; null: none. After a loss of the connection it is read again. */
export function useLongOutput(
  entryId: string | null,
  leftOut: LeftOutOutput | null,
): { whole: string | null; pendingOutput: PendingOutput | null } {
  const generation = useConnection((status) => status.generation);
  const [tries, setTries] = useState(0);
  const [reading, setReading] = useState<Reading | null>(null);
  const key = entryId === null || leftOut === null ? null : `${entryId} ${leftOut.bytes}`;
  const isHere = key !== null && reading?.key === key && reading.whole !== null;

  useEffect(() => {
    if (key === null || entryId === null || isHere) return;
    const stop = new AbortController();
    const set = (next: Reading | null) => {
      if (!stop.signal.aborted) setReading(next);
    };
    const read = async () => {
      let text = '';
      for await (const piece of await api.jobs.output({ entryId }, { signal: stop.signal })) {
        // What failed before goes on now.
        if (text === '') set(null);
        text += piece;
      }
      set({ key, whole: text, problem: null });
    };
    read().catch((error: unknown) => set({ key, whole: null, problem: errorText(error) }));
    return () => stop.abort();
  }, [key, entryId, isHere, generation, tries]);

  if (leftOut === null || key === null) return { whole: null, pendingOutput: null };
  const { whole = null, problem = null } = reading?.key === key ? reading : {};
  if (whole !== null) return { whole, pendingOutput: null };
  const retry = () => {
    setReading(null);
    setTries(tries + 1);
  };
  return { whole, pendingOutput: { ...leftOut, problem, retry } };
}
