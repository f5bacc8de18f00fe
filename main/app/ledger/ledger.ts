/** The ledger: every job sent from here with its input, chunks and output, in SQLite, with change events. */
import { backup, type DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { parseJsonOrNull, topLevelSpans } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import { copyAtStop } from './backup.ts';
import { createBatch, type Batch } from './groupCommit.ts';
import { maskSecrets } from './masking.ts';
import { hasEnded, type Ledger } from './port.ts';
import { previewOf } from './preview.ts';
import { blocksOf, createSql, pageOf, type Sql } from './query.ts';
import { createRecording } from './recording.ts';
import { openOrRecover } from './recovery.ts';
import { createEntryRows, type EntryRows } from './rows/entries.ts';
import { entryColumns, toEntry } from './rows/jobs.ts';
import { createAttention } from './rows/attention.ts';
import { createAttemptRows, NOT_STARTED, type AttemptRows } from './rows/attempts.ts';
import { createBatchRows } from './rows/batches.ts';
import { createEndpointMetrics } from './rows/endpointMetrics.ts';
import { createPayloadRows, type PayloadRows } from './rows/payloads.ts';
import { createAutoStopRows } from './rows/autoStops.ts';
import { createResourceNameRows } from './rows/resourceNames.ts';
import { createPriceAlertRows } from './rows/priceAlerts.ts';
import { createPriceRows } from './rows/prices.ts';
import { createRequestRows } from './rows/requests.ts';
import { createSavedRows } from './rows/saved.ts';
import { createSummaries } from './rows/summary.ts';
import { createWebhookRows, type WebhookRows } from './rows/webhooks.ts';
import { createSearches, isSearched, walk, type Searches } from './search.ts';

export { LedgerInUseError, LedgerUnreadableError } from './database.ts';
export { hasEnded, type Ledger, type NewEntry } from './port.ts';

/** Most pages that one removal returns to the disk, so that it does not block for long. */
const VACUUMED_PAGES = 2000;
/** Pages in one step of a snapshot: between the steps the app goes on. */
const SNAPSHOT_PAGES = 500;

interface Parts {
  db: DatabaseSync;
  sql: Sql;
  batch: Batch;
  entries: EntryRows;
  attempts: AttemptRows;
  payloads: PayloadRows;
  webhookRows: WebhookRows;
  searches: Searches;
  /** Calls the listeners. */
  notify: (entryId: string) => void;
  /** Searches and counts check the entry again. */
  touched: (seq: number) => void;
  /** Calls the listeners, and searches and counts check the entry again. */
  changed: (entryId: string, seq?: number) => void;
}

/** The number in the first column of the first row; 0 if there is no row. */
const numberOf = (sql: Sql, text: string, ...values: SQLInputValue[]): number =>
  Number(Object.values(sql(text).get(...values) ?? {})[0] ?? 0);

type Writes = Pick<
  Ledger,
  'add' | 'update' | 'appendChunks' | 'restart' | 'retried' | 'tag' | 'finish' | 'giveUp' | 'takeUp' | 'setMeta'
>;

function createWrites({ sql, batch, entries, attempts, payloads, webhookRows, changed }: Parts): Writes {
  return {
    add(added, body) {
      const masked = maskSecrets(body);
      batch.write(() => {
        const seq = entries.add({ preview: previewOf(masked), ...added }, masked, Buffer.byteLength(body));
        if (topLevelSpans(masked).has('webhook')) webhookRows.ask(seq);
      });
      batch.flush();
      changed(added.entryId);
      return entries.entry(added.entryId);
    },
    update(entryId, patch) {
      const now = batch.write(() => entries.update(entryId, patch));
      changed(entryId);
      return now;
    },
    appendChunks(entryId, at, texts, metrics) {
      if (texts.length === 0) return Promise.resolve();
      batch.write(() => {
        const { chunkCount } = entries.entry(entryId);
        payloads.append(entries.seqOf(entryId), chunkCount, at, texts, metrics);
      });
      changed(entryId);
      return batch.committed();
    },
    restart(entryId, retries) {
      const now = batch.write(() => {
        const seq = entries.seqOf(entryId);
        const lost = entries.entry(entryId);
        // Only its end is known of an attempt that was over before its start was reported.
        attempts.add(seq, lost, 'lost', Date.now());
        payloads.dropAll(seq);
        return entries.update(entryId, { ...NOT_STARTED, retries });
      });
      changed(entryId);
      return now;
    },
    retried(entryId, at) {
      const now = batch.write(() => {
        const seq = entries.seqOf(entryId);
        const before = entries.entry(entryId);
        attempts.add(seq, before, 'retried-here', at);
        payloads.dropAll(seq);
        sql('UPDATE entries SET by_feed = 0 WHERE seq = ?').run(seq);
        return entries.update(entryId, {
          ...NOT_STARTED,
          status: 'IN_QUEUE',
          retries: before.retries + 1,
          queuedAt: at,
          finishedAt: null,
          error: null,
          waiting: null,
          trouble: null,
          chunkGap: null,
        });
      });
      batch.flush();
      changed(entryId);
      return now;
    },
    tag(entryIds, tags, change) {
      const known = entryIds.flatMap((entryId) => entries.find(entryId) ?? []);
      batch.write(() => {
        for (const { entryId, tags: before } of known) {
          const others = before.filter((tag) => !tags.includes(tag));
          const after = change === 'add' ? [...others, ...tags].slice(-limits.ledger.tags) : others;
          entries.update(entryId, { tags: after });
        }
      });
      batch.flush();
      for (const { entryId } of known) changed(entryId);
      return known.length;
    },
    finish(entryId, patch, output, mayHaveGap = false) {
      batch.write(() => {
        const seq = entries.seqOf(entryId);
        if (mayHaveGap) {
          const result = payloads.restoreLost(seq, output, patch.finishedAt ?? Date.now());
          if (result !== 'unknown') entries.update(entryId, { chunkGap: result === 'restored' ? 'filled' : null });
        }
        if (output !== null) payloads.setOutput(seq, output);
        entries.setSearchedOutput(seq, output ?? payloads.chunkText(seq));
        entries.update(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },
    giveUp(entryId, patch) {
      batch.write(() => {
        sql('UPDATE entries SET unfollowed = status WHERE entry_id = ?').run(entryId);
        entries.update(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },
    takeUp(accountId) {
      const unfollowed = entries.where('e.unfollowed IS NOT NULL AND e.account_id = ?', accountId);
      batch.write(() => {
        for (const { entryId } of unfollowed) {
          sql(
            'UPDATE entries SET status = unfollowed, unfollowed = NULL, finished_at = NULL, error = NULL WHERE entry_id = ?',
          ).run(entryId);
          entries.update(entryId, { error: null });
        }
      });
      for (const { entryId } of unfollowed) changed(entryId);
      return unfollowed.map(({ entryId }) => entries.entry(entryId));
    },
    setMeta(key, value) {
      batch.write(() => sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, JSON.stringify(value)));
      batch.flush();
    },
  };
}

type Reads = Pick<
  Ledger,
  | 'find'
  | 'findJob'
  | 'entry'
  | 'detail'
  | 'body'
  | 'attempts'
  | 'output'
  | 'outputSize'
  | 'chunks'
  | 'list'
  | 'tags'
  | 'walk'
  | 'unfinished'
  | 'size'
  | 'meta'
>;

function createReads({ sql, entries, attempts, payloads, searches }: Parts): Reads {
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
    walk: (filter, below) => walk(sql, filter, below),
    unfinished: () => entries.where("e.status IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS') AND e.by_feed = 0"),
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

type ServiceNotes = Pick<
  Ledger,
  'noteRequest' | 'requests' | 'noteWebhooks' | 'webhooks' | 'awaitsWebhooks' | 'awaitWebhooks' | 'awaitingWebhooks'
>;

/** The requests to the service about a job, and the reported calls of its webhooks. */
function createServiceNotes({ sql, batch, entries, webhookRows, notify }: Parts): ServiceNotes {
  const requestRows = createRequestRows(sql);
  const { seqOf } = entries;
  return {
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
    awaitWebhooks: (entryId) => batch.write(() => webhookRows.ask(seqOf(entryId))),
    awaitingWebhooks: () => entries.where("e.webhook = 'asked'").filter(hasEnded),
  };
}

function createRemovals({ db, sql, batch, entries, touched, notify }: Parts): Pick<Ledger, 'forget' | 'prune'> {
  function remove(seqs: readonly number[]): void {
    batch.write(() => {
      for (const seq of seqs) {
        entries.remove(seq);
        touched(seq);
      }
    });
    batch.flush();
    db.exec(`PRAGMA incremental_vacuum(${VACUUMED_PAGES})`);
  }

  return {
    forget(entryIds) {
      const seqs = [...new Set(entryIds)].flatMap((entryId) => {
        const match = entries.find(entryId);
        return match && hasEnded(match) ? [entries.seqOf(entryId)] : [];
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
  };
}

/**
 * `version`: the version of this Hangar; an older Hangar names it if it cannot read the file. Throws LedgerInUseError
 * if another process has the file open, and LedgerUnreadableError if this version cannot use it.
 */
export function createLedger(path: string, logger: Logger, version: string): Ledger {
  const { db, notice } = openOrRecover(path, version, (error) =>
    logger.warn({ err: error, version }, 'the ledger could not be copied before the first start of this version'),
  );
  const batch = createBatch(db, logger);
  const sql = createSql(db);
  const entries = createEntryRows(sql);
  const now = () => performance.now();
  const searches = createSearches(sql, () => numberOf(sql, 'SELECT max(seq) FROM entries'), now);
  const attention = createAttention(sql, now);
  const endpointMetrics = createEndpointMetrics(sql, now);
  const listeners = new Set<(entryId: string) => void>();
  const notify = (entryId: string): void => {
    for (const listener of listeners) listener(entryId);
  };
  const touched = (seq: number): void => {
    searches.changed(seq);
    attention.changed(seq);
    endpointMetrics.changed(seq);
  };
  const parts: Parts = {
    db,
    sql,
    batch,
    entries,
    attempts: createAttemptRows(sql),
    payloads: createPayloadRows(sql),
    webhookRows: createWebhookRows(sql),
    searches,
    notify,
    touched,
    changed(entryId, seq = entries.seqOf(entryId)) {
      touched(seq);
      notify(entryId);
    },
  };

  return {
    notice,
    batches: createBatchRows(sql, batch),
    prices: createPriceRows(sql, batch),
    priceAlerts: createPriceAlertRows(sql, batch),
    autoStops: createAutoStopRows(sql, batch),
    resourceNames: createResourceNameRows(sql, batch),
    saved: createSavedRows(sql, batch),
    ...createWrites(parts),
    ...createReads(parts),
    ...createSummaries(sql),
    toAttend: attention.count,
    endpointMetrics: endpointMetrics.read,
    ...createServiceNotes(parts),
    ...createRemovals(parts),
    ...createRecording(parts),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async snapshot(file) {
      if (path === ':memory:') return false;
      batch.flush();
      await backup(db, file, { rate: SNAPSHOT_PAGES });
      return true;
    },
    stop() {
      batch.flush();
      db.close();
      const problem = copyAtStop(path);
      if (problem !== null) logger.warn({ err: problem }, 'the ledger could not be copied; the earlier copy stays');
    },
  };
}
