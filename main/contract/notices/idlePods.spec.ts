/** Rules of the notification about an idle Pod: when it comes, how often, and which accounts are read for it. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../app/account.ts';
import type { PodRow } from '../bridge/pod.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import { watchIdlePods, type IdlePods } from './idlePods.ts';
import { createTexts } from '../language/translation.ts';
import type { Notice } from './notices.ts';

const MINUTE_MS = 60_000;
const account = (id: string, kind: Account['kind'] = 'cloud'): Account => ({ id, name: `The ${id}`, kind }) as Account;

function rowOf(cpuPercent: number, { costPerHr = 0.5, uptimeInSeconds = 3600 } = {}): PodRow {
  const runtime = { uptimeInSeconds, ports: [], gpus: [], container: { cpuPercent, memoryPercent: 0 } };
  return {
    pod: { id: 'pod-1', name: 'trainer', desiredStatus: 'RUNNING', costPerHr, vcpuCount: 8 } as PodRow['pod'],
    facts: { runtime } as unknown as PodRow['facts'],
  };
}

describe('a Pod that costs money and does nothing', () => {
  let clock: FakeClock;
  let row: PodRow;
  let reads: string[];
  let notices: Notice[];
  let isWanted: boolean;
  let fails: boolean;
  let pods: IdlePods;

  beforeEach(() => {
    [clock, row, reads, notices, isWanted, fails] = [createFakeClock(), rowOf(1), [], [], true, false];
    pods = watchIdlePods({
      podsOf(accountId) {
        reads.push(accountId);
        return fails ? Promise.reject(new Error('away')) : Promise.resolve([row]);
      },
      isWanted: () => isWanted,
      notify: (notice) => notices.push(notice),
      clock,
      words: createTexts('en', null),
      onFailure: () => undefined,
    });
  });

  /** Passes this many minutes, with all reads that fall due. */
  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      clock.advance(MINUTE_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  async function begin(...accounts: Account[]): Promise<void> {
    pods.follow(accounts);
    await pass(0);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('has one notification after a quarter of an hour, which says what it costs and opens it', async () => {
    await begin(account('cloud'));
    await pass(14);
    expect(notices).toEqual([]);
    await pass(1);
    expect(notices).toEqual([
      {
        kind: 'pod-idle',
        title: 'The Pod trainer is idle',
        body: 'It costs $0.50 per hour on The cloud. Its load is 1 %.',
        address: '#/pods/pod-1',
        accountId: 'cloud',
      },
    ]);
    await pass(60);
    expect(notices).toHaveLength(1);
  });

  it('has another notification after it was busy in between', async () => {
    await begin(account('cloud'));
    await pass(10);
    row = rowOf(50);
    await pass(5);
    row = rowOf(1);
    await pass(15);
    expect(notices).toEqual([]);
    await pass(5);
    expect(notices).toHaveLength(1);
    row = rowOf(50);
    await pass(5);
    row = rowOf(1);
    await pass(20);
    expect(notices).toHaveLength(2);
  });

  it.each([
    ['costs nothing', rowOf(1, { costPerHr: 0 })],
    ['has just started', rowOf(1, { uptimeInSeconds: 600 })],
    ['has no measurements', { ...rowOf(1), facts: null }],
  ])('but none if it %s', async (_name, other) => {
    row = other;
    await begin(account('cloud'));
    await pass(60);
    expect(notices).toEqual([]);
  });

  it('is read for cloud accounts only, at once for a new one, and not after the removal of the account', async () => {
    await begin(account('engine', 'engine'));
    await pass(10);
    expect(reads).toEqual([]);
    await begin(account('engine', 'engine'), account('cloud'));
    expect(reads).toEqual(['cloud']);
    // Every change of an account arrives here.
    await begin(account('cloud'));
    expect(reads).toEqual(['cloud']);
    await pass(5);
    expect(reads).toEqual(['cloud', 'cloud']);
    await begin();
    await pass(30);
    expect(reads).toHaveLength(2);
  });

  it('is not read while the notification is switched off', async () => {
    isWanted = false;
    await begin(account('cloud'));
    await pass(30);
    expect(reads).toEqual([]);
    isWanted = true;
    await pass(20);
    expect(notices).toHaveLength(1);
  });

  it('stays as it was while the account cannot be reached', async () => {
    await begin(account('cloud'));
    await pass(10);
    fails = true;
    await pass(30);
    expect(notices).toEqual([]);
    fails = false;
    await pass(5);
    expect(notices).toHaveLength(1);
  });

  it('is not read after the end of the app', async () => {
    await begin(account('cloud'));
    pods.stop();
    await pass(30);
    expect(reads).toEqual(['cloud']);
    expect(clock.pending()).toBe(0);
  });
});
