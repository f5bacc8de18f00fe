/** The metrics of Pods: when they are measured, what is kept, and what is answered. */
import { describe, expect, it } from 'vitest';
import type { MachineGpu } from '#contract/local/machine.ts';
import { createFakeClock, silentLogger } from '../../../../../test/support/core/fakes.ts';
import { until } from '../../../../../test/support/core/until.ts';
import type { PodSample } from '../podInterfaces.ts';
import { createPodMetrics, type PodMetricsOptions } from './metrics.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const GB = 2 ** 30;

/** One Pod with four cores and 8 GB. `measure` lets one measurement fall due, after which its container was `busy` percent. */
function machine(gpus: readonly MachineGpu[] = []) {
  // A whole day of the clock, so that spans begin at its start.
  const clock = createFakeClock(1_800_057_600_000);
  let running = ['p1'];
  let known = ['p1'];
  let busyNs = 0;
  let networkBytes: number | null = 0;
  const activities: Parameters<PodMetricsOptions['observed']>[1][] = [];
  let isUp = true;
  let samples = 0;
  const metrics = createPodMetrics({
    clock,
    logger: silentLogger,
    podIds: () => known,
    runningIds: () => running,
    sample(): Promise<PodSample | null> {
      samples++;
      if (!isUp) return Promise.reject(new Error('The container engine is away.'));
      const memory = { memoryBytes: 2 * GB, limitBytes: 8 * GB };
      return Promise.resolve({ at: clock.now(), busyNs, cores: 4, ...memory, networkBytes });
    },
    gpus: () => gpus,
    observed: (_, activity) => void activities.push(activity),
    findUse: () => ({ users: [{ kind: 'pod', id: 'p1', name: 'trainer', memoryBytes: GB }], ownMemoryBytes: GB }),
  });
  metrics.changed();
  return {
    clock,
    metrics,
    samples: () => samples,
    goesAway: (away: boolean) => (isUp = !away),
    restarts: () => (busyNs = 0),
    stops: () => (running = []),
    starts: () => (running = ['p1']),
    isDeleted() {
      running = [];
      known = [];
    },
    async measure(busyPercent = 0) {
      busyNs += (busyPercent / 100) * 4 * 10 * SECOND * 1e6;
      const before = samples;
      clock.advance(10 * SECOND);
      await until('the next measurement to be planned', () => samples > before && clock.pending() === 1);
    },
    last: () => metrics.of('p1', '15m').points.at(-1),
    /** What the last measurement said. */
    observed: () => activities.at(-1),
    /** Its network has so much in the next ten seconds; null: it is not measured. */
    transfers: (bytes: number | null) => (networkBytes = bytes === null ? null : (networkBytes ?? 0) + bytes),
  };
}

