import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobsToAttend, LedgerEntry } from '#contract/app/ledger.ts';
import { FAILED_STATUSES, failureKey, OTHER_FAILURES } from '#contract/app/jobs/failures.ts';
import { statementsOf } from '../../../../test/support/disk/statements.ts';
import {
  openLedgerTables,
  openSpecLedger,
  turnsDuring,
  type LedgerTables,
  type SpecLedger,
} from '../../../../test/support/ledger/specLedger.ts';
import type { Ledger } from '../ledger.ts';
import type { EntryPatch, NewEntry } from '../port.ts';
import { createAttention } from './attention.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 10, 26, 12);
const DAY_AGO = NOW - 24 * HOUR_MS;

describe('of the jobs of a ledger', () => {
  let ledger: Ledger;
  let jobs: SpecLedger;

  beforeEach(() => {
    jobs = openSpecLedger();
    ledger = jobs.ledger;
  });
  afterEach(() => ledger.stop());

  const add = (endpointId: string, patch: EntryPatch, more: Partial<NewEntry> = {}): string =>
    jobs.add({ endpointId, endpointName: `name of ${endpointId}`, sentAt: NOW - HOUR_MS, ...more }, patch);
  const failed = (endpointId: string, error: string, at = NOW - HOUR_MS): string =>
    add(endpointId, { status: 'FAILED', error, finishedAt: at });

  it('all failed ones count, for each endpoint and sentence, whatever their traces', async () => {
    const newest = failed('e1', 'No file\n    at handler (h.mjs:0:1)', NOW);
    for (let index = 1; index < 1500; index += 1)
      failed('e1', `No file\n    at handler (h.mjs:${index}:1)`, NOW - index);
    for (let index = 0; index < 400; index += 1) failed('e2', 'No file', NOW - HOUR_MS - index);
    const python = (line: number) => `Traceback (most recent call last):\n  File "h.py", line ${line}\nValueError: bad`;
    for (const line of [1, 2, 3]) failed('e1', python(line), NOW - HOUR_MS - MINUTE_MS);
    add('e2', { status: 'TIMED_OUT', finishedAt: NOW - 2 * HOUR_MS });
    add('e2', { status: 'COMPLETED', finishedAt: NOW });
    add('e2', { status: 'CANCELLED', finishedAt: NOW });
    failed('e3', 'the last one', NOW - 3 * HOUR_MS);
    expect(await ledger.toAttend(DAY_AGO, {})).toMatchObject({
      failed: [
        {
          accountId: 'a',
          endpointId: 'e1',
          endpointName: 'name of e1',
          headline: 'No file',
          jobs: 1500,
          lastAt: NOW,
          entryId: newest,
        },
        { endpointId: 'e2', headline: 'No file', jobs: 400, lastAt: NOW - HOUR_MS },
        { endpointId: 'e1', headline: 'ValueError: bad', jobs: 3 },
        { endpointId: 'e2', headline: '', jobs: 1 },
        { endpointId: 'e3', jobs: 1 },
      ],
      otherFailed: 0,
    });
  });

  it('those that failed earlier are left out, and those that a person dismissed', async () => {
    add('e1', { status: 'FAILED', error: 'old', finishedAt: NOW }, { sentAt: DAY_AGO - 1 });
    for (const endpointId of ['e1', 'e2']) {
      for (const at of [1, 2, 3]) failed(endpointId, 'No file', NOW - HOUR_MS + at);
    }
    const countsSince = async (since: number, dismissed: Record<string, number> = {}) =>
      (await ledger.toAttend(since, dismissed)).failed.map(({ endpointId, headline, jobs }) =>
        [endpointId, headline, jobs].join(' '),
      );
    const all = ['e1 No file 3', 'e2 No file 3'];
    expect(await countsSince(DAY_AGO)).toEqual(all);
    const dismissed = { 'a/e1 No file': NOW - HOUR_MS + 2, 'b/e2 No file': NOW, 'a/e2 Another': NOW };
    expect(await countsSince(DAY_AGO, dismissed)).toEqual(['e1 No file 1', 'e2 No file 3']);
    failed('e1', 'Another', NOW - HOUR_MS + 4);
    expect(await countsSince(DAY_AGO, { 'a/e1 No file': NOW })).toEqual(['e1 Another 1', 'e2 No file 3']);
    ledger.forget([jobs.lastId()]);
    expect(await countsSince(DAY_AGO - 1)).toEqual(['e1 old 1', ...all]);
    expect(await countsSince(DAY_AGO - HOUR_MS)).toEqual(['e1 old 1', ...all]);
    expect(await countsSince(DAY_AGO)).toEqual(all);
    expect(await ledger.toAttend(NOW, {})).toEqual({
      failed: [],
      otherFailed: 0,
      otherLastAt: 0,
      waiting: [],
      undelivered: null,
    });
  });

  it('failed ones with very many errors count together after the newest ones', async () => {
    for (let index = 0; index < 120; index += 1) failed('e1', `no file ${index % 60}`, NOW - 120 + index);
    const { failed: groups, otherFailed, otherLastAt } = await ledger.toAttend(DAY_AGO, {});
    expect(groups.map(({ headline }) => headline)).toEqual(Array.from({ length: 50 }, (_, at) => `no file ${59 - at}`));
    expect([otherFailed, otherLastAt]).toEqual([20, NOW - 120 + 69]);

    // Those that a person dismissed together do not take the place of the others, and come back with a later failure.
    const until = { [OTHER_FAILURES]: otherLastAt };
    expect(await ledger.toAttend(DAY_AGO, until)).toMatchObject({ failed: groups, otherFailed: 0, otherLastAt: 0 });
    const key = failureKey(groups[0]!);
    expect((await ledger.toAttend(DAY_AGO, { ...until, [key]: NOW })).failed).toEqual(groups.slice(1));
    failed('e1', 'no file 3', NOW);
    expect((await ledger.toAttend(DAY_AGO, until)).failed[0]).toMatchObject({ headline: 'no file 3', jobs: 3 });
  });

  it('one with an error of very many characters counts by its first ones', async () => {
    for (const end of ['x', 'y']) failed('e1', 'long '.repeat(1000) + end);
    const { failed: groups } = await ledger.toAttend(DAY_AGO, {});
    expect(groups.map(({ headline, jobs }) => [headline.length, jobs])).toEqual([[500, 2]]);
  });

  it('queued ones count for each endpoint that is known not to start them, of any day, with the reason of the first', async () => {
    const waits = (endpointId: string, waiting: string | null, more: EntryPatch = {}) =>
      add(endpointId, { status: 'IN_QUEUE', waiting, ...more }, { sentAt: DAY_AGO - HOUR_MS });
    for (let index = 0; index < 1100; index += 1) waits('e1', null);
    waits('e1', 'No GPU in stock.');
    for (let index = 0; index < 400; index += 1) waits('e1', null);
    waits('e1', 'No GPU in stock. 1501 jobs go before it.');
    waits('e2', null);
    waits('e3', 'words of a time when it could be asked', { trouble: 'Cannot reach work (ECONNREFUSED).' });
    waits('e4', 'old words', { status: 'IN_PROGRESS' });
    waits('e5', 'Paused.');
    expect((await ledger.toAttend(DAY_AGO, {})).waiting).toEqual([
      { accountId: 'a', endpointId: 'e5', endpointName: 'name of e5', jobs: 1, reason: 'Paused.' },
      { accountId: 'a', endpointId: 'e1', endpointName: 'name of e1', jobs: 1502, reason: 'No GPU in stock.' },
    ]);
  });

  it('each change counts at once, as if all were counted anew', async () => {
    const ids = Array.from({ length: 1300 }, (_, n) => failed(`e${n % 2}`, `error ${n % 3}`, NOW - n));
    const ends: Promise<void>[] = [];
    const changes: (() => unknown)[] = [
      () => failed('e0', 'a new one'),
      () => ledger.update(ids[5]!, { error: 'another error' }),
      () => ledger.retried(ids[6]!, NOW),
      () => ledger.update(ids[6]!, { waiting: 'No GPU in stock.' }),
      () => ends.push(ledger.giveUp(ids[6]!, { status: 'GONE', waiting: null, finishedAt: NOW })),
      () => ledger.takeUp('a'),
      () => ends.push(ledger.finish(ids[6]!, { status: 'TIMED_OUT', finishedAt: NOW + 1 }, null)),
      () => ledger.forget([ids[1299]!, ids[7]!]),
      () => ledger.prune(NOW - 1200, 20),
    ];
    await ledger.toAttend(DAY_AGO, {});
    for (const change of changes) {
      change();
      expect(await ledger.toAttend(DAY_AGO, {})).toEqual(countedAnew(ledger));
    }
    await Promise.all(ends);
  });
});

