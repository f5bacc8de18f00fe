/** Searches for text in short steps, newest first. Each search remembers its results and its position. */
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
  /** Continues the search of this filter for a short time, and returns its results so far. */
  find(filter: LedgerFilter): SearchPage;
  /** Notes a job that was added, changed or removed: it is checked again before the next answer. */
  changed(seq: number): void;
}

interface Search {
  filter: LedgerFilter;
  /** Newest first. */
  seqs: number[];
  /** Jobs above this number are searched. */
  reached: number;
  dirty: Set<number>;
}

/** Longest time of one answer, about. */
const STEP_MS = 40;
/** Rows of one batch: with the longest texts, a fraction of a step. */
const ROWS = 64;
/** How many searches are remembered: for a few windows, each of which also asks for the usual jobs of its endpoints. */
const REMEMBERED = 16;
/** A search that is no longer used is forgotten after this many changes. */
const DIRTY_MOST = 2000;

/** Whether the tallies cannot count the matches of a filter. */
export const isSearched = ({ text = '', source, keyName, tag, openai }: LedgerFilter): boolean =>
  text.trim() !== '' || [source, keyName, tag, openai].some((part) => part !== undefined);

/** The field of the input that each request of an OpenAI client has, as it stands in the searched body. */
const OPENAI_FIELD = '"openai_route"';

/** The parts of a text between spaces, each once. A job has to have all of them, in any order. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== ''),
  );

/** The list of tags is JSON. */
const TAG_HAS = 'EXISTS (SELECT 1 FROM json_each(e.tags) tag WHERE instr(lower(tag.value), ?))';

/** The WHERE clause of a filter with its text; `e` is the entry table, `s` the table of texts. */
function textCondition(filter: LedgerFilter): { where: string; values: SQLInputValue[] } {
  const { sql, values } = rowCondition(filter);
  const parts = [sql];
  if (filter.openai !== undefined) {
    parts.push(`(instr(s.body, ?) > 0) IS ${filter.openai ? 'TRUE' : 'FALSE'}`);
    values.push(OPENAI_FIELD);
  }
  for (const word of wordsOf(filter.text ?? '')) {
    parts.push(`(instr(s.head, ?) OR instr(s.body, ?) OR instr(s.output, ?) OR ${TAG_HAS})`);
    values.push(word, word, word, word);
  }
  return { where: parts.join(' AND '), values };
}

/** Reads row by row along the entries, so that the text of a job is not read if other conditions fail. */
const ROWS_OF = 'entries e NOT INDEXED CROSS JOIN search s ON s.seq = e.seq WHERE e.seq BETWEEN ? AND ?';

export interface Walked {
  entries: LedgerEntry[];
  /** The position for the next call; null at the end. */
  below: number | null;
}

/** One stretch of the jobs that match a filter, for a caller that reads all of them. */
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

/** `now`: milliseconds of a monotonic clock. */
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

  /** Checks changed jobs again in the part that is already searched. */
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
      // Deletes and inserts the search again: the last used one is removed last.
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
