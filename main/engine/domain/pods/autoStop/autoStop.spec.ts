/** The automatic stop of Pods of this machine: what stops them, what is kept over restarts, and what is told. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { PodActivity } from '#contract/api/autoStopRule.ts';
import { L4, podMachine, untilRuns, type PodMachineUnderTest } from '../../../../../test/support/pods/fakePods.ts';
import { until } from '../../../../../test/support/core/until.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const idle: PodActivity = { cpuPercent: 0.2, cores: 4, gpuPercents: [0], trafficBytesPerS: 0, terminals: 0 };
const busy: PodActivity = { ...idle, cpuPercent: 80 };

describe('the automatic stop of a Pod', () => {
  let machine: PodMachineUnderTest;
  let id: string;
  beforeEach(async () => {
    machine = podMachine();
    ({ id } = await machine.pods.create({ imageName: 'me/image:1', gpuTypeIds: [L4] }));
    await untilRuns(machine, id);
  });

  const state = async () => (await machine.pods.facts(id)).autoStop;
  const status = () => machine.pods.get(id).desiredStatus;
  const texts = (kind: string) =>
    machine.pods
      .events(id)
      .filter((event) => event.kind === kind)
      .map(({ text, by }) => [text, by]);
  /** Passes so much time, with a measurement every ten seconds. */
  function pass(ms: number, activity: PodActivity | null = idle): void {
    for (let left = ms; left > 0; left -= 10_000) {
      machine.clock.advance(10_000);
      machine.pods.observe(id, activity);
    }
  }

  test('is off by default: an idle Pod runs on', async () => {
    pass(10 * HOUR);
    expect(status()).toBe('RUNNING');
    expect(await state()).toMatchObject({ rules: { idleMinutes: null, spendUsd: null }, next: null, idleSince: null });
  });

  test('comes once the Pod was idle for so long, with the reason in its events and in its state', async () => {
    machine.pods.changeAutoStop(id, { idleMinutes: 30 });
    pass(10_000);
    const since = machine.clock.now();
    expect(await state()).toMatchObject({
      idleSince: new Date(since).toISOString(),
      next: { at: new Date(since + 30 * MINUTE).toISOString(), cause: 'idle' },
    });
    pass(29 * MINUTE);
    expect(status()).toBe('RUNNING');
    pass(MINUTE);
    expect(status()).toBe('EXITED');
    await until('the reason to be kept', async () => (await state())?.stopped);
    expect(await state()).toMatchObject({ stopped: { cause: 'idle', reason: 'idle for 30 min' }, idleSince: null });
    expect(texts('stopped')).toEqual([['Stopped: idle for 30 min.', 'engine']]);
    expect(machine.pods.get(id).lastStatusChange).toMatch(/^Stopped, idle for 30 min: /);
    expect(machine.driver.done.at(-1)).toBe(`stop ${id}`);
  });

  test('does not come while the Pod works, nor by an idle time before it worked', async () => {
    machine.pods.changeAutoStop(id, { idleMinutes: 30 });
    pass(29 * MINUTE);
    pass(10_000, busy);
    expect(await state()).toMatchObject({ idleSince: null, next: null, busyWith: 'Its CPU is at 80 %.' });
    pass(29 * MINUTE);
    expect(status()).toBe('RUNNING');
    pass(10_000, null);
    pass(29 * MINUTE);
    expect(status()).toBe('RUNNING');
  });

  test('counts a GPU of the Pod that the machine does not list as busy', () => {
    machine.pods.changeAutoStop(id, { idleMinutes: 1 });
    pass(10 * MINUTE, { ...idle, gpuPercents: [] });
    expect(status()).toBe('RUNNING');
  });

  test('waits while the Pod is locked', async () => {
    machine.pods.changeAutoStop(id, { idleMinutes: 30 });
    await machine.pods.update(id, { locked: true });
    pass(40 * MINUTE);
    expect([status(), (await state())?.next]).toEqual(['RUNNING', null]);
    await machine.pods.update(id, { locked: false });
    pass(10_000);
    expect(status()).toBe('EXITED');
  });

  test('is kept over a restart of the engine, after which the idle time begins anew', async () => {
    machine.pods.changeAutoStop(id, { idleMinutes: 30 });
    pass(20 * MINUTE);
    machine = await machine.again();
    await machine.pods.begin();
    expect(await state()).toMatchObject({ rules: { idleMinutes: 30 }, idleSince: null });
    pass(20 * MINUTE);
    expect(status()).toBe('RUNNING');
    pass(11 * MINUTE);
    expect(status()).toBe('EXITED');
  });

  test('by the cost warns at 80 percent and stops at the cap, counted from the start of the Pod', async () => {
    machine.pods.changeAutoStop(id, { spendUsd: 1 });
    expect(await state()).toMatchObject({ spentUsd: 0, next: { cause: 'spend' } });
    pass(1.5 * HOUR, busy);
    expect(texts('warned')).toEqual([]);
    pass(10 * MINUTE, busy);
    expect(texts('warned')).toEqual([['It has cost $0.80, 80 % of its spend cap of $1.00.', 'engine']]);
    pass(10 * MINUTE, busy);
    expect(texts('warned')).toHaveLength(1);
    pass(10 * MINUTE, busy);
    await until('the Pod to be stopped', () => status() === 'EXITED');
    expect(texts('stopped')).toEqual([['Stopped: it has cost $1.00, which is its spend cap.', 'engine']]);
    await until('the reason to be kept', async () => (await state())?.stopped);
    // Each start counts anew.
    await machine.pods.start(id);
    await untilRuns(machine, id);
    expect(await state()).toMatchObject({ stopped: null, spentUsd: 0 });
    pass(HOUR, busy);
    expect(status()).toBe('RUNNING');
  });

  test('by the cost counts each hour at the price of that hour', async () => {
    const price = { now: 0.01 };
    const priced = podMachine({ perHour: () => price.now });
    const pod = await priced.pods.create({ imageName: 'me/image:1', computeType: 'CPU' });
    await untilRuns(priced, pod.id);
    priced.pods.changeAutoStop(pod.id, { spendUsd: 5 });
    const hour = () => {
      priced.clock.advance(HOUR);
      priced.pods.observe(pod.id, busy);
    };
    const spent = async () => (await priced.pods.facts(pod.id)).autoStop?.spentUsd;
    for (let count = 0; count < 100; count++) hour();
    expect(await spent()).toBeCloseTo(1);
    price.now = 1;
    priced.pods.observe(pod.id, busy);
    expect(await spent()).toBeCloseTo(1);
    hour();
    expect(await spent()).toBeCloseTo(2);
    price.now = 0;
    priced.pods.observe(pod.id, busy);
    hour();
    expect(await spent()).toBeCloseTo(2);
    price.now = 1.5;
    priced.pods.observe(pod.id, busy);
    hour();
    expect(priced.pods.get(pod.id).desiredStatus).toBe('RUNNING');
    hour();
    await until('the Pod to be stopped', () => priced.pods.get(pod.id).desiredStatus === 'EXITED');
  });

  test('by the cost is refused for a Pod without a price', async () => {
    const free = podMachine({ perHour: () => 0 });
    const pod = await free.pods.create({ imageName: 'me/image:1', computeType: 'CPU' });
    expect(() => free.pods.changeAutoStop(pod.id, { spendUsd: 1 })).toThrow('has no price');
    expect(free.pods.changeAutoStop(pod.id, { idleMinutes: 5 }).rules).toEqual({ idleMinutes: 5, spendUsd: null });
  });

  test('changes only by the rules that are named, and is off again with null', async () => {
    machine.pods.changeAutoStop(id, { idleMinutes: 30 });
    machine.pods.changeAutoStop(id, { spendUsd: 2 });
    expect((await state())?.rules).toEqual({ idleMinutes: 30, spendUsd: 2 });
    machine.pods.changeAutoStop(id, { idleMinutes: null, spendUsd: null });
    pass(10 * HOUR);
    expect(status()).toBe('RUNNING');
    expect(machine.rows.get(id)).not.toHaveProperty('autoStop');
  });
});
