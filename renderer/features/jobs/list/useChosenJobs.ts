/** Which jobs of the list are chosen, to be acted on together. They stay chosen while the filter changes. */
import { useEffect, useRef, useState } from 'react';
import { notifications } from '@mantine/notifications';
import type { LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import type { GridChoice, RowRange } from '../../../ui/grid/rows.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { lineText } from '../../../ui/domain/jobText.ts';
import type { LedgerRows } from '../ledgerRows.ts';
import { t } from '../../../language/text.ts';

/** The maximum number of jobs in one request. */
export const MOST_CHOSEN = 1000;
/** How many jobs the ledger lists in one answer. */
const PAGE = 500;

type Chosen = ReadonlyMap<string, LedgerEntry>;

const NONE: Chosen = new Map();

function withEntries(before: Chosen, entries: readonly LedgerEntry[], isChosen: boolean): Chosen {
  const next = new Map(before);
  for (const entry of entries) {
    if (!isChosen) next.delete(entry.entryId);
    else if (next.has(entry.entryId) || next.size < MOST_CHOSEN) next.set(entry.entryId, entry);
  }
  return next;
}

/** Reads these rows of a filter, at most as many as can be chosen. `matching`: how many rows there are. */
async function readRows(filter: LedgerFilter, { first, last }: RowRange, signal: AbortSignal) {
  const end = Math.min(last + 1, first + MOST_CHOSEN);
  const entries: LedgerEntry[] = [];
  let matching = Infinity;
  for (let offset = first; offset < Math.min(end, matching); offset += PAGE) {
    const page = await api.jobs.list({ filter, offset, limit: Math.min(PAGE, end - offset) }, { signal });
    entries.push(...page.entries);
    matching = page.matching;
  }
  return { entries, matching };
}

export interface ChosenJobs {
  chosen: Chosen;
  /** How many jobs the list had when only the first ones could be chosen; null in every other case. */
  cutFrom: number | null;
  chooseAll: () => void;
  chooseNone: () => void;
  /** Jobs that are no longer there. */
  drop: (entryIds: readonly string[]) => void;
  /** Puts newer entries in place of those that are chosen. */
  update: (entries: readonly LedgerEntry[]) => void;
  choiceOf: (rows: LedgerRows) => GridChoice<LedgerEntry>;
}

export function useChosenJobs(filter: LedgerFilter): ChosenJobs {
  const [chosen, setChosen] = useState(NONE);
  const key = JSON.stringify(filter);
  const [cut, setCut] = useState<{ key: string; from: number } | null>(null);
  /** Aborted when a read of rows is no longer wanted. */
  const reads = useRef(new AbortController());
  const stopReads = () => {
    reads.current.abort();
    reads.current = new AbortController();
  };
  useEffect(() => stopReads, [key]);

  const choose = (entries: readonly LedgerEntry[], isChosen: boolean) => {
    setCut(null);
    setChosen((before) => withEntries(before, entries, isChosen));
  };
  const read = async (range: RowRange, onRead: (page: { entries: LedgerEntry[]; matching: number }) => void) => {
    const { signal } = reads.current;
    try {
      const page = await readRows(filter, range, signal);
      if (!signal.aborted) onRead(page);
    } catch (error) {
      if (signal.aborted) return;
      notifications.show({ title: t`Not selected`, message: errorText(error), 'data-tone': 'bad' });
    }
  };
  const chooseAll = () => {
    stopReads();
    void read({ first: 0, last: MOST_CHOSEN - 1 }, ({ entries, matching }) => {
      setChosen(withEntries(NONE, entries, true));
      setCut(matching > entries.length ? { key, from: matching } : null);
      announce(t`${formatCount(entries.length)} selected`);
    });
  };
  const chooseNone = () => {
    stopReads();
    setCut(null);
    setChosen(NONE);
  };
  return {
    chosen,
    cutFrom: cut?.key === key ? cut.from : null,
    chooseAll,
    chooseNone,
    drop: (entryIds) => {
      setCut(null);
      setChosen((before) => new Map([...before].filter(([id]) => !entryIds.includes(id))));
    },
    update: (entries) => {
      const known = entries.filter(({ entryId }) => chosen.has(entryId));
      if (known.length > 0)
        setChosen((before) =>
          withEntries(
            before,
            known.filter(({ entryId }) => before.has(entryId)),
            true,
          ),
        );
    },
    choiceOf: (rows) => ({
      isChosen: ({ entryId }) => chosen.has(entryId),
      onChoose: choose,
      onRange: (range, isChosen) => void read(range, ({ entries }) => choose(entries, isChosen)),
      onAll: chooseAll,
      onNone: chooseNone,
      count: chosen.size,
      countInList: [...chosen.values()].filter((entry) => rows.has(entry)).length,
      isFull: chosen.size >= MOST_CHOSEN,
      nameOf: (entry) => `${lineText(entry)}, ${entry.endpointName}`,
      allLabel: t`Select all jobs`,
    }),
  };
}
