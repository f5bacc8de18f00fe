/** Fetches the rows that are in sight, and keeps them up to date. */
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobChanges.ts';
import { api, errorText, useConnection } from '../../client/transport/orpc.ts';
import { pause } from '../../client/pause.ts';
import { BLOCK_ROWS, LedgerRows } from './ledgerRows.ts';

/** Asking again after changes that cannot be placed: often enough to look live. */
const ASK_AGAIN_MS = 300;
/** Between two steps of a search through a long ledger: others have their turn. */
const SEARCH_ON_MS = 30;
const RETRY_MS = 1500;
/** A person who drags the scroll bar passes more blocks than they look at. */
const LOOK_MS = 60;

interface Sight {
  first: number;
  last: number;
}

export interface LedgerView {
  /** Null until the first answer. */
  rows: LedgerRows | null;
  /** Grows with every change of the rows. */
  version: number;
  problem: string | null;
  look: (sight: Sight) => void;
  removed: (entryIds: readonly string[]) => void;
}

/** `onShift` is told by how many rows what is in sight would move. */
export function useLedgerRows(filter: LedgerFilter, onShift: (rows: number) => void): LedgerView {
  const [version, changed] = useReducer((count: number) => count + 1, 0);
  const [rows, setRows] = useState<LedgerRows | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const sight = useRef<Sight>({ first: 0, last: 0 });
  const asking = useRef(new Set<number>());
  const again = useRef<ReturnType<typeof setTimeout> | null>(null);
  const looking = useRef<ReturnType<typeof setTimeout> | null>(null);
  const current = useRef<LedgerRows | null>(null);
  const key = JSON.stringify(filter);
  // From the first connection on: what is missed later is asked for again below.
  const reachable = useConnection((status) => status.generation > 0);

  /** Answers whether it is done with. */
  const start = useEffectEvent(async (signal: AbortSignal) => {
    const next = new LedgerRows(filter);
    try {
      next.place(0, await api.jobs.list({ filter, offset: 0, limit: BLOCK_ROWS }, { signal }));
      if (signal.aborted) return true;
      asking.current.clear();
      current.current = next;
      setRows(next);
      setProblem(null);
      changed();
      if (!next.complete) again.current ??= setTimeout(() => void askAgain(), SEARCH_ON_MS);
      return true;
    } catch (error) {
      if (!signal.aborted) setProblem(errorText(error));
      return signal.aborted;
    }
  });

  const forgetTimer = () => {
    if (again.current !== null) clearTimeout(again.current);
    again.current = null;
  };

  useEffect(
    () => () => {
      if (looking.current !== null) clearTimeout(looking.current);
    },
    [],
  );

  useEffect(() => {
    if (!reachable) return undefined;
    const abort = new AbortController();
    const load = async () => {
      while (!(await start(abort.signal))) await pause(RETRY_MS, abort.signal);
    };
    void load();
    return () => {
      abort.abort();
      forgetTimer();
    };
  }, [key, reachable]);

  const fetchBlock = async (target: LedgerRows, block: number) => {
    if (asking.current.has(block) || target.hasBlock(block)) return;
    asking.current.add(block);
    const range = target.rangeOf(block);
    try {
      const page = await api.jobs.list({ filter, ...range });
      if (current.current !== target) return;
      // Some came or went that were not told of: what is known stands in other places now.
      if (page.matching !== target.matching) target.clear();
      target.place(range.offset, page);
      changed();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      asking.current.delete(block);
    }
  };

  const fill = () => {
    const target = current.current;
    if (!target || target.matching === 0) return;
    const { first, last } = sight.current;
    const end = target.blockOf(Math.min(last, target.matching - 1));
    for (let block = target.blockOf(Math.max(0, first)); block >= Math.max(0, end); block -= 1) {
      void fetchBlock(target, block);
    }
  };

  async function askAgain() {
    forgetTimer();
    const target = current.current;
    if (!target) return;
    try {
      const page = await api.jobs.list({ filter, offset: 0, limit: BLOCK_ROWS });
      if (current.current !== target) return;
      const came = page.matching - target.matching;
      // Where in the list something came or went is not known: all but the answer is fetched anew.
      if (came !== 0) target.clear();
      // What a search finds further back comes below what is in sight.
      const isBelow = !target.complete;
      target.place(0, page);
      if (came !== 0 && !isBelow) onShift(came);
      if (!page.complete) again.current ??= setTimeout(() => void askAgain(), SEARCH_ON_MS);
      setProblem(null);
      changed();
      fill();
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  useMissedChanges(() => void askAgain());
  useJobChanges((entries) => {
    const target = current.current;
    if (!target) return;
    const { shifted, unsure } = target.change(entries, sight.current.first);
    if (shifted !== 0) onShift(shifted);
    if (unsure) again.current ??= setTimeout(() => void askAgain(), ASK_AGAIN_MS);
    changed();
  });

  return {
    rows,
    version,
    problem,
    look: (next) => {
      sight.current = next;
      looking.current ??= setTimeout(() => {
        looking.current = null;
        fill();
      }, LOOK_MS);
    },
    removed: (entryIds) => {
      current.current?.remove(entryIds);
      changed();
    },
  };
}