/** The counts of all jobs of a ledger, from a look at each of them. */
function countedAnew(ledger: Ledger): JobsToAttend {
  const { entries } = ledger.list({}, 0, 10_000);
  const placeOf = ({ accountId, endpointId, endpointName }: LedgerEntry) => ({ accountId, endpointId, endpointName });
  const isFailed = ({ status }: LedgerEntry) => FAILED_STATUSES.some((one) => one === status);
  const failed = Map.groupBy(entries.filter(isFailed), ({ endpointId, error }) => `${endpointId} ${error ?? ''}`);
  const queued = Map.groupBy(
    entries.filter(({ status }) => status === 'IN_QUEUE'),
    ({ endpointId }) => endpointId,
  );
  return {
    failed: [...failed.values()]
      .map((jobs) => {
        const lastAt = Math.max(...jobs.map(({ finishedAt }) => finishedAt ?? 0));
        return {
          ...placeOf(jobs[0]!),
          headline: jobs[0]!.error ?? '',
          jobs: jobs.length,
          lastAt,
          entryId: jobs.find(({ finishedAt }) => finishedAt === lastAt)!.entryId,
        };
      })
      .toSorted((one, other) => other.lastAt - one.lastAt),
    otherFailed: 0,
    otherLastAt: 0,
    undelivered: null,
    waiting: [...queued.values()].flatMap((jobs) => {
      const reason = jobs.findLast(({ waiting }) => waiting !== null)?.waiting;
      return reason === null || reason === undefined ? [] : [{ ...placeOf(jobs[0]!), jobs: jobs.length, reason }];
    }),
  };
}

