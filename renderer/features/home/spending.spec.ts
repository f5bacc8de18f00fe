import { describe, expect, it } from 'vitest';
import type { PodRow } from '#contract/bridge/pod.ts';
import { spendingOf } from './spending.ts';

const pod = (desiredStatus: 'RUNNING' | 'EXITED', costPerHr: number): PodRow =>
  ({ pod: { desiredStatus, costPerHr }, facts: null }) as PodRow;

describe('what an account spends', () => {
  it('is the sum of what its running Pods cost an hour', () => {
    const rows = [pod('RUNNING', 0.69), pod('RUNNING', 0.31), pod('EXITED', 5)];
    expect(spendingOf({ kind: 'cloud' }, rows)).toEqual({
      perHour: 1,
      words: '2 Pods run, 1 stopped',
      source: 'As the account tells; storage is not in it.',
    });
  });

  it('is nothing where no Pod runs, and says whose prices count', () => {
    expect(spendingOf({ kind: 'engine' }, [])).toEqual({
      perHour: 0,
      words: 'No Pod runs',
      source: 'By the prices set there.',
    });
  });
});
