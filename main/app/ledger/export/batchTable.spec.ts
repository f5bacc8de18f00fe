/** What a person gets who saves a batch as a table. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobFacts } from '#contract/app/ledger.ts';
import { createLedger, type Ledger } from '../ledger.ts';
import { exportBatchTable } from './batchTable.ts';

const batchId = '00000000-0000-4000-8000-000000000001';
const place = { accountId: 'work', endpointId: 'e', endpointName: 'cards' };
/** The first bytes of a PNG and as many others as make 85 KB. */
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(85 * 1024 - 8, 90),
]).toString('base64');
let ledger: Ledger;

beforeEach(() => {
  ledger = createLedger(':memory:', pino({ level: 'silent' }), '1.2.3');
});
afterEach(() => ledger.stop());

interface Ran {
  input: unknown;
  output?: unknown;
  chunks?: string[];
  facts?: JobFacts;
}

async function batchOf(jobs: readonly (Ran | { input: unknown; isUnsent: true })[]): Promise<void> {
  const inputs = jobs.map(({ input }, n) => ({ line: n + 2, body: JSON.stringify({ input }) }));
  const entryIds = jobs.map(() => randomUUID());
  ledger.batches.add({ batchId, ...place, atOnce: 2, inputs }, 'batch 1', entryIds, 1);
  for (const [n, job] of jobs.entries()) {
    if ('isUnsent' in job) continue;
    const entryId = entryIds[n] ?? '';
    const sentAt = Date.UTC(2026, 10, 29, 5, 6, n);
    ledger.add({ entryId, ...place, accountName: 'Work', mode: 'run', sentAt }, inputs[n]?.body ?? '');
    ledger.batches.markSent(batchId, n);
    await ledger.appendChunks(entryId, sentAt, job.chunks ?? []);
    const facts = {
      status: 'COMPLETED',
      finishedAt: sentAt,
      delayTime: 250,
      executionTime: 1500,
      ...job.facts,
    } as const;
    await ledger.finish(entryId, facts, job.output === undefined ? null : JSON.stringify(job.output));
  }
}

async function table(): Promise<{ rows: string[]; cutCells: number }> {
  let text = '';
  let cutCells = 0;
  for await (const piece of exportBatchTable(ledger, batchId, new AbortController().signal)) {
    text += piece.text;
    ({ cutCells } = piece);
  }
  return { rows: text.trimEnd().split('\r\n'), cutCells };
}

test('Fields of inputs and outputs are columns, pictures are words, and the records behind them survive', async () => {
  const records = [{ id: 1, score: 0.25 }];
  await batchOf([
    { input: { name: 'one' }, output: { image: picture, records, big: 1 }, facts: { pricePerHour: 2.4 } },
    { input: { name: 'two', rows: 3 }, output: { image: `data:image/gif;base64,${picture}`, records } },
    { input: { name: '=1+1' }, facts: { status: 'FAILED', error: 'Traceback\n  File "x"\nValueError: no such thing' } },
    { input: { name: 'four' }, isUnsent: true },
  ]);
  const { rows, cutCells } = await table();
  expect(rows).toEqual([
    'No.,name,rows,State,Error,Waited (s),Ran (s),Cost (USD),Sent (UTC),image,records,big',
    '1,one,,Done,,0.25,1.5,0.001,2026-11-29 05:06:00,"image/png, 85 KB","[{""id"":1,""score"":0.25}]",1',
    '2,two,3,Done,,0.25,1.5,,2026-11-29 05:06:01,"image/gif, 85 KB","[{""id"":1,""score"":0.25}]",',
    "3,'=1+1,,Failed,ValueError: no such thing,0.25,1.5,,2026-11-29 05:06:02,,,",
    '4,four,,Not sent,,,,,,,,',
  ]);
  expect(cutCells).toBe(0);
});

test('What has no fields has one column, a stream is one text, and equal names say whose they are', async () => {
  await batchOf([
    { input: { id: 7, State: 'x' }, output: { id: 8 } },
    { input: 'words', output: 12 },
    { input: { id: 9 }, chunks: ['"Hel"', '"lo"'] },
  ]);
  expect((await table()).rows).toEqual([
    'No.,input.id,input.State,Input,State,Error,Waited (s),Ran (s),Cost (USD),Sent (UTC),output.id,Output',
    '1,7,x,,Done,,0.25,1.5,,2026-11-29 05:06:00,8,',
    '2,,,words,Done,,0.25,1.5,,2026-11-29 05:06:01,,12',
    '3,9,,,Done,,0.25,1.5,,2026-11-29 05:06:02,,Hello',
  ]);
});

test.each([
  ['a text', 'é'.repeat(40_000)],
  ['a list', Array.from({ length: 9000 }, (_, n) => ({ n }))],
  ['a deep value', { a: { b: ['"'.repeat(40_000), 1] }, c: 2 }],
])('A cell that table programs would refuse is cut within valid text and counted: %s', async (_, value) => {
  await batchOf([{ input: { n: 1 }, output: { value } }]);
  const { rows, cutCells } = await table();
  expect(cutCells).toBe(1);
  const cell = (rows[1] ?? '')
    .replace(/^.*?05:06:00,"?/u, '')
    .replace(/"$/u, '')
    .replaceAll('""', '"');
  expect(cell.length).toBeLessThanOrEqual(32_000);
  expect(cell.length).toBeGreaterThan(30_000);
  expect(cell).toContain('… (cut; the whole is in an export as JSON Lines)');
  if (typeof value !== 'string') expect(() => void JSON.parse(cell)).not.toThrow();
});

test('Very many fields share one column', async () => {
  await batchOf([{ input: { n: 1 }, output: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, n])) }]);
  const { rows } = await table();
  expect(rows[0]).toBe('No.,n,State,Error,Waited (s),Ran (s),Cost (USD),Sent (UTC),Output');
  expect(rows[1]).toContain('""f299"":299');
});