describe('the work of a count', () => {
  const JOBS = 10_000;
  let db: LedgerTables['db'];
  let sql: LedgerTables['sql'];
  beforeEach(() => {
    ({ db, sql } = openLedgerTables(JOBS, 'status, sent_at, error', "iif(i % 2, 'FAILED', 'IN_QUEUE'), i, 'No file'"));
  });
  afterEach(() => db.close());

  /** How many statements one count runs. Its clock stands still, so that it runs in one step. */
  function statements(attention: ReturnType<typeof createAttention>, since = 0): number {
    return statementsOf(() => void attention.count(since, {})).length;
  }

  it('is one slice of jobs after a job has changed, and none if no job has', () => {
    const attention = createAttention(sql, () => 0);
    const first = statements(attention);
    expect(first).toBeGreaterThan(2 * Math.floor(JOBS / 1024));
    // One statement lists the blocks of jobs, one the webhooks that were not delivered.
    expect(statements(attention)).toBe(2);
    attention.changed(5000);
    attention.changed(5001);
    expect(statements(attention)).toBe(4);
    expect(statements(attention)).toBe(2);
    // All jobs were sent after both times.
    expect(statements(attention, 1)).toBe(2);
    expect(statements(attention, JOBS / 2)).toBeGreaterThan(2);
  });

  it('lets other work run in between, and ends with the signal', async () => {
    let now = 0;
    const attention = createAttention(sql, () => (now += 20));
    const turns = await turnsDuring(async () => {
      expect((await attention.count(0, {})).failed).toMatchObject([{ jobs: JOBS / 2 }]);
    });
    expect(turns).toBeGreaterThanOrEqual(Math.floor(JOBS / 1024));
    const abandoned = createAttention(sql, () => (now += 20));
    const [group] = (await abandoned.count(0, {}, AbortSignal.abort())).failed;
    expect(group?.jobs ?? 0).toBeLessThan(JOBS / 2);
  });

  it('keeps no slice of a job that changes while others are counted', async () => {
    let now = 0;
    const attention = createAttention(sql, () => (now += 20));
    const counting = attention.count(0, {});
    const change = setImmediate(() => {
      db.exec("UPDATE entries SET status = 'COMPLETED' WHERE seq = 1");
      attention.changed(1);
    });
    await counting;
    clearImmediate(change);
    expect((await attention.count(0, {})).failed).toMatchObject([{ jobs: JOBS / 2 - 1 }]);
  });
});
