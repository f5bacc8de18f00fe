import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { LedgerStorage } from '#contract/app/jobs/keeping.ts';
import type { EndpointMetrics, EndpointTotal } from '#contract/local/metrics.ts';
import { metricsOf } from '../../../../test/support/page/metrics.ts';
import { createLedger, type Ledger } from '../../ledger/ledger.ts';
import type { ComputeApi } from '../../services/directory.ts';
import { endpointMetrics, endpointTotals } from './endpointMetrics.ts';

const NOW = Date.UTC(2026, 10, 26, 12, 0, 30);
const MINUTE_MS = 60_000;
type Local = NonNullable<ComputeApi['local']>;
const refused = (code: 'NOT_FOUND' | 'UNAVAILABLE') => () => Promise.reject(new AppError(code, `refused: ${code}`));
const none = (): Promise<EndpointTotal[]> => Promise.resolve([]);
const engine = (metrics: Local['metrics'], totals: Local['totals']) => ({ local: { metrics, totals } as Local });

describe('metrics of an account', () => {
  let ledger: Ledger;
  let storage: Pick<LedgerStorage, 'oldestSentAt' | 'lastPrune'>;
  beforeEach(() => {
    ledger = createLedger(':memory:', pino({ level: 'silent' }), '1.2.3');
    storage = { oldestSentAt: NOW - 10 * MINUTE_MS, lastPrune: null };
    const names = { accountId: 'a', accountName: 'A', endpointId: 'e', endpointName: 'E', mode: 'run' } as const;
    ledger.add({ entryId: 'job', ...names, sentAt: NOW - 2 * MINUTE_MS }, '{"input":{}}');
    ledger.update('job', { status: 'COMPLETED', finishedAt: NOW - MINUTE_MS, executionTime: 500 });
  });
  afterEach(() => ledger.stop());
  const read = (compute: Pick<ComputeApi, 'local'>) =>
    endpointMetrics(
      { compute, ledger, storage: () => storage, clock: { now: () => NOW } },
      { accountId: 'a', endpointId: 'e', period: '1h' },
    );

  it('that is no engine of Hangar are those of its jobs in the ledger, and none for the list', async () => {
    const answer = await read({ local: null });
    expect(answer).toMatchObject({
      from: '2026-11-26T11:01:00.000Z',
      to: '2026-11-26T12:00:30.000Z',
      stepMs: MINUTE_MS,
      total: { accepted: 1, completed: 1, workers: null, cost: null, executionMs: 500 },
      ledger: { jobs: 1, unaccepted: 0, isOldHangar: false, since: null },
    });
    expect(answer.points).toHaveLength(60);
    expect(answer.points.at(-2)).toMatchObject({ at: '2026-11-26T11:59:00.000Z', completed: 1 });
    expect(await endpointTotals({ local: null }, '1h')).toBeNull();
  });

  it('of which the ledger has removed jobs name its oldest job, if it is of this period', async () => {
    const since = async (lastPruneAt: number) => {
      storage = { ...storage, lastPrune: { at: lastPruneAt, jobs: 1, reason: 'age' } };
      return (await read({ local: null })).ledger?.since;
    };
    expect(await since(NOW - 5 * MINUTE_MS)).toBe(new Date(NOW - 10 * MINUTE_MS).toISOString());
    expect(await since(NOW - 90 * MINUTE_MS)).toBeNull();
    storage = { ...storage, oldestSentAt: NOW - 90 * MINUTE_MS };
    expect(await since(NOW - 5 * MINUTE_MS)).toBeNull();
  });

  it('whose engine is too old are those of the ledger, and none for the list', async () => {
    const old = engine(refused('NOT_FOUND'), refused('NOT_FOUND'));
    expect((await read(old)).ledger).toMatchObject({ jobs: 1, isOldHangar: true });
    expect(await endpointTotals(old, '1h')).toBeNull();
  });

  it('whose engine has them are those, whatever the ledger has', async () => {
    const { ledger: _ledger, ...measured } = metricsOf({ accepted: 7, completed: 7 }, '1h');
    const answer = await read(engine(() => Promise.resolve(measured as EndpointMetrics), none));
    expect(answer).toMatchObject({ total: { accepted: 7, workers: { mean: 0, most: 0 }, cost: 0 }, ledger: null });
  });

  it('of an unknown endpoint are a NOT_FOUND, and a fault stays a fault', async () => {
    await expect(read(engine(refused('NOT_FOUND'), none))).rejects.toThrow('refused: NOT_FOUND');
    const away = engine(refused('UNAVAILABLE'), refused('UNAVAILABLE'));
    await expect(read(away)).rejects.toThrow('refused: UNAVAILABLE');
    await expect(endpointTotals(away, '1h')).rejects.toThrow('refused: UNAVAILABLE');
  });
});
