/** Writes what the feed of an engine tells of its jobs into the ledger, many jobs in one transaction. */
import { randomUUID } from 'node:crypto';
import { isTerminal } from '#contract/api/job.ts';
import { metricsBeside, rawField, topLevelSpans } from '#contract/core/jsonScanner.ts';
import { jobFactNames, type JobFacts, type LedgerEntry } from '#contract/app/ledger.ts';
import { fromKeys } from '#contract/core/keysOf.ts';
import { jobNoteSchema, type JobNote } from '#contract/local/jobFeed.ts';
import type { Batch } from '../groupCommit.ts';
import { maskSecrets, withoutWebhook } from '../masking.ts';
import { hasEnded, type EntryPatch, type Recorded, type Recording } from '../port.ts';
import { previewOf } from '../preview.ts';
import type { Sql } from '../query.ts';
import type { AttemptRows } from '../rows/attempts.ts';
import type { EntryRows } from '../rows/entries.ts';
import { entryColumns, toEntry } from '../rows/jobs.ts';
import type { PayloadRows } from '../rows/payloads.ts';

export interface RecordingParts {
  sql: Sql;
  batch: Batch;
  entries: EntryRows;
  attempts: AttemptRows;
  payloads: PayloadRows;
  /** Tells listeners about an entry. */
  changed(entryId: string, seq: number): void;
}

/** About what a row needs beside its request and its output, bytes. */
const ROW_BYTES = 1000;

const REMOVED_EARLY =
  'The engine removed the job before it had ended: its time to live had passed, or its endpoint was deleted.';

/** The facts that a note has under the same name. */
type NotedName = keyof typeof jobNoteSchema.shape & keyof JobFacts;
const isNoted = (name: keyof JobFacts): name is NotedName => name in jobNoteSchema.shape;
const notedNames = jobFactNames.filter(isNoted);

function factsOf(note: JobNote, now: number): JobFacts {
  const { pricePerHour, ...noted } = fromKeys<Pick<JobNote, NotedName>>(notedNames, (name) => note[name]);
  const facts: JobFacts = {
    ...noted,
    // An engine that was started since the job took its worker does not know it any more.
    ...(pricePerHour !== null && { pricePerHour }),
    queuedAt: note.queuedAt > note.submittedAt ? note.queuedAt : null,
  };
  if (note.status === 'CANCELLED' && note.startedAt === null) {
    // Of a job that no worker had, the reason why it waited is all there is to know.
    const { waiting: _now, ...others } = facts;
    return others;
  }
  if (!note.removed || isTerminal(note.status)) return facts;
  return { ...facts, status: 'GONE', error: REMOVED_EARLY, waiting: null, finishedAt: now };
}

/** What the ledger stores of a request that a program sent; '' for none. */
const storedBody = (request: string): string => (request === '' ? '' : maskSecrets(withoutWebhook(request)));

/** A job that the ledger already has. */
interface Known {
  seq: number;
  entry: LedgerEntry;
  /** Whether only the feed of an engine reports it: no reader of this app follows it. */
  byFeed: boolean;
}

const UNFINISHED_BY_FEED = "e.by_feed = 1 AND e.status IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS')";

/** The entries that have not ended and that only a feed reports. */
function createFeedQueries({
  sql,
  entries,
}: RecordingParts): Pick<Recording, 'findByFeed' | 'unfinishedByFeed' | 'queuedByFeed'> {
  return {
    findByFeed: (entryId) => entries.where(`e.entry_id = ? AND ${UNFINISHED_BY_FEED}`, entryId)[0],
    unfinishedByFeed: (accountId) => entries.where(`e.account_id = ? AND ${UNFINISHED_BY_FEED}`, accountId),
    queuedByFeed: (accountId, limit) =>
      sql(
        `SELECT ${entryColumns} FROM entries e
           WHERE e.status = 'IN_QUEUE' AND e.account_id = ? AND e.by_feed = 1 ORDER BY e.seq DESC LIMIT ?`,
      )
        .all(accountId, limit)
        .map(toEntry),
  };
}

/** Writes the chunks that are read while somebody watches their job. */
function createReadChunks({
  sql,
  batch,
  entries,
  payloads,
  changed,
}: RecordingParts): Pick<Recording, 'addReadChunks'> {
  return {
    addReadChunks(entryId, { retries, index, at, texts, metrics }) {
      const seq = entries.seqOf(entryId);
      const entry = entries.find(entryId);
      const row = sql('SELECT by_feed FROM entries WHERE seq = ?').get(seq);
      if (!entry || row?.['by_feed'] !== 1 || entry.retries !== retries) return false;
      const stored = Math.max(0, entry.chunkCount - index);
      if (stored >= texts.length) return true;
      batch.write(() => payloads.append(seq, entry.chunkCount, at, texts.slice(stored), metrics.slice(stored)));
      changed(entryId, seq);
      return true;
    },
  };
}

/** Writes texts that were too large for the feed, and were read on their own. */
function createAddTexts({ batch, entries, payloads, changed }: RecordingParts): Pick<Recording, 'addTexts'> {
  return {
    addTexts(entryId, body, output) {
      const seq = entries.seqOf(entryId);
      if (seq === -1) return;
      batch.write(() => {
        if (body !== null) {
          const stored = storedBody(body);
          entries.setBody(seq, stored);
          entries.update(entryId, { preview: previewOf(stored) });
        }
        if (output !== null) {
          payloads.setOutput(seq, output);
          entries.setSearchedOutput(seq, output);
        }
      });
      changed(entryId, seq);
    },
  };
}