describe('the metrics of a Pod', () => {
  it('are the load of its cores and its memory, by mean and greatest value', async () => {
    const { metrics, measure } = machine();
    await measure(90);
    await measure(20);
    await measure(40);
    const { points, ...facts } = metrics.of('p1', '15m');
    expect(facts).toMatchObject({
      podId: 'p1',
      stepMs: 30 * SECOND,
      memoryLimitBytes: 8 * GB,
      gpuMemoryLimitBytes: null,
    });
    expect(points).toHaveLength(30);
    // The first measurement has none before it, and so no load.
    expect(points.slice(-2)).toMatchObject([
      { cpuPercent: { mean: 20, most: 20 }, memoryBytes: { mean: 2 * GB, most: 2 * GB }, gpuPercent: null },
      { cpuPercent: { mean: 40, most: 40 } },
    ]);
    expect(points.at(0)).toMatchObject({ cpuPercent: null, memoryBytes: null, ownGpuMemoryBytes: null });
  });

  it('have the load of its GPUs once for each measurement of them, with the memory of its own processes', async () => {
    const gpu = (index: number, podId: string, utilPercent: number): MachineGpu => ({
      uuid: `GPU-${index}`,
      index,
      typeId: 'NVIDIA L4',
      vendor: 'nvidia',
      memoryBytes: 24 * GB,
      driverVersion: null,
      enabled: true,
      shared: false,
      heldBy: [{ podId, podName: podId }],
      load: { at: 'then', utilPercent, memoryUsedBytes: 3 * GB, temperatureC: 50, powerW: null, processes: [] },
    });
    const { metrics, measure, last } = machine([gpu(0, 'p1', 80), gpu(1, 'p1', 20), gpu(2, 'p2', 100)]);
    await measure();
    expect(last()).toMatchObject({
      gpuPercent: { mean: 50, most: 50 },
      gpuMemoryBytes: { mean: 6 * GB, most: 6 * GB },
      ownGpuMemoryBytes: 2 * GB,
    });
    expect(metrics.of('p1', '1h').gpuMemoryLimitBytes).toBe(48 * GB);
    await measure();
    await measure();
    // The GPUs were not measured again in this span.
    expect(last()).toMatchObject({ gpuPercent: null });
  });

  it('have no load across a restart of the container, and nothing while the container engine is away', async () => {
    const { measure, restarts, goesAway, last } = machine();
    await measure(50);
    await measure(50);
    await measure(0);
    restarts();
    await measure(1);
    expect(last()).toMatchObject({ cpuPercent: { mean: 0, most: 0 } });
    goesAway(true);
    for (const _ of [1, 2, 3]) await measure();
    expect(last()).toMatchObject({ cpuPercent: null, memoryBytes: null });
    goesAway(false);
    await measure();
    expect(last()).toMatchObject({ cpuPercent: null, memoryBytes: { mean: 2 * GB } });
  });

  it('are measured only while a Pod should run, and stay when it is stopped', async () => {
    const { clock, metrics, measure, stops, starts, samples } = machine();
    await measure(10);
    stops();
    clock.advance(10 * SECOND);
    await until('the last measurement to be over', () => clock.pending() === 0);
    const before = samples();
    clock.advance(HOUR / 2);
    expect(samples()).toBe(before);
    expect(metrics.of('p1', '1h').points.some(({ memoryBytes }) => memoryBytes !== null)).toBe(true);
    starts();
    metrics.changed();
    await measure(10);
    expect(samples()).toBe(before + 1);
    metrics.stop();
    expect(clock.pending()).toBe(0);
  });

  it('are gone with the Pod, and are kept for a day at most', async () => {
    const { clock, metrics, measure, isDeleted } = machine();
    await measure();
    clock.advance(1);
    const measured = (period: '1h' | '24h') =>
      metrics.of('p1', period).points.filter(({ memoryBytes }) => memoryBytes !== null).length;
    expect([measured('1h'), measured('24h')]).toEqual([1, 1]);
    clock.jump(2 * HOUR);
    await measure();
    expect([measured('1h'), measured('24h')]).toEqual([1, 2]);
    clock.jump(24 * HOUR);
    await measure();
    expect([measured('1h'), measured('24h')]).toEqual([1, 1]);
    isDeleted();
    metrics.changed();
    expect(measured('24h')).toBe(0);
  });

  it('are passed on with the traffic of the network, and as unknown while nothing can be measured', async () => {
    const { measure, observed, transfers, goesAway } = machine();
    await measure();
    expect(observed()).toEqual({ cpuPercent: null, cores: 4, gpuPercents: [], trafficBytesPerS: null });
    transfers(20_000);
    await measure(50);
    expect(observed()).toEqual({ cpuPercent: 50, cores: 4, gpuPercents: [], trafficBytesPerS: 2000 });
    transfers(null);
    await measure();
    expect(observed()).toMatchObject({ cpuPercent: 0, trafficBytesPerS: null });
    goesAway(true);
    await measure();
    expect(observed()).toBeNull();
  });

  it('are passed on without the load of a GPU that was not measured lately', async () => {
    const load = { at: new Date(1_800_057_600_000).toISOString(), utilPercent: 7 };
    const gpu = { uuid: 'GPU-0', heldBy: [{ podId: 'p1', podName: 'trainer' }], load, memoryBytes: GB };
    const { measure, observed } = machine([gpu as unknown as MachineGpu]);
    await measure();
    expect(observed()?.gpuPercents).toEqual([7]);
    for (let count = 0; count < 6; count += 1) await measure();
    expect(observed()?.gpuPercents).toEqual([null]);
  });
});
