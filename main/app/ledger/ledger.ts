/** The ledger: every job sent from here with its input, chunks and output, in SQLite, with change events. */
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import type { LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import { redact } from '../platform/redaction.ts';
import { createBatch } from './groupCommit.ts';
import { findLost } from './chunkGaps.ts';
import { copyAtStop } from './backup.ts';
import { hasEnded, type EntryPatch, type Ledger } from './port.ts';
import { maskSecrets } from './masking.ts';
import { blocksOf, pageOf } from './query.ts';
import { openOrRecover } from './recovery.ts';
import { createRequestRows } from './rows/requests.ts';
import { assignments, columns, entryColumns, toEntry } from './rows/jobs.ts';
import { createSearches, walk } from './search.ts';
import { createWebhookRows } from './rows/webhooks.ts';

export { LedgerInUseError, LedgerUnreadableError } from './database.ts';
export { hasEnded, type Ledger, type NewEntry } from './port.ts';

/** Of longer texts only the beginning is searched. */
const searched = (text: string): string => text.slice(0, limits.ledger.searchedLength).toLowerCase();
/** Pages of the file that are given back to the disk at once: few enough not to be felt. */
const GIVEN_BACK = 2000;
/** Most characters of chunks in one read, whatever their number. */
const CHUNK_READ_LENGTH = 4_000_000;

const head = ({ jobId, endpointName, error }: Pick<LedgerEntry, 'jobId' | 'endpointName' | 'error'>): string =>
  [jobId, endpointName, error].filter(Boolean).join('\n').toLowerCase();

/** `version`: of this Hangar, so that an older one can say what has written the file. */
export function createLedger(path: string, logger: Logger, version: string): Ledger {
  const { db, notice } = openOrRecover(path, version);
  const batch = createBatch(db, logger);
  const listeners = new Set<(entryId: string) => void>();
  const prepared = new Map<string, StatementSync>();

  function sql(text: string): StatementSync {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = db.prepare(text)));
    return statement;
  }
  const number = (text: string, ...values: SQLInputValue[]): number =>
    Number(Object.values(sql(text).get(...values) ?? {})[0] ?? 0);
  const entriesBy = (where: string, ...values: SQLInputValue[]): LedgerEntry[] =>
    sql(`SELECT ${entryColumns} FROM entries e WHERE ${where} ORDER BY e.seq`)
      .all(...values)
      .map(toEntry);

  function find(entryId: string): LedgerEntry | undefined {
    const row = sql(`SELECT ${entryColumns} FROM entries e WHERE e.entry_id = ?`).get(entryId);
    return row && toEntry(row);
  }

  function entry(entryId: string): LedgerEntry {
    const match = find(entryId);
    if (match) return match;
    throw new AppError('NOT_FOUND', 'This job is not in the ledger. It may have been removed in another window.');
  }

  const seqOf = (entryId: string): number => {
    const row = sql('SELECT seq FROM entries WHERE entry_id = ?').get(entryId);
    return row ? Number(row['seq']) : -1;
  };

  const searches = createSearches(
    sql,
    () => number('SELECT max(seq) FROM entries'),
    () => performance.now(),
  );
  const notify = (entryId: string): void => {
    for (const listener of listeners) listener(entryId);
  };
  const changed = (entryId: string): void => {
    searches.changed(seqOf(entryId));
    notify(entryId);
  };
  const requestRows = createRequestRows(sql);
  const webhookRows = createWebhookRows(sql);

  const output = (entryId: string): string | null => {
    const row = sql('SELECT text FROM outputs WHERE seq = ?').get(seqOf(entryId));
    return row ? String(row['text']) : null;
  };

  /** What a service says of a job may repeat the key that it was sent with. */
  function write(entryId: string, patch: EntryPatch): LedgerEntry {
    const { set, values } = assignments(patch.error ? { ...patch, error: redact(patch.error) } : patch);
    if (set !== '') db.prepare(`UPDATE entries SET ${set} WHERE entry_id = ?`).run(...values, entryId);
    const now = entry(entryId);
    if (patch.jobId !== undefined || patch.error !== undefined) {
      sql('UPDATE search SET head = ? WHERE seq = ?').run(head(now), seqOf(entryId));
    }
    return now;
  }

  /** The beginning of what was streamed. */
  function chunkText(entryId: string): string {
    let text = '';
    for (const row of sql('SELECT text FROM chunks WHERE seq = ? ORDER BY idx').iterate(seqOf(entryId))) {
      text += `${String(row['text'])}\n`;
      if (text.length >= limits.ledger.searchedLength) break;
    }
    return text;
  }

  /** Restores lost chunks from the output, where the output lists them. */
  function closeGap(entryId: string, text: string | null, at: number): void {
    const seq = seqOf(entryId);
    const rows = sql('SELECT at, text FROM chunks WHERE seq = ? ORDER BY idx').all(seq);
    const finding = findLost(
      rows.map((row) => String(row['text'])),
      text,
    );
    if (finding.kind === 'unknown') return;
    write(entryId, { chunkGap: finding.kind === 'lost' ? 'filled' : null });
    if (finding.kind === 'none') return;
    sql('DELETE FROM chunks WHERE seq = ?').run(seq);
    const insert = sql('INSERT INTO chunks (seq, idx, at, text) VALUES (?, ?, ?, ?)');
    let bytes = 0;
    for (const [index, { text: chunk, receivedIndex }] of finding.whole.entries()) {
      insert.run(seq, index, receivedIndex === null ? at : Number(rows[receivedIndex]?.['at']), chunk);
      bytes += Buffer.byteLength(chunk);
    }
    sql('UPDATE entries SET chunk_count = ?, output_bytes = ? WHERE seq = ?').run(finding.whole.length, bytes, seq);
  }

  function remove(seqs: readonly number[]): void {
    batch.write(() => {
      for (const seq of seqs) {
        sql('DELETE FROM entries WHERE seq = ?').run(seq);
        searches.changed(seq);
      }
    });
    batch.flush();
    db.exec(`PRAGMA incremental_vacuum(${GIVEN_BACK})`);
  }

  return {
    notice,
    add(added, body) {
      const masked = maskSecrets(body);
      batch.write(() => {
        const fresh = { ...added, status: 'SENDING' as const, inputBytes: Buffer.byteLength(body) };
        const keys = Object.keys(fresh) as (keyof typeof fresh)[];
        const { lastInsertRowid: seq } = db
          .prepare(
            `INSERT INTO entries (${keys.map((key) => columns[key]).join(', ')}) VALUES (${keys.map(() => '?').join(', ')})`,
          )
          .run(...keys.map((key) => fresh[key]));
        sql('INSERT INTO bodies (seq, text) VALUES (?, ?)').run(seq, masked);
        sql('INSERT INTO search (seq, head, body) VALUES (?, ?, ?)').run(
          seq,
          head({ ...added, jobId: null, error: null }),
          searched(masked),
        );
        if (topLevelSpans(masked).has('webhook')) webhookRows.ask(Number(seq));
      });
      batch.flush();
      changed(added.entryId);
      return entry(added.entryId);
    },
    update(entryId, patch) {
      const now = batch.write(() => write(entryId, patch));
      changed(entryId);
      return now;
    },
    appendChunks(entryId, at, texts) {
      if (texts.length === 0) return Promise.resolve();
      batch.write(() => {
        const { chunkCount } = entry(entryId);
        const seq = seqOf(entryId);
        const insert = sql('INSERT INTO chunks (seq, idx, at, text) VALUES (?, ?, ?, ?)');
        let bytes = 0;
        for (const [i, text] of texts.entries()) {
          insert.run(seq, chunkCount + i, at, text);
          bytes += Buffer.byteLength(text);
        }
        const grow = sql(
          'UPDATE entries SET chunk_count = chunk_count + ?, output_bytes = output_bytes + ? WHERE seq = ?',
        );
        grow.run(texts.length, bytes, seq);
      });
      changed(entryId);
      return batch.committed();
    },
    restart(entryId, retries) {
      const now = batch.write(() => {
        sql('DELETE FROM chunks WHERE seq = ?').run(seqOf(entryId));
        sql(
          'UPDATE entries SET retries = ?, chunk_count = 0, output_bytes = 0, chunk_gap = NULL WHERE entry_id = ?',
        ).run(retries, entryId);
        return entry(entryId);
      });
      changed(entryId);
      return now;
    },
    finish(entryId, patch, text, mayHaveGap = false) {
      batch.write(() => {
        if (mayHaveGap) closeGap(entryId, text, patch.finishedAt ?? Date.now());
        if (text !== null) {
          const seq = seqOf(entryId);
          sql('INSERT OR REPLACE INTO outputs (seq, text) VALUES (?, ?)').run(seq, text);
          sql('UPDATE entries SET output_bytes = output_bytes + ? WHERE seq = ?').run(Buffer.byteLength(text), seq);
        }
        sql('UPDATE search SET output = ? WHERE seq = ?').run(searched(text ?? chunkText(entryId)), seqOf(entryId));
        write(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },

    find,
    entry,
    detail(entryId) {
      const row = sql('SELECT text FROM bodies WHERE seq = ?').get(seqOf(entryId));
      return { entry: entry(entryId), body: row ? String(row['text']) : '', output: output(entryId) };
    },
    output,
    chunks(entryId, from, limit) {
      const chunks: LedgerChunk[] = [];
      let length = 0;
      const rows = sql('SELECT idx, at, text FROM chunks WHERE seq = ? AND idx >= ? ORDER BY idx LIMIT ?');
      for (const row of rows.iterate(seqOf(entryId), from, limit)) {
        const chunk = { index: Number(row['idx']), at: Number(row['at']), text: String(row['text']) };
        chunks.push(chunk);
        length += chunk.text.length;
        if (length >= CHUNK_READ_LENGTH) break;
      }
      return chunks;
    },
    list(filter, offset, limit) {
      const total = number('SELECT sum(jobs) FROM blocks');
      if (filter.text?.trim()) {
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
    walk: (filter, below) => walk(sql, filter, below),
    unfinished: () => entriesBy("e.status IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS')"),
    giveUp(entryId, patch) {
      batch.write(() => {
        sql('UPDATE entries SET unfollowed = status WHERE entry_id = ?').run(entryId);
        write(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },
    takeUp(accountId) {
      const unfollowed = entriesBy('e.unfollowed IS NOT NULL AND e.account_id = ?', accountId);
      batch.write(() => {
        for (const { entryId } of unfollowed) {
          sql(
            'UPDATE entries SET status = unfollowed, unfollowed = NULL, finished_at = NULL, error = NULL WHERE entry_id = ?',
          ).run(entryId);
          write(entryId, { error: null });
        }
      });
      for (const { entryId } of unfollowed) changed(entryId);
      return unfollowed.map(({ entryId }) => entry(entryId));
    },

    noteRequest(entryId, request) {
      const seq = seqOf(entryId);
      if (seq !== -1) batch.write(() => requestRows.note(seq, request));
    },
    requests: (entryId) => requestRows.of(seqOf(entryId)),
    noteWebhooks(entryId, webhooks, isLast) {
      const seq = seqOf(entryId);
      if (seq === -1) return;
      batch.write(() => webhookRows.note(seq, webhooks, isLast));
      notify(entryId);
    },
    webhooks: (entryId) => webhookRows.of(seqOf(entryId)),
    awaitsWebhooks: (entryId) => webhookRows.isPending(seqOf(entryId)),
    awaitingWebhooks: () => entriesBy("e.webhook = 'asked'").filter(hasEnded),

    forget(entryIds) {
      const seqs = [...new Set(entryIds)].flatMap((entryId) => {
        const match = find(entryId);
        return match && hasEnded(match) ? [seqOf(entryId)] : [];
      });
      remove(seqs);
      for (const entryId of entryIds) notify(entryId);
      return seqs.length;
    },
    prune(finishedBefore, most) {
      const rows = sql(
        `SELECT seq, entry_id FROM entries WHERE finished_at IS NOT NULL AND finished_at < ?
           AND status NOT IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS') ORDER BY finished_at LIMIT ?`,
      ).all(finishedBefore ?? Number.MAX_VALUE, most);
      if (rows.length === 0) return 0;
      remove(rows.map((row) => Number(row['seq'])));
      for (const row of rows) notify(String(row['entry_id']));
      return rows.length;
    },
    size() {
      const pages = number('PRAGMA page_count') - number('PRAGMA freelist_count');
      const oldest = sql('SELECT min(first_at) AS at FROM blocks').get()?.['at'];
      return {
        jobs: number('SELECT sum(jobs) FROM blocks'),
        usedBytes: pages * number('PRAGMA page_size'),
        oldestSentAt: oldest === null || oldest === undefined ? null : Number(oldest),
      };
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    meta(key, schema) {
      const row = sql('SELECT value FROM meta WHERE key = ?').get(key);
      return row && schema.safeParse(JSON.parse(String(row['value']))).data;
    },
    setMeta(key, value) {
      batch.write(() => sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, JSON.stringify(value)));
      batch.flush();
    },

    stop() {
      batch.flush();
      db.close();
      copyAtStop(path);
    },
  };
}