export function createRecording(parts: RecordingParts): Recording {
  const { sql, batch, entries, attempts, payloads, changed } = parts;

  function findKnown(accountId: string, jobId: string): Known | null {
    const row = sql(
      `SELECT e.seq AS seq, e.by_feed AS byFeed, ${entryColumns} FROM entries e
         WHERE e.job_id = ? AND e.account_id = ? ORDER BY e.seq DESC LIMIT 1`,
    ).get(jobId, accountId);
    if (!row) return null;
    const { seq, byFeed, ...fields } = row;
    return { seq: Number(seq), byFeed: byFeed === 1, entry: toEntry(fields) };
  }

  const setByFeed = (seq: number): void => void sql('UPDATE entries SET by_feed = 1 WHERE seq = ?').run(seq);

  /** Writes the end of a job: its output, and its chunks after those that a reader wrote while somebody watched. */
  function writeEnd(seq: number, entryId: string, chunkCount: number, note: JobNote): void {
    const { chunks, chunkTotal, output, finishedAt, submittedAt } = note;
    const missing = chunks.slice(chunkCount);
    if (missing.length > 0) {
      const texts = missing.map((chunk) => rawField(chunk, 'output') ?? chunk);
      payloads.append(seq, chunkCount, finishedAt ?? submittedAt, texts, missing.map(metricsBeside));
    }
    if (chunkCount + missing.length < chunkTotal) entries.update(entryId, { chunkGap: 'cut' });
    if (note.removed && note.status === 'COMPLETED') entries.update(entryId, { chunkGap: 'unread' });
    if (output !== null) payloads.setOutput(seq, output);
    if (output !== null || chunks.length > 0) entries.setSearchedOutput(seq, output ?? payloads.chunkText(seq));
  }

  /** Adds a job that the ledger does not have yet. */
  function add(account: Parameters<Recording['record']>[0], note: JobNote, now: number): Known {
    const { own, client, keyName } = note.sender;
    const request = note.body ?? '';
    const body = storedBody(request);
    const entry = {
      entryId: randomUUID(),
      ...account,
      endpointId: note.endpointId,
      endpointName: note.endpointName,
      mode: note.sync ? 'runsync' : 'run',
      source: own ? 'window' : 'api',
      client,
      keyName,
      preview: previewOf(body),
      sentAt: note.submittedAt,
    } as const;
    const seq = entries.add(entry, body, note.bodyBytes ?? 0);
    setByFeed(seq);
    if (request !== '' && topLevelSpans(request).has('webhook'))
      sql("UPDATE entries SET webhook = 'asked' WHERE seq = ?").run(seq);
    const facts: EntryPatch = { ...factsOf(note, now), jobId: note.id, retries: note.retries };
    const written = entries.update(entry.entryId, facts);
    if (hasEnded(written)) writeEnd(seq, entry.entryId, 0, note);
    return { seq, entry: written, byFeed: true };
  }

  /** Returns whether the entry has changed. */
  function update({ seq, entry, byFeed }: Known, note: JobNote, now: number): boolean {
    const isNextAttempt = note.retries > entry.retries;
    // A reader of this app follows the job, and writes its chunks as well.
    if (!byFeed && !(hasEnded(entry) && isNextAttempt)) return false;
    if (hasEnded(entry) && !isNextAttempt) return false;
    let { chunkCount } = entry;
    if (isNextAttempt) {
      attempts.add(seq, entry, hasEnded(entry) ? 'retried' : 'lost', note.queuedAt);
      payloads.dropAll(seq);
      // The end of this attempt is a delivery of its own.
      sql("UPDATE entries SET webhook = 'asked' WHERE seq = ? AND webhook = 'told'").run(seq);
      chunkCount = 0;
      setByFeed(seq);
    }
    const facts = { ...factsOf(note, now), retries: note.retries };
    const written = entries.update(entry.entryId, facts);
    if (hasEnded(written)) writeEnd(seq, entry.entryId, chunkCount, note);
    return true;
  }

  return {
    record(account, notes, now) {
      const result: Recorded = { bytes: 0, large: [], awaitWebhooks: [] };
      const touched: [entryId: string, seq: number][] = [];
      batch.write(() => {
        for (const note of notes) {
          const before = findKnown(account.accountId, note.id);
          const isChanged = before === null || update(before, note, now);
          if (!isChanged) continue;
          const { seq, entry } = before ?? add(account, note, now);
          touched.push([entry.entryId, seq]);
          result.bytes += (note.body?.length ?? 0) + (note.output?.length ?? 0) + ROW_BYTES;
          const lacksBody = before === null && note.body === null && note.bodyBytes !== null;
          const lacksOutput = isTerminal(note.status) && note.output === null && note.outputBytes !== null;
          if (lacksBody || lacksOutput) result.large.push({ entryId: entry.entryId, note, lacksBody, lacksOutput });
        }
      });
      for (const [entryId, seq] of touched) {
        changed(entryId, seq);
        const entry = entries.entry(entryId);
        const row = sql('SELECT webhook FROM entries WHERE seq = ?').get(seq);
        if (row?.['webhook'] === 'asked' && hasEnded(entry)) result.awaitWebhooks.push(entry);
      }
      return result;
    },
    ...createAddTexts(parts),
    ...createReadChunks(parts),
    ...createFeedQueries(parts),
  };
}
