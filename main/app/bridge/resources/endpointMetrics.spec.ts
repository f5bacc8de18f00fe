import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { EndpointTotal } from '#contract/local/metrics.ts';
import type { ComputeApi } from '../../services/directory.ts';
import { endpointMetrics, endpointTotals } from './endpointMetrics.ts';

type Local = NonNullable<ComputeApi['local']>;
const refused = (code: 'NOT_FOUND' | 'UNAVAILABLE') => () => Promise.reject(new AppError(code, `refused: ${code}`));
const none = (): Promise<EndpointTotal[]> => Promise.resolve([]);
const engine = (metrics: Local['metrics'], totals: Local['totals']) => ({ local: { metrics, totals } as Local });

describe('metrics of an account', () => {
  it('that is no engine of Hangar are refused with words, and none for the list', async () => {
    await expect(endpointMetrics({ local: null }, 'e', '1h')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await endpointTotals({ local: null }, '1h')).toBeNull();
  });

  it('whose engine is too old are refused with words, and none for the list', async () => {
    const old = engine(refused('NOT_FOUND'), refused('NOT_FOUND'));
    await expect(endpointMetrics(old, 'e', '1h')).rejects.toThrow('too old');
    expect(await endpointTotals(old, '1h')).toBeNull();
  });

  it('of an unknown endpoint are a NOT_FOUND, and a fault stays a fault', async () => {
    await expect(endpointMetrics(engine(refused('NOT_FOUND'), none), 'e', '1h')).rejects.toThrow('refused: NOT_FOUND');
    const away = engine(refused('UNAVAILABLE'), refused('UNAVAILABLE'));
    await expect(endpointMetrics(away, 'e', '1h')).rejects.toThrow('refused: UNAVAILABLE');
    await expect(endpointTotals(away, '1h')).rejects.toThrow('refused: UNAVAILABLE');
  });
});
