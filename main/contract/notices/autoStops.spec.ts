/** Rules of the notification about Pods that stop by themselves. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AutoStop } from '../api/autoStop.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import { watchAutoStops } from './autoStops.ts';
import { createTexts } from '../language/translation.ts';
import type { Notice } from './notices.ts';

const MINUTE_MS = 60_000;

describe('a Pod that stops by itself', () => {
  let clock: FakeClock;
  let autoStop: AutoStop;
  let notices: Notice[];
  let isWanted: boolean;
  let reads: number;
  let stop: () => void;

  beforeEach(() => {
    [clock, notices, isWanted, reads] = [createFakeClock(), [], true, 0];
    const rules = { idleMinutes: 30, spendUsd: 5 };
    autoStop = { rules, idleSince: null, busyWith: null, measuredAt: null, next: null, spentUsd: 1, stopped: null };
    stop = watchAutoStops({
      pods() {
        reads += 1;
        return Promise.resolve([{ accountId: 'work', podId: 'p', podName: 'trainer', autoStop }]);
      },
      isWanted: () => isWanted,
      notify: (notice) => notices.push(notice),
      clock,
      words: createTexts('en', null),
      onFailure: () => undefined,
    });
  });

  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.advance(MINUTE_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const stoppedNow = () => ({
    at: new Date(clock.now()).toISOString(),
    cause: 'idle' as const,
    reason: 'idle for 30 min',
  });

  it('has one notification at 80 percent of its spend cap, which opens it, and another one for another cap', async () => {
    await pass(5);
    expect(notices).toEqual([]);
    autoStop = { ...autoStop, spentUsd: 4 };
    await pass(30);
    expect(notices).toEqual([
      {
        kind: 'pod-spending',
        title: 'The Pod trainer is near its spend cap',
        body: 'It has cost $4.00 of $5.00. Then it stops.',
        address: '#/pods/p',
        accountId: 'work',
      },
    ]);
    autoStop = { ...autoStop, rules: { ...autoStop.rules, spendUsd: 4.5 } };
    await pass(2);
    expect(notices).toHaveLength(2);
  });

  it('has one notification with the reason once it was stopped, unless that is long ago', async () => {
    autoStop = { ...autoStop, stopped: { ...stoppedNow(), at: new Date(clock.now() - 10 * MINUTE_MS).toISOString() } };
    await pass(2);
    expect(notices).toEqual([]);
    autoStop = { ...autoStop, stopped: stoppedNow() };
    await pass(10);
    expect(notices).toMatchObject([{ title: 'The Pod trainer was stopped', body: 'It was idle for 30 min.' }]);
  });

  it('is not read while the notification is switched off, and not after the end', async () => {
    isWanted = false;
    await pass(5);
    expect(reads).toBe(0);
    isWanted = true;
    await pass(1);
    stop();
    await pass(5);
    expect([reads, clock.pending()]).toEqual([1, 0]);
  });
});
