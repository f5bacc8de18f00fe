import { describe, expect, it } from 'vitest';
import type { PodRow } from '#contract/bridge/pod.ts';
import { spendingOf } from './spending.ts';

const pod = (desiredStatus: 'RUNNING' | 'EXITED', costPerHr: number): PodRow =>
  ({ pod: { desiredStatus, costPerHr }, facts: { preparing: null, problem: null, runtime: {} } }) as PodRow;

const owner = { balance: null, spendPerHour: null, workersPerHour: null };

describe('what an account spends', () => {
  it('is the sum of what its running Pods cost an hour', () => {
    const rows = [pod('RUNNING', 0.69), pod('RUNNING', 0.31), pod('EXITED', 5)];
    expect(spendingOf({ kind: 'cloud' }, rows, undefined)).toEqual({
      perHour: 1,
      workersPerHour: 0,
      words: 'Pods: 2 running, 1 stopped',
      source: 'As reported by the account, without storage.',
    });
  });

  it('is nothing where no Pod runs, and says whose prices count', () => {
    expect(spendingOf({ kind: 'engine' }, [], undefined)).toEqual({
      perHour: 0,
      workersPerHour: 0,
      words: 'No Pods',
      source: 'By the prices set there.',
    });
  });

  it('is what the account says of itself where it does, with its balance', () => {
    expect(
      spendingOf({ kind: 'cloud' }, [pod('RUNNING', 0.69)], { ...owner, spendPerHour: 0.72, balance: 12.5 }),
    ).toEqual({
      perHour: 0.72,
      workersPerHour: 0,
      words: 'Pods: 1 running',
      source: 'As reported by the account. Balance: $12.50.',
    });
  });

  it('has what the workers of an engine cost, beside its Pods', () => {
    expect(spendingOf({ kind: 'engine' }, [pod('RUNNING', 0.5)], { ...owner, workersPerHour: 1 })).toMatchObject({
      perHour: 1.5,
      workersPerHour: 1,
      words: 'Pods: 1 running · workers $1.00/h',
    });
  });
});
