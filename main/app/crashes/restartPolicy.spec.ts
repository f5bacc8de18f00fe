/** Rules of starting a dead engine again. */
import { describe, expect, it } from 'vitest';
import { decideRestart, type Death } from './restartPolicy.ts';

const crashesAt = (...times: number[]): Death[] => times.map((at) => ({ at, crashed: true }));
const MINUTE_MS = 60_000;

describe('decideRestart', () => {
  it('starts a dead engine again within a quarter of a second, because workers and clients wait', () => {
    expect(decideRestart(crashesAt(0), 0)).toEqual({ delayMs: 150 });
  });

  it('waits longer after each further crash', () => {
    const delays = [1, 2, 3, 4].map((count) => decideRestart(crashesAt(...Array<number>(count).fill(0)), 0));
    expect(delays).toEqual([{ delayMs: 150 }, { delayMs: 1000 }, { delayMs: 5000 }, { delayMs: 15_000 }]);
  });

  it('stops after five crashes within ten minutes, and says so', () => {
    expect(decideRestart(crashesAt(0, 1, 2, 3, 4), 4)).toEqual({ giveUp: 'It crashed 5 times within 10 minutes.' });
  });

  it('forgets crashes that are older than ten minutes', () => {
    expect(decideRestart(crashesAt(0, 0, 0, 0, 10 * MINUTE_MS), 10 * MINUTE_MS)).toEqual({ delayMs: 150 });
  });

  it('never gives up over an engine that was ended from outside, but grows gentle when that does not end', () => {
    const killed = (count: number): Death[] => Array.from({ length: count }, (_, at) => ({ at, crashed: false }));
    expect(decideRestart(killed(20), 20)).toEqual({ delayMs: 150 });
    expect(decideRestart(killed(50), 50)).toEqual({ delayMs: 60_000 });
  });
});
