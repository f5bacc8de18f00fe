/** The reads of the ledger: one job, lists and searches, and its size. */
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import type { Ledger } from '../port.ts';
import { blocksOf, numberOf, pageOf } from '../query.ts';
import { entryColumns, toEntry } from '../rows/jobs.ts';
import { isSearched, walk } from '../search.ts';
import type { LedgerParts } from './parts.ts';

type Reads = Pick<
  Ledger,
  | 'find'
  | 'findJob'
  | 'entry'
  | 'detail'
  | 'body'
  | 'attempts'
  | 'output'
  | 'outputStart'
  | 'outputSize'
  | 'chunks'
  | 'list'
  | 'tags'
  | 'keyNames'
  | 'walk'
  | 'unfinished'
  | 'endedSince'
  | 'size'
  | 'meta'
>;

/** Goes along the index from each name to the next one, however many jobs a name has. */
const KEY_NAMES = `WITH RECURSIVE names(name) AS (
    SELECT min(key_name) FROM entries WHERE key_name IS NOT NULL
    UNION ALL
    SELECT (SELECT min(key_name) FROM entries WHERE key_name > name) FROM names WHERE name IS NOT NULL)
  SELECT name FROM names WHERE name IS NOT NULL`;

/** They also see what waits for the next group commit. */
export function createReads({ sql, entries, attempts, payloads, searches }: LedgerParts): Reads {
  const { find, findJob, entry, seqOf } = entries;
  return {
    find,
    findJob,
    entry,
    detail: (entryId) => ({
      entry: entry(entryId),
      body: payloads.body(seqOf(entryId)),
      output: payloads.output(seqOf(entryId)),
    }),
    body: (entryId) => payloads.body(seqOf(entryId)),
    attempts: (entryId) => attempts.of(seqOf(entryId)),
    output: (entryId) => payloads.output(seqOf(entryId)),
    outputStart: (entryId, length) => payloads.outputStart(seqOf(entryId), length),
    outputSize: (entryId) => payloads.outputSize(seqOf(entryId)),
    chunks: (entryId, from, limit) => payloads.chunks(seqOf(entryId), from, limit),
    list(filter, offset, limit) {
      const total = numberOf(sql, 'SELECT sum(jobs) FROM blocks');
      if (isSearched(filter)) {
        const { seqs, complete } = searches.find(filter);
        const rows = seqs
          .slice(offset, offset + limit)
          .flatMap((seq) => sql(`SELECT ${entryColumns} FROM entries e WHERE e.seq = ?`).all(seq));
        return { entries: rows.map(toEntry), matching: seqs.length, complete, total };
      }
      const blocks = blocksOf(sql, filter);
      return {
        entries: pageOf(sql, filter, blocks, offset, limit),
        matching: blocks.reduce((sum, { jobs }) => sum + jobs, 0),
        complete: true,
        total,
      };
    },
    tags: () =>
      sql("SELECT DISTINCT j.value AS tag FROM entries e, json_each(e.tags) j WHERE e.tags <> '[]' ORDER BY tag")
        .all()
        .map((row) => String(row['tag'])),
    keyNames: () =>
      sql(KEY_NAMES)
        .all()
        .map((row) => String(row['name'])),
    walk: (filter, below) => walk(sql, filter, below),
    unfinished: () => entries.where("e.status IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS') AND e.by_feed = 0"),
    endedSince: (at, most) =>
      sql('SELECT entry_id AS id FROM entries WHERE finished_at >= ? ORDER BY finished_at DESC, seq DESC LIMIT ?')
        .all(at, most)
        .map(({ id }) => String(id))
        .toReversed(),
    meta(key, schema) {
      const row = sql('SELECT value FROM meta WHERE key = ?').get(key);
      return row && schema.safeParse(parseJsonOrNull(String(row['value']))).data;
    },
    size() {
      const pages = numberOf(sql, 'PRAGMA page_count') - numberOf(sql, 'PRAGMA freelist_count');
      const oldest = sql('SELECT min(first_at) AS at FROM blocks').get()?.['at'];
      return {
        jobs: numberOf(sql, 'SELECT sum(jobs) FROM blocks'),
        // What a person saved is never removed to make room, so no job is removed for it either.
        usedBytes: pages * numberOf(sql, 'PRAGMA page_size') - numberOf(sql, 'SELECT sum(bytes) FROM saved_documents'),
        oldestSentAt: oldest === null || oldest === undefined ? null : Number(oldest),
      };
    },
  };
}
