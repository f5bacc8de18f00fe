/**
 * The store with a real SQLite file: committed writes last, a failing write does not affect others, and damage is
 * reported.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../test/support/core/fakes.ts';
import { jobRecord } from '../../../test/support/jobs/jobRecord.ts';
import type { JobRecord } from '../domain/jobs/jobFields.ts';
import { createJob } from '../domain/jobs/jobEntity.ts';
import { DataDamagedError, DataInUseError, openDatabase } from './sqlite/database.ts';
import { createGroupCommit } from './sqlite/groupCommit.ts';
import { createJobStore } from './repositories/jobs.ts';
import { createSealing } from './encryption/encryption.ts';
import { createTextFiles } from './payloads/payloadFiles.ts';
import { createUnreadable } from './encryption/unreadable.ts';

let dir: string;
let open: DatabaseSync[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-store-'));
  open = [];
});
afterEach(() => {
  for (const database of open) if (database.isOpen) database.close();
  rmSync(dir, { recursive: true });
});

const KEY = Buffer.alloc(32, 7);

function openStore(key: Uint8Array = KEY) {
  const database = openDatabase(dir);
  open.push(database);
  const commits = createGroupCommit(database, silentLogger);
  const sealing = createSealing(key);
  const files = createTextFiles(join(dir, 'blobs'), sealing, silentLogger);
  return {
    database,
    commits,
    files,
    store: createJobStore(database, commits, { sealing, lasting: sealing, unreadable: createUnreadable() }, files),
  };
}

const record = (seq: number, change: Partial<JobRecord> = {}): JobRecord =>
  jobRecord({ seq, id: `job-${seq}`, ...change });

const none = (): void => undefined;

describe('jobs', () => {
  test('a record comes back after a restart as it was committed', () => {
    const first = openStore();
    const job = createJob(record(first.store.nextSeq()), null);
    first.store.insert(job, '{"input":{"n":9007199254740993}}', false, none);
    Object.assign(job, { status: 'COMPLETED', workerId: 'w', ownWorker: true, startedAt: 10, finishedAt: 12 });
    Object.assign(job, {
      delayTime: 1,
      executionTime: 2,
      hasOutput: true,
      retries: 1,
      lost: 1,
      ttlMs: 99,
      queuedAt: 77,
      crashes: 1,
      rank: 0.5,
    });
    first.store.finish(job, '{"big":9007199254740993}', none);
    first.commits.flush();
    first.database.close();
    const { store } = openStore();
    const { seq } = job;
    expect([...store.load()]).toEqual([
      record(seq, {
        status: 'COMPLETED',
        workerId: 'w',
        ownWorker: true,
        startedAt: 10,
        finishedAt: 12,
        delayTime: 1,
        executionTime: 2,
        hasOutput: true,
        retries: 1,
        lost: 1,
        ttlMs: 99,
        queuedAt: 77,
        crashes: 1,
        rank: 0.5,
      }),
    ]);
    expect(store.body(seq)).toBe('{"input":{"n":9007199254740993}}');
    expect(store.output(seq)).toBe('{"big":9007199254740993}');
    expect(store.nextSeq()).toBe(seq + 1);
  });

  test('a write has the values of the moment it was asked for', () => {
    const { store, commits } = openStore();
    const job = createJob(record(store.nextSeq()), null);
    store.insert(job, '{}', false, none);
    commits.flush();
    job.status = 'IN_PROGRESS';
    store.update(job, none);
    job.status = 'FAILED';
    commits.flush();
    expect(store.reload(job.seq)?.status).toBe('IN_PROGRESS');
  });

  test('nothing is told before the commit, and one bad write does not fail its neighbours', () => {
    const { store, commits } = openStore();
    const outcomes: string[] = [];
    const tell = (name: string) => (error: unknown) => void outcomes.push(`${name} ${error ? 'failed' : 'stored'}`);
    store.insert(record(1), '{}', false, tell('first'));
    store.insert(record(1), '{}', false, tell('same again'));
    store.insert(record(2), '{}', false, tell('second'));
    expect(outcomes).toEqual([]);
    commits.flush();
    expect(outcomes).toEqual(['first stored', 'same again failed', 'second stored']);
    expect([...store.load()].map(({ seq }) => seq)).toEqual([1, 2]);
  });

  test('a start reads every record in the order of submission, however many there are', () => {
    const { store, commits } = openStore();
    const seqs = Array.from({ length: 10_000 }, (_, index) => index * 2 + 1);
    for (const seq of seqs.toReversed()) store.insert(record(seq), '{}', false, none);
    commits.flush();
    expect([...store.load()].map(({ seq }) => seq)).toEqual(seqs);
  });

  test('chunks come back in order, whether few or many were written together', () => {
    const { store, commits } = openStore();
    const numbered = (count: number, name: string): string[] => Array.from({ length: count }, (_, n) => `${name}:${n}`);
    const written = [1, 15, 16, 17, 100].map((count) => numbered(count, String(count)));
    for (const texts of written) store.appendChunks(1, texts, none);
    commits.flush();
    const all = written.flat();
    expect(store.chunks(1, 1, all.length, 1000)).toEqual(all.map((text, n) => ({ row: n + 1, text })));
  });

  test('chunks of jobs that arrive in turns come back in order, from where they were read', () => {
    const { store, commits } = openStore();
    for (const seq of [1, 2]) {
      store.insert(record(seq), '{}', false, none);
      store.update(record(seq, { chunksRead: seq }), none);
    }
    for (let index = 0; index < 4; index++)
      for (const seq of [1, 2]) store.appendChunks(seq, [`${seq}:${index}`], none);
    commits.flush();
    expect(store.loadChunkRows()).toEqual([
      { seq: 1, firstRow: 1, lastRow: 7, readRow: 3, total: 4 },
      { seq: 2, firstRow: 2, lastRow: 8, readRow: 6, total: 4 },
    ]);
    expect(store.chunks(2, 2, 8, 10).map(({ text }) => text)).toEqual(['2:0', '2:1', '2:2', '2:3']);
    store.remove(1, { firstRow: 1, lastRow: 7 }, none);
    commits.flush();
    expect(store.loadChunkRows().map(({ seq }) => seq)).toEqual([2]);
  });

  test('a sealed body is not on disk in plain text, and opens with its key only', () => {
    const { store, commits, database } = openStore();
    const body = '{"input":{},"s3Config":{"accessSecret":"very-secret-value"}}';
    store.insert(record(1), body, true, none);
    commits.flush();
    expect(store.body(1)).toBe(body);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    expect(readFileSync(join(dir, 'engine.db')).includes('very-secret-value')).toBe(false);
    expect(() => openStore(Buffer.alloc(32, 8)).store.body(1)).toThrow(/key is gone/);
  });
});

describe('the file', () => {
  test('a second owner is refused', () => {
    openStore();
    expect(() => openDatabase(dir)).toThrow(DataInUseError);
  });

  test('a damaged file is left as it is, and told', () => {
    openStore().database.close();
    const damaged = Buffer.from('this is not a database'.repeat(400));
    writeFileSync(join(dir, 'engine.db'), damaged);
    expect(() => openDatabase(dir)).toThrow(DataDamagedError);
    expect(readFileSync(join(dir, 'engine.db')).equals(damaged)).toBe(true);
  });

  test("a newer Hangar's file is refused", () => {
    const { database } = openStore();
    database.exec('PRAGMA user_version = 1000');
    database.close();
    expect(() => openDatabase(dir)).toThrow(/newer Hangar/);
  });
});
