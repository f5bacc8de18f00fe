/**
 * An output that is too long for the events of its job: it comes in pieces, while the page shows the job and its start.
 */
import { useEffect, useState } from 'react';
import { api, errorText, useConnection } from '../transport/orpc.ts';

/** A longer output is read apart. Bytes. */
export const LONGEST_OUTPUT = 250_000;

/** An output that is still read, or could not be read. */
export interface PendingOutput {
  bytes: number;
  /** What came first, cut off somewhere; null until then. */
  start: string | null;
  /** Why it could not be read, for a person; null while it is read. */
  problem: string | null;
  retry: () => void;
}

interface Reading {
  /** Which output this is: of another job, or of the next attempt, it is not shown. */
  key: string;
  start: string | null;
  whole: string | null;
  problem: string | null;
}

/**
 * Reads the output of a job once it is known to have `bytes`; null: there is nothing to read. After a loss of the
 * connection it is read again.
 */
export function useLongOutput(
  entryId: string | null,
  bytes: number | null,
): { whole: string | null; pendingOutput: PendingOutput | null } {
  const generation = useConnection((status) => status.generation);
  const [tries, setTries] = useState(0);
  const [reading, setReading] = useState<Reading | null>(null);
  const key = entryId === null || bytes === null ? null : `${entryId} ${bytes}`;
  const isHere = key !== null && reading?.key === key && reading.whole !== null;

  useEffect(() => {
    if (key === null || entryId === null || isHere) return;
    const stop = new AbortController();
    const set = (part: Partial<Reading>) => {
      if (stop.signal.aborted) return;
      setReading((before) => ({
        start: null,
        whole: null,
        problem: null,
        ...(before?.key === key && before),
        key,
        ...part,
      }));
    };
    const read = async () => {
      let text = '';
      for await (const piece of await api.jobs.output({ entryId }, { signal: stop.signal })) {
        if (text === '') set({ start: piece, problem: null });
        text += piece;
      }
      set({ whole: text });
    };
    read().catch((error: unknown) => set({ problem: errorText(error) }));
    return () => stop.abort();
  }, [key, entryId, isHere, generation, tries]);

  if (bytes === null || key === null) return { whole: null, pendingOutput: null };
  const { start = null, whole = null, problem = null } = reading?.key === key ? reading : {};
  if (whole !== null) return { whole, pendingOutput: null };
  const retry = () => {
    setReading(null);
    setTries(tries + 1);
  };
  return { whole, pendingOutput: { bytes, start, problem, retry } };
}
