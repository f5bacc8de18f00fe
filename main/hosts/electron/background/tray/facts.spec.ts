/** Rules of what the tray reads: from which accounts, how often, and what it keeps where one does not answer. */
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { createFakeClock } from '../../../../../test/support/core/fakeClock.ts';
import { watchTrayFacts, type FactsSource, type TrayFacts, type TrayFactsWatch } from './facts.ts';

const logger = pino({ level: 'silent' });
const account = (id: string, capabilities: string[] = ['management']): Account =>
  ({ id, name: `The ${id}`, kind: 'cloud', capabilities }) as Account;
const row = (id: string, desiredStatus = 'RUNNING'): PodRow => ({
  pod: {
    id,
    name: `pod ${id}`,
    desiredStatus,
    costPerHr: 0.5,
    locked: false,
    networkVolumeId: null,
    volumeInGb: 20,
    volumeMountPath: '/workspace',
  } as PodRow['pod'],
  facts: null,
});
const gpu = (utilPercent: number | null): Pick<MachineGpu, 'load'> => ({
  load: { utilPercent } as MachineGpu['load'],
});

/** Lets all answers arrive that wait for nothing but each other. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the facts of the tray', () => {
  let clock: ReturnType<typeof createFakeClock>;
  let requests: string[];
  let shown: TrayFacts[];
  let queues: Record<string, number>;
  let gpus: Pick<MachineGpu, 'load'>[];
  let pods: Record<string, PodRow[] | Error>;
  let isRunning: boolean;
  let watch: TrayFactsWatch;

  const source: FactsSource = {
    endpoints: () => Promise.resolve(Object.keys(queues).map((id) => ({ id }))),
    queued: (id) => Promise.resolve(queues[id] ?? 0),
    gpus() {
      requests.push('gpus');
      return Promise.resolve(gpus);
    },
    accounts: () => Promise.resolve([account('a'), account('b'), account('jobs only', [])]),
    podsOf(id) {
      requests.push(id);
      const answer = pods[id] ?? [];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };

  beforeEach(async () => {
    [clock, requests, shown, isRunning] = [createFakeClock(), [], [], true];
    queues = { one: 2, two: 3 };
    gpus = [gpu(12), gpu(77.6), gpu(null)];
    pods = { a: [row('1'), row('2', 'EXITED')], b: [row('3')] };
    watch = watchTrayFacts(
      () => (isRunning ? source : null),
      (facts) => shown.push(facts),
      { clock, logger },
    );
    await settle();
    return () => watch.stop();
  });

  async function pass(ms: number): Promise<TrayFacts | undefined> {
    clock.advance(ms);
    await settle();
    return shown.at(-1);
  }

  it('are the queue of all endpoints, the busiest GPU, and the running Pods of all accounts that have Pods', () => {
    expect(shown.at(-1)?.load).toEqual({ queued: 5, gpuPercent: 78, hasGpus: true });
    expect(shown.at(-1)?.pods.map(({ podId, accountName }) => [podId, accountName])).toEqual([
      ['1', 'The a'],
      ['3', 'The b'],
    ]);
    expect(requests).not.toContain('jobs only');
  });

  it('are read again: the queue every 10 s, clouds every minute', async () => {
    queues = { one: 1 };
    expect((await pass(10_000))?.load.queued).toBe(1);
    expect(requests.filter((id) => id === 'a')).toHaveLength(1);
    pods = {};
    expect((await pass(50_000))?.pods).toEqual([]);
  });

  it('keep the Pods of an account that does not answer: they may still cost money', async () => {
    pods = { a: new Error('away'), b: [] };
    expect((await pass(60_000))?.pods.map(({ podId }) => podId)).toEqual(['1']);
  });

  it('ask a computer without a GPU only once', async () => {
    gpus = [];
    expect((await pass(10_000))?.load).toMatchObject({ gpuPercent: null });
    const before = requests.filter((one) => one === 'gpus').length;
    await pass(10_000);
    expect(requests.filter((one) => one === 'gpus')).toHaveLength(before);
  });

  it('stay while the app does not run, and are read at once after its start', async () => {
    isRunning = false;
    queues = { one: 9 };
    expect((await pass(60_000))?.load.queued).toBe(5);
    isRunning = true;
    watch.refresh();
    await settle();
    expect(shown.at(-1)?.load.queued).toBe(9);
  });
});
