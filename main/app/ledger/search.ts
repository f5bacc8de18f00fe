/** Searches for text, newest first and a short while at a time: each remembers what it has found and where it stopped. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { blocksOf, rowCondition, type Sql } from './query.ts';
import { entryColumns, toEntry } from './rows/jobs.ts';

export interface SearchPage {
  /** Numbers of the jobs found so far, newest first. */
  seqs: readonly number[];
  complete: boolean;
}

export interface Searches {
  /** Goes on with the search of this filter for a short while, and answers what it has come to. */
  find(filter: LedgerFilter): SearchPage;
  /** A job was added, changed or removed: it is checked again before the next answer. */
  changed(seq: number): void;
}

interface Search {
  filter: LedgerFilter;
  /** Newest first. */
  seqs: number[];
  /** Jobs above this seq are searched. */
  reached: number;
  dirty: Set<number>;
}

/** One answer takes about this long at most, however much there is to look at. */
const STEP_MS = 40;
/** Rows that are looked at in one go: with the longest texts that are searched, a fraction of a step. */
const ROWS = 64;
/** Searches that are remembered: those of a few windows, and of a person who goes back to the one before. */
const REMEMBERED = 6;
/** A search that nobody asks for any more is forgotten once so much has changed. */
const DIRTY_MOST = 2000;

/** WHERE of the rows that fit a filter with its text; the entry table is `e`, that of the texts `s`. */
function textCondition(filter: LedgerFilter): { where: string; values: SQLInputValue[] } {
  const { sql: where, values } = rowCondition(filter);
  const text = (filter.text ?? '').trim().toLowerCase();
  if (text === '') return { where, values };
  return {
    where: `${where} AND (instr(s.head, ?) OR instr(s.body, ?) OR instr(s.output, ?))`,
    values: [...values, text, text, text],
  };
}

/** Row by row along the entries: the text of a job that does not fit otherwise is not even read. */
const ROWS_OF = 'entries e NOT INDEXED CROSS JOIN search s ON s.seq = e.seq WHERE e.seq BETWEEN ? AND ?';

export interface Walked {
  entries: LedgerEntry[];
  /** Where to go on; null at the end. */
  below: number | null;
}

/** One stretch of the jobs that fit a filter, for who goes through all of them. */
export function walk(sql: Sql, filter: LedgerFilter, below: number | null): Walked {
  const reached = below ?? Infinity;
  const block = blocksOf(sql, filter).find(({ first }) => first < reached);
  if (!block) return { entries: [], below: null };
  const top = Math.min(block.last, reached - 1);
  const from = Math.max(block.first, top - ROWS + 1);
  const { where, values } = textCondition(filter);
  const rows = sql(`SELECT ${entryColumns} FROM ${ROWS_OF} AND ${where} ORDER BY e.seq DESC`).all(from, top, ...values);
  return { entries: rows.map(toEntry), below: from };
}

/** `now`: milliseconds of a clock that only goes forward. */
export function createSearches(sql: Sql, newest: () => number, now: () => number): Searches {
  const searches = new Map<string, Search>();

  function matchingSeqs({ filter }: Search, first: number, last: number): number[] {
    const { where, values } = textCondition(filter);
    const rows = sql(`SELECT e.seq AS seq FROM ${ROWS_OF} AND ${where} ORDER BY e.seq DESC`).all(
      first,
      last,
      ...values,
    );
    return rows.map((row) => Number(row['seq']));
  }

  /** Updates the result for jobs that changed in the part that is already searched. */
  function refresh(search: Search): void {
    for (const seq of search.dirty) {
      if (seq < search.reached) continue;
      const at = search.seqs.findIndex((other) => other <= seq);
      const isThere = at !== -1 && search.seqs[at] === seq;
      const belongs = matchingSeqs(search, seq, seq).length > 0;
      if (belongs && !isThere) search.seqs.splice(at === -1 ? search.seqs.length : at, 0, seq);
      else if (!belongs && isThere) search.seqs.splice(at, 1);
    }
    search.dirty.clear();
  }

  function goOn(search: Search): void {
    const until = now() + STEP_MS;
    for (const { first, last } of blocksOf(sql, search.filter)) {
      if (first >= search.reached) continue;
      let top = Math.min(last, search.reached - 1);
      while (top >= first) {
        if (now() >= until) return;
        const from = Math.max(first, top - ROWS + 1);
        search.seqs.push(...matchingSeqs(search, from, top));
        search.reached = from;
        top = from - 1;
      }
    }
    search.reached = 0;
  }

  return {
    find(filter) {
      const key = JSON.stringify(filter);
      const search = searches.get(key) ?? { filter, seqs: [], reached: newest() + 1, dirty: new Set<number>() };
      // The one used last is the last to go.
      searches.delete(key);
      searches.set(key, search);
      const [oldest] = searches.keys();
      if (searches.size > REMEMBERED && oldest !== undefined) searches.delete(oldest);
      refresh(search);
      if (search.reached > 0) goOn(search);
      return { seqs: search.seqs, complete: search.reached === 0 };
    },
    changed(seq) {
      for (const [key, { dirty }] of searches) {
        dirty.add(seq);
        if (dirty.size > DIRTY_MOST) searches.delete(key);
      }
    },
  };
}
