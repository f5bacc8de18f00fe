/**
 * The automatic stop of Pods of accounts: what is read, what is stopped, and what is kept over a restart of the app.
 */
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { AppError } from '#contract/core/errors.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createAutoStops, type AutoStops } from './autoStops.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const logger = pino({ level: 'silent' });

describe('the automatic stop of a Pod of an account', () => {
  let clock: FakeClock;
  let ledger: Ledger;
  let stops: AutoStops;
  let accounts: Account[];
  let pods: { id: string; status: string; startedAt: string; costPerHr: number; locked: boolean; gpuCount: number }[];
  let load: { cpu: number; gpus: number[] } | null;
  let terminals: number;
  let requests: string[];
  let fails: boolean;
  /** The account does not report stops. */
  let isSlow: boolean;

  beforeEach(() => {
    clock = createFakeClock();
    ledger = createLedger(':memory:', logger, '1.2.3');
    accounts = [{ id: 'work', kind: 'cloud', state: 'ok' } as Account];
    const startedAt = new Date(clock.now()).toISOString();
    pods = [{ id: 'p', status: 'RUNNING', startedAt, costPerHr: 0.5, locked: false, gpuCount: 1 }];
    [load, terminals, requests, fails, isSlow] = [{ cpu: 1, gpus: [0] }, 0, [], false, false];
    stops = create();
  });

  function create(): AutoStops {
    return createAutoStops({
      directory: {
        list: () => accounts,
        compute: (accountId) => ({
          pods: {
            rows() {
              requests.push(`read ${accountId}`);
              return Promise.resolve({ rows: pods.map(rowOf) });
            },
            act(podId, action) {
              requests.push(`${action} ${podId}`);
              if (fails) return Promise.reject(new AppError('UPSTREAM', 'Not now.'));
              if (!isSlow) for (const pod of pods) if (pod.id === podId) pod.status = 'EXITED';
              return Promise.resolve();
            },
          },
        }),
      },
      rows: ledger.autoStops,
      terminalsIn: () => Promise.resolve(terminals),
      clock,
      logger,
    });
  }

  function rowOf({ id, status, startedAt, costPerHr, locked, gpuCount }: (typeof pods)[number]): PodRow {
    const pod = { id, name: 'trainer', desiredStatus: status, lastStartedAt: startedAt, costPerHr, locked, gpuCount };
    const gpus = load?.gpus.map((gpuUtilPercent, at) => ({ id: String(at), gpuUtilPercent, memoryUtilPercent: 0 }));
    const container = load && { cpuPercent: load.cpu, memoryPercent: 0 };
    const runtime = load && { uptimeInSeconds: 60, ports: [], gpus: gpus ?? [], container };
    return {
      pod: lenientPodSchema.parse({ ...pod, vcpuCount: 8 }),
      facts: { id, preparing: null, problem: null, runtime, httpAddresses: {}, gpus: [] },
    };
  }

  /** Passes so much time, with the looks that fall due. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= MINUTE) {
      clock.advance(Math.min(left, MINUTE));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const row = (): PodRow => rowOf(pods[0]!);
  const state = () => stops.stateOf('work', row());
  const texts = () => (stops.eventsOf('work', 'p') ?? []).map(({ kind, text, times }) => [kind, text, times]);

  it('asks no account without rules, and none that does not work', async () => {
    stops.start();
    await pass(HOUR);
    expect(requests).toEqual([]);
    await stops.change('work', 'p', { idleMinutes: 30 });
    requests = [];
    accounts = [{ ...accounts[0]!, state: 'refused' }];
    await pass(HOUR);
    expect(requests).toEqual([]);
  });

  it('comes once the Pod was idle for so long, with its reason in the state and in the events', async () => {
    stops.start();
    await stops.change('work', 'p', { idleMinutes: 30 });
    const since = clock.now();
    expect(state()).toMatchObject({
      idleSince: new Date(since).toISOString(),
      next: { at: new Date(since + 30 * MINUTE).toISOString(), cause: 'idle' },
    });
    await pass(29 * MINUTE);
    expect(pods[0]?.status).toBe('RUNNING');
    await pass(MINUTE);
    expect(pods[0]?.status).toBe('EXITED');
    expect(state()).toMatchObject({ stopped: { cause: 'idle', reason: 'idle for 30 min' }, next: null });
    expect(texts()).toEqual([['stopped', 'Stopped: idle for 30 min.', 1]]);
    await pass(HOUR);
    expect(requests.filter((one) => one === 'stop p')).toHaveLength(1);
  });

  it.each<[string, () => void]>([
    ['its processor works', () => (load = { cpu: 40, gpus: [0] })],
    ['its GPU works', () => (load = { cpu: 1, gpus: [40] })],
    ['the load of one of its GPUs is not told', () => (load = { cpu: 1, gpus: [] })],
    ['no load is told', () => (load = null)],
    ['a terminal is open in it', () => (terminals = 1)],
    ['it is locked', () => (pods[0]!.locked = true)],
  ])('does not come while %s', async (_, isSo) => {
    isSo();
    stops.start();
    await stops.change('work', 'p', { idleMinutes: 5 });
    await pass(2 * HOUR);
    expect(pods[0]?.status).toBe('RUNNING');
  });

  it('warns at 80 percent of the spend cap and stops at it, by the price and the start that the account tells', async () => {
    load = { cpu: 90, gpus: [90] };
    stops.start();
    await stops.change('work', 'p', { spendUsd: 5 });
    await pass(8 * HOUR - MINUTE);
    expect(texts()).toEqual([]);
    expect(state()).toMatchObject({ next: { cause: 'spend' } });
    await pass(2 * MINUTE);
    expect(texts()).toEqual([['warned', 'It has cost $4.00, 80 % of its spend cap of $5.00.', 1]]);
    await pass(2 * HOUR);
    expect(pods[0]?.status).toBe('EXITED');
    expect(texts().at(-1)).toEqual(['stopped', 'Stopped: it has cost $5.00, which is its spend cap.', 1]);
    // A person starts it again: it counts anew.
    Object.assign(pods[0]!, { status: 'RUNNING', startedAt: new Date(clock.now()).toISOString() });
    await pass(HOUR);
    expect([pods[0]?.status, state().stopped]).toEqual(['RUNNING', null]);
    expect(state().spentUsd).toBeCloseTo(0.5, 1);
    await pass(7.5 * HOUR);
    expect(texts().map(([kind]) => kind)).toEqual(['warned', 'stopped', 'warned']);
  });

  it('is made once although the account reports it only minutes later, and again if it does not come', async () => {
    isSlow = true;
    clock.jump(2 * HOUR - 5 * MINUTE);
    stops.start();
    await stops.change('work', 'p', { spendUsd: 1 });
    await pass(9 * MINUTE);
    expect(requests.filter((one) => one === 'stop p')).toHaveLength(1);
    expect(texts().map(([kind, , times]) => [kind, times])).toEqual([
      ['warned', 1],
      ['stopped', 1],
    ]);
    await pass(4 * MINUTE);
    expect(requests.filter((one) => one === 'stop p')).toHaveLength(2);
    pods[0]!.status = 'EXITED';
    await pass(MINUTE);
    expect(state().stopped?.cause).toBe('spend');
  });

  it('comes at once if the Pod has cost more than its new cap', async () => {
    clock.jump(4 * HOUR);
    expect(await stops.change('work', 'p', { spendUsd: 1 })).toMatchObject({ rules: { spendUsd: 1 } });
    expect(pods[0]?.status).toBe('EXITED');
  });

  it('counts the cost of the time in which the app did not run, and its idle time not', async () => {
    load = { cpu: 1, gpus: [0] };
    stops.start();
    await stops.change('work', 'p', { idleMinutes: 60, spendUsd: 1 });
    stops.stop();
    clock.jump(1.5 * HOUR);
    stops = create();
    expect(stops.list()).toMatchObject([{ podId: 'p', podName: 'trainer', autoStop: { rules: { idleMinutes: 60 } } }]);
    stops.start();
    await pass(MINUTE);
    expect(pods[0]?.status).toBe('RUNNING');
    expect(texts()).toHaveLength(0);
    await pass(30 * MINUTE);
    expect(texts().map(([kind]) => kind)).toEqual(['warned', 'stopped']);
    expect(state().stopped?.cause).toBe('spend');
  });

  it('is tried again if the account refuses it, with one event that counts', async () => {
    fails = true;
    stops.start();
    await stops.change('work', 'p', { idleMinutes: 5 });
    await pass(8 * MINUTE);
    expect(texts()).toEqual([['failed', 'It could not be stopped (idle for 5 min): Not now.', 4]]);
    fails = false;
    await pass(MINUTE);
    expect(pods[0]?.status).toBe('EXITED');
  });

  it('is refused for an unknown Pod, and a spend cap for one that runs without a price', async () => {
    await expect(stops.change('work', 'other', { idleMinutes: 5 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    pods[0]!.costPerHr = 0;
    await expect(stops.change('work', 'p', { spendUsd: 5 })).rejects.toThrow('does not report the price');
  });

  it('is forgotten with its account, and with a Pod that the account no longer lists', async () => {
    stops.start();
    await stops.change('work', 'p', { idleMinutes: 5 });
    const before = pods;
    pods = [];
    await pass(5 * MINUTE);
    expect(ledger.autoStops.list()).toHaveLength(1);
    await pass(10 * MINUTE);
    expect(ledger.autoStops.list()).toEqual([]);
    pods = before;
    await stops.change('work', 'p', { idleMinutes: 5 });
    await stops.leave('work');
    expect([ledger.autoStops.list(), state().rules.idleMinutes]).toEqual([[], null]);
    stops.stop();
  });
});
