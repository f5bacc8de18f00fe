/** Usage for specs: series, pieces, and a store in memory that commits when told. */
import type { Settled } from '../../main/engine/domain/ports.ts';
import type { UsageKind, UsagePiece, UsageSeries, UsageStore, UsageSum } from '../../main/engine/domain/usage.ts';

export const seriesOf = (kind: UsageKind, resourceId: string, over: Partial<UsageSeries> = {}): UsageSeries => ({
  ...{ kind, resourceId, templateId: '', imageName: '', gpuTypeId: 'CPU' },
  ...over,
});

export interface FakeUsageStore extends Pick<UsageStore, 'add'> {
  /** What was committed. */
  readonly kept: UsagePiece[];
  /** Commits what was handed in, or fails it. */
  commit(error?: Error): void;
}

export function createFakeUsageStore(): FakeUsageStore {
  const kept: UsagePiece[] = [];
  let writes: { pieces: readonly UsagePiece[]; settled: Settled }[] = [];
  return {
    kept,
    add: (pieces, settled) => void writes.push({ pieces: structuredClone(pieces), settled }),
    commit(error) {
      const now = writes;
      writes = [];
      for (const { pieces, settled } of now) {
        if (!error) kept.push(...pieces);
        settled(error ?? null);
      }
    },
  };
}

export const total = (pieces: readonly Pick<UsageSum, 'ms' | 'amount'>[]): { ms: number; amount: number } => ({
  ms: pieces.reduce((sum, { ms }) => sum + ms, 0),
  amount: pieces.reduce((sum, { amount }) => sum + amount, 0),
});
