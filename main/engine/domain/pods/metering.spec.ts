import { describe, expect, test } from 'vitest';
import { defaultPriceSettings } from '#contract/api/billing.ts';
import { A40, podMachine, untilRuns, type PodMachineUnderTest } from '../../../../test/support/pods/fakePods.ts';
import { createFakeClock, silentLogger, type FakeClock } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import { createFakeUsageStore, total, type FakeUsageStore } from '../../../../test/support/billing/fakeUsage.ts';
import { createPodUsage } from './metering.ts';
import { createPrices } from '../billing/pricing.ts';
import { HOUR_MS } from '../billing/usage.ts';
import { createUsageMeter } from '../billing/meter.ts';

const MINUTE = 60_000;
/** A whole hour. */
const START = Date.UTC(2026, 0, 5, 10);
const imageName = 'me/image:1';
/** The price of 20 GB, the default volume of a Pod. */
const DISK_HOUR = 20 * 0.01;

interface Scene extends PodMachineUnderTest {
  /** Sets the price of an hour of one core. */
  setCpuHour(price: number): void;
  usage: FakeUsageStore;
  /** The billed usage so far. */
  billed(): { ms: number; amount: number };
  /**
   * Kills the engine and starts another one on its stored data. `missing`: the reason why no container engine is
   * available then.
   */
  killed(offMs: number, missing?: string): Promise<Scene>;
}

function scene(clock: FakeClock = createFakeClock(START), usage = createFakeUsageStore(), before?: Scene): Scene {
  const settings = { ...defaultPriceSettings, gpuHour: { [A40]: 1 }, cpuHour: 0.1, volumeGbMonth: 7.2 };
  const computer = { cpuModel: 'Some CPU', cores: 8, memoryInGb: 32 };
  const prices = createPrices({ gpus: () => [], settings: () => settings, computer });
  const meter = createUsageMeter(clock, usage, silentLogger);
  const watch = createPodUsage({ meter, prices, store: usage, clock, logger: silentLogger, cores: 8 });
  const old = before && { rows: before.rows, folders: before.folders, containers: before.driver.containers };
  const on = podMachine({ clock, watch, perHour: prices.perHour, ...old });
  const own: Scene = {
    ...on,
    usage,
    setCpuHour(price) {
      settings.cpuHour = price;
      meter.pricesChanged();
    },
    billed() {
      meter.pricesChanged();
      usage.commit();
      return total(usage.pieces);
    },
    async killed(offMs, missing) {
      usage.commit();
      await on.pods.leave();
      // The meter of a killed engine saves nothing.
      const handIn = usage.add;
      usage.add = () => undefined;
      meter.stop();
      usage.add = handIn;
      clock.advance(offMs);
      const next = scene(clock, usage, own);
      next.driver.missing = missing ?? null;
      await next.pods.begin();
      return next;
    },
  };
  return own;
}

async function running(on: Scene, input: object = {}): Promise<string> {
  const { id } = await on.pods.create({ imageName, ...input });
  await untilRuns(on, id);
  return id;
}

