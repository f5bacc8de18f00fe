import { describe, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { accountConcerns, fadingConcerns, jobConcerns, podConcerns } from './attention.ts';

const cloud = { id: 'c', name: 'work', kind: 'cloud' } as Account;
const engine = { id: 'e', name: 'box', kind: 'engine' } as Account;

interface Shape {
  desiredStatus?: 'RUNNING' | 'EXITED';
  costPerHr?: number;
  gpu?: number;
  cpu?: number;
  uptime?: number;
  problem?: string;
  reported?: boolean;
}
const row = ({
  desiredStatus = 'RUNNING',
  costPerHr = 0.69,
  gpu = 0,
  cpu = 1,
  uptime = 3600,
  ...rest
}: Shape): PodRow =>
  ({
    pod: { id: 'p', name: 'trainer', desiredStatus, costPerHr },
    facts: {
      problem: rest.problem ?? null,
      runtime:
        rest.reported === false
          ? null
          : { uptimeInSeconds: uptime, gpus: [{ gpuUtilPercent: gpu }], container: { cpuPercent: cpu } },
    },
  }) as PodRow;

const titles = (account: Account, shape: Shape) => podConcerns(account, [row(shape)]).map(({ title }) => title);

describe('what wants a person', () => {
  it('has a Pod that costs money and does nothing', () => {
    expect(podConcerns(cloud, [row({})])[0]).toMatchObject({
      tone: 'wait',
      title: 'Pod trainer does nothing now',
      text: 'GPU 0 %, processor 1 %, up for 1 h, $0.69/h.',
    });
  });

  it('does not have one that works, has just begun, costs nothing, or of which nothing is known', () => {
    for (const shape of [{ gpu: 60 }, { cpu: 30 }, { uptime: 60 }, { costPerHr: 0 }, { reported: false }])
      expect(titles(cloud, shape)).toEqual([]);
  });

  it('has a stopped Pod only where its volume is still billed', () => {
    expect(titles(cloud, { desiredStatus: 'EXITED' })).toEqual(['Pod trainer is stopped']);
    expect(titles(engine, { desiredStatus: 'EXITED' })).toEqual([]);
  });

  it('has a Pod that cannot run, with the reason', () => {
    expect(podConcerns(engine, [row({ problem: 'No such image.' })])[0]).toMatchObject({
      tone: 'bad',
      text: 'No such image.',
    });
  });

  it('has the jobs of which it is known why they wait', () => {
    const entry = (waiting: string | null, status = 'IN_QUEUE') =>
      ({ entryId: 'j', accountId: 'c', endpointName: 'sdxl', status, waiting }) as LedgerEntry;
    const entries = [entry('No GPU in stock.'), entry(null), entry('old words', 'IN_PROGRESS')];
    expect(jobConcerns(entries).map(({ text }) => text)).toEqual(['No GPU in stock.']);
  });

  it('has each account whose key is of no use, whichever is the target, and one way to unlock all that are locked', () => {
    const account = (id: string, state: Account['state'], reason: string | null = null) =>
      ({ id, name: id.toUpperCase(), kind: 'cloud', state, reason }) as Account;
    const concerns = accountConcerns([
      account('a', 'refused', '401.'),
      account('b', 'ok'),
      account('c', 'locked', 'Locked.'),
      account('d', 'locked'),
      account('e', 'no-key'),
      account('f', 'offline'),
    ]);
    expect(concerns).toMatchObject([
      { title: 'The key for A was refused', text: '401.', route: { page: 'accounts', accountId: 'a' } },
      { title: 'There is no key for E', action: 'Give a key' },
      { title: 'Keys are locked away: C, D', text: 'Locked.', route: { page: 'settings', tab: 'secrets' } },
    ]);
    expect(concerns.map(({ accountId }) => accountId)).toEqual([null, null, null]);
  });

  it('has the results that a cloud forgets within minutes, and neither those that it has forgotten nor those of an engine', () => {
    const now = Date.UTC(2026, 5, 15, 12);
    const minute = 60_000;
    const result = (minutesAgo: number, rest: Partial<LedgerEntry> = {}) =>
      ({
        accountId: 'c',
        status: 'COMPLETED',
        mode: 'run',
        finishedAt: now - minutesAgo * minute,
        ...rest,
      }) as LedgerEntry;
    const told = (entries: LedgerEntry[]) => fadingConcerns([cloud, engine], entries, now).map(({ title }) => title);
    expect(told([result(25), result(21), result(31), result(5)])).toEqual(['work soon forgets 2 results']);
    expect(told([result(25)])).toEqual(['work soon forgets a result']);
    expect(told([result(25, { accountId: 'e' }), result(25, { status: 'FAILED' })])).toEqual([]);
    expect(told([result(2, { mode: 'runsync' }), result(0, { mode: 'runsync' })])).toEqual([
      'work soon forgets a result',
    ]);
  });
});
