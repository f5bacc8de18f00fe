/** Usage for specs: series, pieces, and a store in memory that commits when told. */
import type { CommitCallback } from '../../../main/engine/domain/core/commits.ts';
import {
  HOURS_OF_DAY,
  type UsageKind,
  type UsagePiece,
  type UsageSeries,
  type UsageStore,
  type UsageSum,
} from '../../../main/engine/domain/billing/usage.ts';

export const seriesOf = (kind: UsageKind, resourceId: string, over: Partial<UsageSeries> = {}): UsageSeries => ({
  kind,
  resourceId,
  templateId: '',
  imageName: '',
  gpuTypeId: 'CPU',
  ...over,
});

export interface FakeUsageStore extends UsageStore {
  /** What was committed. */
  readonly pieces: UsagePiece[];
  /** Commits what was handed in, or fails it. */
  commit(error?: Error): void;
}

export function createFakeUsageStore(): FakeUsageStore {
  const stored: UsagePiece[] = [];
  let writes: { pieces: readonly UsagePiece[]; settled: CommitCallback }[] = [];
  const keyOf = (series: UsageSeries): string => JSON.stringify(series);
  const keys = (): string[] => [...new Set(stored.map(({ series }) => keyOf(series)))];
  return {
    pieces: stored,
    series: (kind) =>
      keys()
        .map((key, id) => ({ ...(JSON.parse(key) as UsageSeries), id }))
        .filter((one) => one.kind === kind),
    sums({ seriesIds, unit, fromHour, toHour, perWorker }, take) {
      const known = keys();
      for (const seriesId of seriesIds)
        for (const { series, hour, workerId, ...more } of stored) {
          if (known.indexOf(keyOf(series)) !== seriesId || hour < fromHour || hour >= toHour) continue;
          const at = unit === 'hour' ? hour : Math.floor(hour / HOURS_OF_DAY);
          take({ ...more, seriesId, at, workerId: perWorker ? workerId : '' });
        }
    },
    add: (pieces, settled) => void writes.push({ pieces: structuredClone(pieces), settled }),
    commit(error) {
      const now = writes;
      writes = [];
      for (const { pieces, settled } of now) {
        if (!error) stored.push(...pieces);
        settled(error ?? null);
      }
    },
  };
}

export const total = (pieces: readonly Pick<UsageSum, 'ms' | 'amount'>[]): { ms: number; amount: number } => ({
  ms: pieces.reduce((sum, { ms }) => sum + ms, 0),
  amount: pieces.reduce((sum, { amount }) => sum + amount, 0),
});
