/** The visible rows of a filter, live. */
import { useEffect, useEffectEvent, useReducer, useState } from 'react';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { useConnection } from '../../client/transport/orpc.ts';
import { LedgerReader, type Sight } from './ledgerReader.ts';
import type { LedgerRows } from './ledgerRows.ts';

export interface LedgerView {
  /** Null until the first answer; the rows of the last filter until the answer for a new one. */
  rows: LedgerRows | null;
  /** Grows with every change of the rows. */
  version: number;
  /** Why the rows are not current; null if they are. */
  problem: string | null;
  /** Sets the visible rows. */
  show: (sight: Sight) => void;
  /** Applies the removal of entries by a person. */
  remove: (entryIds: readonly string[]) => void;
}

/** `onShift` is called with the number of rows by which the visible rows move. */
export function useLedgerRows(filter: LedgerFilter, onShift: (rows: number) => void): LedgerView {
  const [version, grow] = useReducer((count: number) => count + 1, 0);
  const [reader, setReader] = useState<LedgerReader | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const key = JSON.stringify(filter);
  // True after the first connection. After each later one the first block is read again, below.
  const isReachable = useConnection((status) => status.generation > 0);
  const makeReader = useEffectEvent(() => new LedgerReader(filter, { onChange: grow, onShift, onProblem: setProblem }));

  useEffect(() => {
    if (!isReachable) return undefined;
    const next = makeReader();
    void next.start().then((isRead) => {
      if (!isRead) return;
      setReader(next);
      grow();
    });
    return () => next.stop();
  }, [key, isReachable]);

  useMissedChanges(() => void reader?.refresh());
  useJobChanges((entries) => reader?.change(entries));

  return {
    rows: reader?.rows ?? null,
    version,
    problem,
    show: (sight) => reader?.show(sight),
    remove: (entryIds) => reader?.remove(entryIds),
  };
}
