import { describe, expect, it } from 'vitest';
import type { Account } from '#contract/account.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { PodRow } from '#contract/podBridge.ts';
import { jobConcerns, podConcerns } from './attention.ts';

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
});
