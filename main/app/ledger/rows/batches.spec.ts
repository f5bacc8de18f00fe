/** Which inputs of a batch can be run again, and what is left of their earlier jobs. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { LedgerStatus } from '#contract/app/ledger.ts';
import type { BatchView } from '#contract/bridge/batch/batches.ts';
import { createLedger } from '../ledger.ts';

const batchId = '00000000-0000-4000-8000-000000000001';
const place = { accountId: 'work', endpointId: 'e', endpointName: 'words' };

/** A batch whose jobs have these states; null for an input that was not sent. */
function batchWith(statuses: (LedgerStatus | null)[]) {
  const ledger = createLedger(':memory:', pino({ level: 'silent' }), '1.2.3');
  const entryIds = statuses.map(() => randomUUID());
  const bodies = statuses.map((_, n) => `{"input":{"n":${n}}}`);
  // As in a CSV file, whose first line has the names.
  const inputs = bodies.map((body, n) => ({ line: n + 2, body }));
  ledger.batches.add({ batchId, ...place, atOnce: 2, inputs }, 'batch 1', entryIds, 1);
  statuses.forEach((status, n) => {
    if (status === null) return;
    const entryId = entryIds[n] ?? '';
    ledger.add({ entryId, ...place, accountName: 'Work', mode: 'run', sentAt: n }, bodies[n] ?? '');
    ledger.update(entryId, { status });
    ledger.batches.markSent(batchId, n);
  });
  return { ledger, entryIds, rows: () => ledger.batches.rows(batchId, 0, 20) };
}

test('inputs are in the order of their numbers, and not of their digits', () => {
  const { ledger } = batchWith(Array.from({ length: 12 }, () => null));
  const sort = { by: 'input', isUp: false } as const;
  const numbers = ledger.batches.rows(batchId, 0, 20, { onlyFailed: false, sort }).map(({ number }) => number);
  expect(numbers).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('every ended job without a result can be run again, but none that may run already', () => {
  const { ledger, entryIds, rows } = batchWith([
    'FAILED',
    'COMPLETED',
    'TIMED_OUT',
    'UNANSWERED',
    'CANCELLED',
    'IN_PROGRESS',
    'REFUSED',
    null,
    'GONE',
  ]);
  expect(ledger.batches.get(batchId)).toMatchObject({ failed: 6, repeatable: 5, unsent: 1 });
  const numbers = (onlyFailed: boolean, sort: BatchView['sort']) =>
    ledger.batches.rows(batchId, 0, 20, { onlyFailed, sort }).map(({ number }) => number);
  expect(numbers(true, null)).toEqual([1, 3, 4, 5, 7, 9]);
  expect(numbers(true, { by: 'number', isUp: false })).toEqual([9, 7, 5, 4, 3, 1]);
  expect(numbers(false, { by: 'state', isUp: true })).toEqual([5, 2, 1, 9, 6, 7, 3, 4, 8]);
  ledger.update(entryIds[3] ?? '', { executionTime: 20 });
  ledger.update(entryIds[6] ?? '', { executionTime: 30 });
  expect(numbers(true, { by: 'ran', isUp: true })).toEqual([4, 7, 1, 3, 5, 9]);
  expect(ledger.batches.rows(batchId, 1, 2, { onlyFailed: true, sort: null }).map(({ number }) => number)).toEqual([
    3, 4,
  ]);
  expect(ledger.batches.putBack(batchId, randomUUID)).toEqual([0, 2, 4, 6, 8]);
  expect(rows().map(({ status }) => status)).toEqual([
    'UNSENT',
    'COMPLETED',
    'UNSENT',
    'UNANSWERED',
    'UNSENT',
    'IN_PROGRESS',
    'UNSENT',
    'UNSENT',
    'UNSENT',
  ]);
  expect(ledger.batches.input(batchId, 2)).toMatchObject({ place: 2, body: '{"input":{"n":2}}' });
  expect(ledger.batches.input(batchId, 1)).toBeNull();
  expect(ledger.find(entryIds[0] ?? '')).toMatchObject({ status: 'FAILED' });
  expect(ledger.batches.get(batchId)).toMatchObject({ repeatable: 0, unsent: 6 });
  ledger.stop();
});

test('a job that was removed from the ledger cannot be run again', () => {
  const { ledger, entryIds, rows } = batchWith(['FAILED', 'FAILED']);
  ledger.forget([entryIds[0] ?? '']);
  expect(ledger.batches.putBack(batchId, randomUUID)).toEqual([1]);
  expect(rows().map(({ number, status }) => [number, status])).toEqual([
    [1, 'REMOVED'],
    [2, 'UNSENT'],
  ]);
  ledger.stop();
});

test('a batch tells how many of its jobs wait, and why the first of them does', () => {
  const { ledger, entryIds } = batchWith(['COMPLETED', 'IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE', 'SENDING', null]);
  expect(ledger.batches.get(batchId)).toMatchObject({ running: 4, queued: 3, waiting: null });
  ledger.update(entryIds[1] ?? '', { waiting: 'of a job that runs' });
  ledger.update(entryIds[2] ?? '', { waiting: 'The only worker is busy.' });
  ledger.update(entryIds[3] ?? '', { waiting: 'The only worker is busy. 1 job goes before it.' });
  expect(ledger.batches.get(batchId)).toMatchObject({ waiting: 'The only worker is busy.' });
  ledger.stop();
});

test('a row has the times of its job, and none before it was sent or after it was removed', () => {
  const { ledger, entryIds, rows } = batchWith(['IN_PROGRESS', null, 'COMPLETED']);
  ledger.update(entryIds[0] ?? '', { startedAt: 5, delayTime: 4 });
  ledger.forget([entryIds[2] ?? '']);
  expect(rows().map(({ entryId, status, job }) => ({ entryId, status, job }))).toEqual([
    {
      entryId: entryIds[0],
      status: 'IN_PROGRESS',
      job: expect.objectContaining({
        status: 'IN_PROGRESS',
        sentAt: 0,
        startedAt: 5,
        delayTime: 4,
        executionTime: null,
      }),
    },
    { entryId: entryIds[1], status: 'UNSENT', job: null },
    { entryId: entryIds[2], status: 'REMOVED', job: null },
  ]);
  ledger.stop();
});
