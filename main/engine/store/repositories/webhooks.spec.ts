/** Webhook deliveries on a real SQLite file, and the files that they share with their jobs. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import type { StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import type { WebhookRecord } from '../../domain/webhooks/delivery.ts';
import { openDatabase } from '../sqlite/database.ts';
import { createGroupCommit } from '../sqlite/groupCommit.ts';
import { createSealing } from '../encryption/encryption.ts';
import { createTextFiles } from '../payloads/payloadFiles.ts';
import { createUnreadable } from '../encryption/unreadable.ts';
import { createDamagedRecords } from './damagedRecords.ts';
import { createWebhookStore } from './webhooks.ts';

let dir: string;
let open: DatabaseSync[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-webhooks-'));
  open = [];
});
afterEach(() => {
  for (const database of open) if (database.isOpen) database.close();
  rmSync(dir, { recursive: true });
});

const none = (): void => undefined;

function openStore() {
  const database = openDatabase(dir);
  open.push(database);
  const commits = createGroupCommit(database, silentLogger);
  const lasting = createSealing(Buffer.alloc(32, 7));
  const files = createTextFiles(join(dir, 'blobs'), lasting, silentLogger);
  const store = createWebhookStore(database, commits, files, {
    lasting,
    unreadable: createUnreadable(),
    damaged: createDamagedRecords(silentLogger),
  });

  /** A file with these characters and one reference, as the body thread creates it. */
  function written(text: string): StoredText {
    const file = files.newName();
    mkdirSync(dirname(files.pathOf(file)), { recursive: true });
    writeFileSync(files.pathOf(file), text);
    return { file, bytes: text.length, sealed: false, part: { start: 0, end: text.length }, input: null };
  }
  const isThere = async ({ file }: StoredText): Promise<boolean> => {
    await files.settled();
    return existsSync(files.pathOf(file));
  };
  return { database, commits, files, store, written, isThere };
}

const record = (seq: number, change: Partial<WebhookRecord> = {}): WebhookRecord => ({
  seq,
  id: `whd_${seq}_0`,
  jobId: `job-${seq}`,
  endpointId: 'ep',
  url: 'http://me:pw@x/',
  jobStatus: 'FAILED',
  createdAt: 5,
  state: 'pending',
  nextAttemptAt: 6,
  finishedAt: null,
  tries: 0,
  payloadLength: 9,
  attempts: [],
  ...change,
});

test('a delivery comes back after a restart as it was committed, with what it sends', () => {
  const first = openStore();
  const stored = first.written('in a file');
  const sent = ['{"input":', { ...stored, part: { start: 3, end: 9 } }, ',"output":', stored, '}'];
  const one = record(first.store.nextSeq());
  first.commits.write(first.store.inserting(one, sent).write, none);
  const attempts = [{ at: 7, tookMs: 8, status: null, error: 'why' }];
  const two = record(first.store.nextSeq(), { payloadLength: 4 });
  first.commits.write(first.store.inserting(two, ['text']).write, none);
  const ended = { state: 'failed', nextAttemptAt: null, finishedAt: 11, tries: 3, attempts } as const;
  first.store.update({ ...two, ...ended }, none);
  first.commits.flush();
  first.database.close();

  const { store } = openStore();
  expect(store.loadPending()).toEqual([one]);
  expect(store.loadEnded()).toEqual([{ seq: two.seq, finishedAt: 11, payloadLength: 4 }]);
  expect(store.find(two.seq)).toEqual({ ...two, ...ended });
  expect(store.payload(one.seq)).toEqual(sent);
  expect(store.payload(two.seq)).toEqual(['text']);
  expect(store.nextSeq()).toBe(two.seq + 1);
});

test('a file stays until neither the job nor a delivery refers to it, also over a restart', async () => {
  const { database, commits, store, files, written, isThere } = openStore();
  const stored = written('x');
  commits.write(store.inserting(record(1), [stored]).write, none);
  commits.write(store.inserting(record(2), [stored]).write, none);
  commits.flush();
  // The reference of the job.
  files.remove(stored.file);
  expect(await isThere(stored)).toBe(true);
  store.dropPayloads([1], none);
  commits.flush();
  expect(await isThere(stored)).toBe(true);
  expect([store.payload(1), store.find(1)?.payloadLength]).toEqual([null, 0]);
  database.close();

  const again = openStore();
  await again.files.sweep();
  expect(await again.isThere(stored)).toBe(true);
  again.store.remove([1, 2], none);
  again.commits.flush();
  expect(await again.isThere(stored)).toBe(false);
  expect(again.store.list({})).toEqual([]);
});

test('a delivery that could not be committed lets go of its files', async () => {
  const { commits, store, files, written, isThere } = openStore();
  const stored = written('x');
  commits.write(store.inserting(record(1), ['text']).write, none);
  const twice = store.inserting(record(1), [stored]);
  commits.write(twice.write, (error) => {
    if (error) twice.failed(error);
  });
  commits.flush();
  expect(await isThere(stored)).toBe(true);
  files.remove(stored.file);
  expect(await isThere(stored)).toBe(false);
});

test('lists are filtered by job, endpoint and state together, newest first', () => {
  const { commits, store } = openStore();
  const made = [
    record(1),
    record(2, { endpointId: 'other' }),
    record(3, { jobId: 'job-1', state: 'delivered' }),
    record(4, { state: 'delivered' }),
  ];
  for (const one of made) commits.write(store.inserting(one, ['text']).write, none);
  commits.flush();
  const seqs = (query: Parameters<typeof store.list>[0]): number[] => store.list(query).map(({ seq }) => seq);
  expect(seqs({})).toEqual([4, 3, 2, 1]);
  expect(seqs({ limit: 2 })).toEqual([4, 3]);
  expect(seqs({ jobId: 'job-1' })).toEqual([3, 1]);
  expect(seqs({ jobId: 'job-1', state: 'delivered' })).toEqual([3]);
  expect(seqs({ endpointId: 'other' })).toEqual([2]);
  expect(seqs({ endpointId: 'ep', state: 'pending' })).toEqual([1]);
});