describe('a Pod is billed', () => {
  test('while its container runs for its GPUs and its volume, stopped for its volume, deleted for nothing', async () => {
    const on = scene();
    const id = await running(on);
    on.clock.advance(HOUR_MS);
    expect(on.billed()).toEqual({ ms: HOUR_MS, amount: expect.closeTo(1 + DISK_HOUR) as number });
    await on.pods.stop(id);
    on.clock.advance(HOUR_MS);
    expect(on.billed()).toEqual({ ms: HOUR_MS, amount: expect.closeTo(1 + 2 * DISK_HOUR) as number });
    await on.pods.start(id);
    await untilRuns(on, id);
    on.clock.advance(HOUR_MS);
    await on.pods.terminate(id);
    on.clock.advance(HOUR_MS);
    expect(on.billed()).toEqual({ ms: 2 * HOUR_MS, amount: expect.closeTo(2 + 3 * DISK_HOUR) as number });
    expect(on.usage.pieces.every(({ series, gb }) => series.gpuTypeId === A40 && gb === 20)).toBe(true);
  });

  test('not for its GPU while its image is pulled', async () => {
    const on = scene();
    const pull = on.driver.hold();
    const { id } = await on.pods.create({ imageName });
    on.clock.advance(HOUR_MS);
    expect(on.billed()).toEqual({ ms: 0, amount: expect.closeTo(DISK_HOUR) as number });
    pull.release();
    await untilRuns(on, id);
    on.clock.advance(HOUR_MS);
    expect(on.billed().ms).toBe(HOUR_MS);
  });

  test('on the CPU for its cores, and for no disk where it has no volume', async () => {
    const on = scene();
    const id = await running(on, { computeType: 'CPU', vcpuCount: 4, volumeInGb: 0 });
    on.clock.advance(HOUR_MS);
    expect(on.billed()).toEqual({ ms: HOUR_MS, amount: expect.closeTo(0.4) as number });
    await on.pods.stop(id);
    on.clock.advance(HOUR_MS);
    expect(on.billed().amount).toBeCloseTo(0.4);
    expect(on.usage.pieces[0]?.series.gpuTypeId).toBe('CPU');
  });

  test('at the price that it shows, which is the present one', async () => {
    const on = scene();
    const id = await running(on, { computeType: 'CPU', vcpuCount: 4, volumeInGb: 0 });
    expect(on.pods.get(id)).toMatchObject({ costPerHr: 0.4, adjustedCostPerHr: 0.4 });
    on.clock.advance(HOUR_MS);
    on.setCpuHour(0.3);
    expect(on.pods.get(id)).toMatchObject({ costPerHr: 1.2, adjustedCostPerHr: 1.2 });
    on.clock.advance(HOUR_MS);
    expect(on.billed().amount).toBeCloseTo(1.6);
    on.setCpuHour(0);
    expect(on.pods.get(id).costPerHr).toBe(0);
    on.clock.advance(HOUR_MS);
    expect(on.billed().amount).toBeCloseTo(1.6);
  });

  test('not after its container has ended by itself, until it runs again', async () => {
    const on = scene();
    const id = await running(on);
    await on.pods.begin();
    on.clock.advance(HOUR_MS);
    on.driver.ends(id, 1);
    await until(
      'its end is known',
      () => on.pods.get(id).publicIp,
      (publicIp) => publicIp === null,
    );
    on.clock.advance(500);
    expect(on.billed().ms).toBe(HOUR_MS);
  });
});

describe('a Pod that ran on while no engine did', () => {
  test('is billed for that time as well once it is found again, and for none of it twice', async () => {
    const on = scene();
    await running(on);
    on.clock.advance(90 * MINUTE + 20_000);
    const next = await on.killed(5 * HOUR_MS);
    expect(next.billed()).toMatchObject({ ms: 6.5 * HOUR_MS + 20_000 });
    next.clock.advance(HOUR_MS);
    expect(next.billed().ms).toBe(7.5 * HOUR_MS + 20_000);
    const again = await next.killed(0);
    expect(again.billed().ms).toBe(7.5 * HOUR_MS + 20_000);
    const hours = new Map<number, number>();
    for (const { hour, ms } of again.usage.pieces) hours.set(hour, (hours.get(hour) ?? 0) + ms);
    expect(Math.max(...hours.values())).toBe(HOUR_MS);
  });

  test('is billed for no more than that where it was started anew meanwhile', async () => {
    const on = scene();
    const id = await running(on);
    on.clock.advance(30 * MINUTE);
    const startedAt = START + 50 * MINUTE;
    on.driver.containers.set(id, { ...on.driver.containers.get(id)!, startedAt });
    const next = await on.killed(HOUR_MS);
    // Half of the first hour was recorded, which is more than the ten minutes since the new start.
    expect(next.billed().ms).toBe(60 * MINUTE);
  });

  test('and was stopped is billed for its volume from the start of the next engine on, without a container engine as well', async () => {
    const on = scene();
    const id = await running(on);
    await on.pods.stop(id);
    const before = on.billed().amount;
    const next = await on.killed(HOUR_MS, 'no container engine');
    next.clock.advance(HOUR_MS);
    expect(next.billed().amount).toBeCloseTo(before + DISK_HOUR);
  });
});
