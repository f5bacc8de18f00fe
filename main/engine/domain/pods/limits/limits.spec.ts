/** Changes of what a Pod may use, while its container stays. */
import { describe, expect, test } from 'vitest';
import { doneTo, podMachine, untilRuns } from '../../../../../test/support/pods/fakePods.ts';
import { until } from '../../../../../test/support/core/until.ts';

const image = 'me/image:1';

describe('changes of the limits of a Pod', () => {
  test('are made in place, and cost what they cost from then on', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image, gpuCount: 0, vcpuCount: 2 });
    await untilRuns(on, id);
    expect(on.pods.get(id)).toMatchObject({ vcpuCount: 2, costPerHr: 0.1 });
    on.clock.advance(3_600_000);
    expect(await on.pods.changeLimits(id, { vcpuCount: 4 })).toEqual({ vcpuCount: 4, memoryInGb: null });
    expect(on.pods.get(id)).toMatchObject({ vcpuCount: 4, memoryInGb: 32, costPerHr: 0.2 });
    on.clock.advance(3_600_000);
    expect((await on.pods.facts(id)).autoStop?.spentUsd).toBeCloseTo(0.3, 3);
    expect(await on.pods.changeLimits(id, { vcpuCount: 4 })).toEqual({ vcpuCount: 4, memoryInGb: null });
    await on.pods.stop(id);
    // A Pod on the CPU has a number of cores in any case.
    const all = { vcpuCount: 8, memoryInGb: 8 };
    expect(await on.pods.changeLimits(id, { vcpuCount: null, memoryInGb: 8 })).toEqual(all);
    expect(doneTo(on, id)).toEqual(['start', 'limit', 'stop', 'limit']);
    await on.pods.start(id);
    await until('the limits to be used', () => on.driver.plans.at(-1)!.pod.memoryInGb, 8);
    expect(on.driver.plans.at(-1)!.env).toMatchObject({ RUNPOD_CPU_COUNT: '8', RUNPOD_MEM_GB: '8' });
    await expect(on.pods.changeLimits(id, { memoryInGb: 33 })).rejects.toThrow('this machine has 32 GB');
  });

  test('that the container engine refuses change nothing', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image, memoryInGb: 4 });
    await untilRuns(on, id);
    on.driver.failNext(new Error('no such thing'));
    await expect(on.pods.changeLimits(id, { memoryInGb: 8 })).rejects.toThrow('no such thing');
    expect((await on.pods.facts(id)).limits).toEqual({ vcpuCount: null, memoryInGb: 4 });
    expect(on.rows.get(id)).toMatchObject({ memoryInGb: 4 });
    expect(on.pods.events(id).map(({ kind }) => kind)).not.toContain('changed');
  });

  test('while its image is pulled begin the start again with them', async () => {
    const on = podMachine();
    const pull = on.driver.hold();
    const { id } = await on.pods.create({ imageName: image });
    await until('the pull', () => on.driver.plans.length, 1);
    expect(await on.pods.changeLimits(id, { memoryInGb: 8 })).toEqual({ vcpuCount: null, memoryInGb: 8 });
    pull.release();
    await untilRuns(on, id);
    expect(on.driver.plans.at(-1)!.pod.memoryInGb).toBe(8);
  });

  test('reach a container that the next engine finds', async () => {
    const on = podMachine();
    const { id } = await on.pods.create({ imageName: image, memoryInGb: 4 });
    await untilRuns(on, id);
    const next = await on.again();
    await next.pods.begin();
    expect(next.driver.done).toEqual([`limit 0 4 ${id}`]);
  });
});
