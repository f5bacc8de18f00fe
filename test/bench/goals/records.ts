/**
 * LEDGER, BILLING: answers from very many rows: pages and searches of a million jobs, and the bill of half a million
 * hours.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bucketSizes, endpointBillingQuerySchema, podBillingQuerySchema } from '#contract/api/billing.ts';
import { createBilling, type Billing } from '../../../main/engine/domain/billing/report.ts';
import { HOUR_MS } from '../../../main/engine/domain/billing/usage.ts';
import { openDatabase } from '../../../main/engine/store/sqlite/database.ts';
import { createGroupCommit } from '../../../main/engine/store/sqlite/groupCommit.ts';
import { createUsageStore } from '../../../main/engine/store/repositories/usage.ts';
import { writeLongUsage } from '../../support/billing/longUsage.ts';
import { silentLogger } from '../../support/core/fakes.ts';
import { longLedgerFilters, openLongLedger } from '../../support/ledger/longLedger.ts';
import type { Bench, Group, Running } from '../bench.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';

const PAGE = 100;
const DAYS = 365;
/** New Year's Eve of 2025. */
const FIRST_HOUR = Date.UTC(2025, 11, 31) / HOUR_MS;

/** Milliseconds of processor time. */
function cpuMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

function newFolder(running: Running): string {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-bench-'));
  running.defer(() => rmSync(folder, { recursive: true }));
  return folder;
}

const RUNS = 3;
/** The peer: as many rows that SQLite makes and adds up by itself. Where it takes longer, everything does. */
const COUNTING =
  'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT sum(i) FROM n';

/** Of the slowest of these answers its fastest run: what else the machine does comes on top of the others. */
const slowestMs = (works: readonly (() => void)[]): Promise<number> =>
  Promise.resolve(Math.max(...works.map((work) => Math.min(...Array.from({ length: RUNS }, () => cpuMs(work))))));

async function ledger({ board, quick, rounds }: Bench, running: Running): Promise<void> {
  const jobs = quick ? 100_000 : 1_000_000;
  process.stderr.write(`LEDGER: ${jobs} jobs into a ledger\n`);
  const long = openLongLedger(join(newFolder(running), 'ledger.db'), jobs);
  running.defer(() => long.stop());
  const pages = longLedgerFilters(jobs).flatMap(({ name, filter, matching }) =>
    [0, Math.floor(matching / 2), Math.max(0, matching - PAGE)].map((offset) => (): void => {
      const page = long.list(filter, offset, PAGE);
      if (page.matching !== matching) throw new Error(`${name}: ${page.matching} jobs match instead of ${matching}`);
    }),
  );
  let searches = 0;
  const longestStepMs = (): Promise<number> => {
    const stepsMs: number[] = [];
    // A search that was made before is remembered.
    const filter = { text: `house number ${1234 + searches++}"` };
    for (let complete = false; !complete;) stepsMs.push(cpuMs(() => ({ complete } = long.list(filter, 0, PAGE))));
    if (long.list(filter, 0, PAGE).matching !== 1) throw new Error(`${filter.text} was not found`);
    return Promise.resolve(Math.max(...stepsMs));
  };
  const values = await interleave('LEDGER', rounds, { pages: () => slowestMs(pages), steps: longestStepMs });
  const common = { goal: 'LEDGER', unit: 'ms CPU', floor: atMost(100) };
  board.add({ ...common, what: `slowest page of ${jobs} jobs`, engine: values.pages });
  board.add({ ...common, what: `longest step of a search through ${jobs} jobs`, engine: values.steps });
}

function questionsOf(billing: Billing): { sums: (() => void)[]; refusals: (() => void)[] } {
  const startTime = '2025-12-31T00:00:00Z';
  const pods = (grouping: string, bucketSize: string) => (): void =>
    void billing.pods(podBillingQuerySchema.parse({ grouping, bucketSize, startTime }));
  const workers = (bucketSize: string) => (): void =>
    void billing.endpoints(endpointBillingQuerySchema.parse({ grouping: 'podId', bucketSize, startTime }));
  const refused = (ask: () => void) => (): void => {
    try {
      ask();
    } catch {
      return;
    }
    throw new Error('More records than may be told were told');
  };
  const larger = bucketSizes.filter((size) => size !== 'hour');
  return {
    sums: [
      ...bucketSizes.map((size) => pods('gpuTypeId', size)),
      ...larger.map((size) => pods('podId', size)),
      ...larger.map(workers),
    ],
    refusals: [refused(pods('podId', 'hour')), refused(workers('hour'))],
  };
}

async function billing({ board, rounds }: Bench, running: Running): Promise<void> {
  const database = openDatabase(newFolder(running));
  running.defer(() => database.close());
  const { sums, refusals } = questionsOf(
    createBilling(createUsageStore(database, createGroupCommit(database, silentLogger)), () => undefined),
  );
  writeLongUsage(database, FIRST_HOUR, DAYS);
  const values = await interleave('BILLING', rounds, {
    counting: () => slowestMs([() => database.prepare(COUNTING).get()]),
    sums: () => slowestMs(sums),
    refusals: () => slowestMs(refusals),
  });
  const peer = { name: 'SQLite counts to 500000', values: values.counting };
  const common = { goal: 'BILLING', unit: 'ms CPU', peer, floor: atMost(2), aim: 1.2 };
  board.add({ ...common, what: 'slowest sum of half a million hours', engine: values.sums });
  board.add({ ...common, what: 'refusal of too many records', engine: values.refusals });
}

async function run(bench: Bench, running: Running): Promise<void> {
  if (bench.wants('LEDGER')) await ledger(bench, running);
  if (bench.wants('BILLING')) await billing(bench, running);
}

export const recordGoals: Group = { goals: ['LEDGER', 'BILLING'], run };
