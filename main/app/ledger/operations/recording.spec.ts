/** What the ledger makes of the notes of an engine. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import type { JobNote } from '#contract/local/jobFeed.ts';
import { noteOf } from '../../../../test/support/jobs/jobNote.ts';
import { planOf, statementsOf, transactionsOf, type RunStatement } from '../../../../test/support/disk/statements.ts';
import { makeLedgerFile, type LedgerFile } from '../../../../test/support/ledger/ledgerFile.ts';
import type { Ledger } from '../ledger.ts';
import { MIGRATIONS } from '../migrations.ts';

let disk: LedgerFile;
let ledger: Ledger;

beforeEach(() => {
  disk = makeLedgerFile();
  ledger = disk.open();
});
afterEach(() => disk.remove());

const account = { accountId: 'this-machine', accountName: 'This computer' };
const note = (changes: Partial<JobNote> = {}): JobNote =>
  noteOf({
    endpointId: 'e1',
    sender: { own: false, keyName: 'trainer', client: 'curl' },
    submittedAt: 1000,
    queuedAt: 1000,
    body: '{"input":{"prompt":"a cat"}}',
    bodyBytes: 28,
    ...changes,
  });
const done: Partial<JobNote> = {
  status: 'COMPLETED',
  startedAt: 1100,
  finishedAt: 1400,
  delayTime: 100,
  executionTime: 300,
  workerId: 'w1',
  output: '["a","b"]',
  outputBytes: 9,
  chunks: ['{"output":"a"}', '{"output": "b"}'],
};
const record = (...notes: JobNote[]) => ledger.record(account, notes, 5000);
const only = () => {
  const { entries, total } = ledger.list({}, 0, 10);
  expect([entries.length, total]).toEqual([1, 1]);
  return entries[0]!;
};

test('a job that a script sent is one row, from the queue to its result', () => {
  record(note({ waiting: 'both workers are busy' }));
  expect(only()).toMatchObject({
    ...account,
    source: 'api',
    client: 'curl',
    keyName: 'trainer',
    preview: 'a cat',
    jobId: 'job-1',
    status: 'IN_QUEUE',
    waiting: 'both workers are busy',
    sentAt: 1000,
  });
  record(note(done));
  record(note(done));
  const { entryId, ...entry } = only();
  expect(entry).toMatchObject({
    status: 'COMPLETED',
    executionTime: 300,
    chunkCount: 2,
    waiting: null,
    inputBytes: 28,
  });
  expect(ledger.detail(entryId)).toMatchObject({ body: '{"input":{"prompt":"a cat"}}', output: '["a","b"]' });
  expect(ledger.body(entryId)).toBe('{"input":{"prompt":"a cat"}}');
  expect(ledger.chunks(entryId, 0, 10).map(({ text }) => text)).toEqual(['"a"', '"b"']);
  // On a busy machine, one step of a search may not reach its end.
  while (!ledger.list({ text: 'trainer' }, 0, 10).complete);
  expect(ledger.list({ text: 'trainer' }, 0, 10).entries).toHaveLength(1);
});

test('no reader follows it, and it is not asked about after a restart', () => {
  record(note());
  expect(ledger.unfinished()).toEqual([]);
  expect(ledger.unfinishedByFeed('this-machine')).toHaveLength(1);
  expect(ledger.unfinishedByFeed('other')).toEqual([]);
});

test('a job that was sent from here is left to its reader', async () => {
  ledger.add({ ...account, entryId: 'own', endpointId: 'e1', endpointName: 'words', mode: 'run', sentAt: 900 }, '{}');
  ledger.update('own', { jobId: 'job-1', status: 'IN_PROGRESS' });
  record(note({ ...done, sender: { own: true, keyName: null, client: null } }));
  expect(only()).toMatchObject({ source: 'window', status: 'IN_PROGRESS', chunkCount: 0 });
  await ledger.finish('own', { status: 'COMPLETED', finishedAt: 1400 }, '1');
  record(note(done));
  expect(ledger.detail('own').output).toBe('1');
});

test('a retry by a script is one more attempt in the same row', () => {
  record(note({ ...done, status: 'FAILED', error: 'out of memory', output: null, outputBytes: null }));
  record(note({ status: 'IN_PROGRESS', retries: 1, queuedAt: 2000, startedAt: 2100, workerId: 'w2' }));
  const { entryId, ...entry } = only();
  expect(entry).toMatchObject({ status: 'IN_PROGRESS', retries: 1, queuedAt: 2000, chunkCount: 0, error: null });
  record(note({ retries: 2, queuedAt: 3000 }));
  expect(ledger.attempts(entryId)).toMatchObject([
    { number: 1, endedBy: 'retried', status: 'FAILED', error: 'out of memory', workerId: 'w1', executionTime: 300 },
    { number: 2, endedBy: 'lost', status: 'IN_PROGRESS', workerId: 'w2', queuedAt: 2000, finishedAt: 3000 },
  ]);
});

test('a retry from here is said as such, and its reader follows it again', async () => {
  ledger.add({ ...account, entryId: 'own', endpointId: 'e1', endpointName: 'words', mode: 'run', sentAt: 900 }, '{}');
  await ledger.finish('own', { jobId: 'job-1', status: 'FAILED', error: 'no', finishedAt: 1400 }, '"part"');
  expect(ledger.retried('own', 2000)).toMatchObject({ status: 'IN_QUEUE', retries: 1, queuedAt: 2000, error: null });
  expect(ledger.attempts('own')).toMatchObject([{ endedBy: 'retried-here', status: 'FAILED', error: 'no' }]);
  expect(ledger.output('own')).toBeNull();
  record(note({ retries: 1, queuedAt: 2000 }));
  expect(only()).toMatchObject({ entryId: 'own', retries: 1 });
  expect(ledger.unfinished()).toHaveLength(1);
});

test('a job that the engine removed before its end is gone, and says why', () => {
  record(note());
  record(note({ removed: true, status: 'IN_QUEUE', body: null, bodyBytes: null }));
  expect(only()).toMatchObject({
    status: 'GONE',
    finishedAt: 5000,
    error: expect.stringContaining('removed') as string,
  });
});

test('a job that the engine removed after its end, unread, says that its output is not known', () => {
  record(note());
  record(note({ ...done, removed: true, output: null, outputBytes: null, chunks: [] }));
  expect(only()).toMatchObject({ status: 'COMPLETED', chunkGap: 'unread', outputBytes: 0 });
});

test('a job of which the engine sends only the first chunks says so, unless a reader has the others', () => {
  record(note({ ...done, chunkTotal: 2 }));
  expect(only()).toMatchObject({ chunkCount: 2, chunkGap: null });
  record(note({ ...done, id: 'job-2', chunkTotal: 3 }));
  expect(ledger.findJob('job-2')).toMatchObject({ chunkCount: 2, chunkGap: 'cut' });
  record(note({ id: 'job-3' }));
  const { entryId } = ledger.findJob('job-3')!;
  ledger.addReadChunks(entryId, { retries: 0, index: 0, at: 1, texts: ['1', '2', '3'], metrics: [null, null, null] });
  record(note({ ...done, id: 'job-3', chunkTotal: 3 }));
  expect(ledger.findJob('job-3')).toMatchObject({ chunkCount: 3, chunkGap: null });
});

test('large texts are named, and added later', () => {
  const { large } = record(
    note({ ...done, chunks: [], body: null, bodyBytes: 900_000, output: null, outputBytes: 800_000 }),
  );
  expect(large).toMatchObject([{ lacksBody: true, lacksOutput: true }]);
  const { entryId } = only();
  ledger.addTexts(entryId, '{"input":{"prompt":"late"},"s3Config":{"accessSecret":"TOPVALUE"}}', '"whole"');
  expect(ledger.detail(entryId)).toMatchObject({
    entry: { preview: 'late' },
    body: '{"input":{"prompt":"late"},"s3Config":{"accessSecret":"•••"}}',
    output: '"whole"',
  });
});

test('jobs are counted by source, and a filter of it finds them', () => {
  ledger.add({ ...account, entryId: 'own', endpointId: 'e1', endpointName: 'words', mode: 'run', sentAt: 900 }, '{}');
  record(note(), note({ id: 'job-2', sender: { own: true, keyName: null, client: null } }));
  expect(ledger.list({ source: 'api' }, 0, 10)).toMatchObject({ matching: 1, total: 3, complete: true });
  expect(ledger.list({ source: 'window' }, 0, 10)).toMatchObject({ matching: 2 });
});

test('requests of OpenAI clients are told from the jobs of the handler', () => {
  const job = { ...account, endpointId: 'e1', endpointName: 'words', mode: 'run', sentAt: 900 } as const;
  ledger.add({ ...job, entryId: 'models' }, '{"input":{"openai_route":"/v1/models"}}');
  ledger.add({ ...job, entryId: 'own' }, '{"input":{"text":"what is an openai_route"}}');
  const matching = (filter: LedgerFilter) => ledger.list(filter, 0, 10).entries.map(({ entryId }) => entryId);
  expect(matching({ endpointId: 'e1', openai: false })).toEqual(['own']);
  expect(matching({ endpointId: 'e1', openai: true })).toEqual(['models']);
  expect(matching({ openai: true, text: '/v1/chat/completions' })).toEqual([]);
});

test('a thousand jobs are recorded in one transaction, with as many reads for each as for one, all by a key', () => {
  const notes = Array.from({ length: 1000 }, (_, n) => note({ ...done, id: `job-${n}` }));
  let alone: RunStatement[] = [];
  let reads: RunStatement[] = [];
  const transactions = transactionsOf(() => {
    alone = statementsOf(() => record(note({ ...done, id: 'alone' })));
    reads = statementsOf(() => record(...notes));
  });
  expect(transactions).toBe(1);
  expect(reads).toHaveLength(notes.length * alone.length);
  using tables = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS) tables.exec(step);
  for (const sql of new Set(reads.map((read) => read.sql))) {
    for (const step of planOf(tables, sql)) expect(step, sql).toMatch(/^SEARCH \w+ USING/);
  }
  expect(ledger.list({}, 0, 1).matching).toBe(1001);
});

const running: Partial<JobNote> = { status: 'IN_PROGRESS', startedAt: 1100 };
const readChunks = (index: number, texts: string[], retries = 0) =>
  ledger.addReadChunks(only().entryId, { retries, index, at: 1200, texts, metrics: texts.map(() => null) });
const texts = () => ledger.chunks(only().entryId, 0, 100).map(({ text }) => text);

test('chunks that are read while a job runs are stored once, also when the reader begins anew', () => {
  record(note(running));
  expect(readChunks(0, ['"a"', '"b"'])).toBe(true);
  expect(readChunks(0, ['"a"', '"b"', '"c"'])).toBe(true);
  expect(readChunks(1, ['"b"'])).toBe(true);
  expect(texts()).toEqual(['"a"', '"b"', '"c"']);
});

test('the end of a job adds the chunks that nobody has read before, and no others', () => {
  record(note(running));
  readChunks(0, ['"a"']);
  record(note(done));
  expect(texts()).toEqual(['"a"', '"b"']);
});

test('chunks of another attempt are not stored, nor those of a job that a reader of this app follows', () => {
  record(note(running));
  expect(readChunks(0, ['"a"'], 1)).toBe(false);
  const { entryId } = only();
  expect(ledger.findByFeed(entryId)).toMatchObject({ entryId });
  record(note({ ...running, retries: 1 }));
  expect(readChunks(0, ['"b"'], 1)).toBe(true);
  record(note({ ...done, retries: 1, chunks: [] }));
  expect(ledger.findByFeed(entryId)).toBeUndefined();
  ledger.retried(entryId, 2000);
  expect(readChunks(0, ['"c"'], 2)).toBe(false);
  expect(ledger.findByFeed(entryId)).toBeUndefined();
});
