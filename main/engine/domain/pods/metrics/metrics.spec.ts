/** The metrics of Pods: when they are measured, what is kept, and what is answered. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { createFakeClock, silentLogger } from '../../../../../test/support/core/fakes.ts';
import { until } from '../../../../../test/support/core/until.ts';
import type { PodSample } from '../podInterfaces.ts';
import { createPodHistoryStore, podHistoryFile } from '../../../store/history/podHistory.ts';
import { createPodMetrics, type PodMetricsOptions } from './metrics.ts';
import type { PodHistoryStore } from './sums.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const GB = 2 ** 30;

let dataDir: string;
let store: PodHistoryStore;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hangar-pods-'));
  store = createPodHistoryStore(dataDir, silentLogger);
});
afterEach(() => {
  store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * One Pod with four cores and 8 GB. `measure` lets one measurement fall due, after which its container was `busy`
 * percent.
 */
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
  const options: Omit<PodMetricsOptions, 'store'> = {
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
  };
  let metrics = createPodMetrics({ ...options, store });
  metrics.changed();
  return {
    clock,
    metrics: {
      of: (podId: string, period: GpuPeriod) => metrics.of(podId, period),
      changed: () => metrics.changed(),
      stop: () => metrics.stop(),
    },
    /** The engine starts anew on the same file. */
    startsAgain() {
      store.close();
      store = createPodHistoryStore(dataDir, silentLogger);
      metrics = createPodMetrics({ ...options, store });
      metrics.changed();
    },
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

  it('are there after a restart of the engine, with a gap while it was off', async () => {
    const { clock, metrics, measure, startsAgain } = machine();
    for (let count = 0; count < 9; count += 1) await measure(40);
    metrics.stop();
    expect(clock.pending()).toBe(0);
    clock.advance(5 * 60 * SECOND);
    startsAgain();
    const known = (period: '15m' | '24h') =>
      metrics.of('p1', period).points.flatMap(({ memoryBytes }, place) => (memoryBytes === null ? [] : [place]));
    // The time before with what was not stored yet, and nothing since.
    expect(known('15m')).toEqual([16, 17, 18, 19]);
    expect(metrics.of('p1', '15m')).toMatchObject({ memoryLimitBytes: 8 * GB });
    expect(metrics.of('p1', '15m').points[18]?.cpuPercent).toEqual({ mean: 40, most: 40 });
    await measure(80);
    // The first measurement has no load of the processor: the time before it was not seen.
    expect(known('15m')).toEqual([16, 17, 18, 19, 29]);
    expect(metrics.of('p1', '15m').points[29]).toMatchObject({ cpuPercent: null, memoryBytes: { mean: 2 * GB } });
    expect(known('24h')).toEqual([286, 287]);
  });

  it('are stored once a minute, and at once when the last Pod stops', async () => {
    const { clock, measure, stops } = machine();
    const stored = () => store.read('p1', 30 * SECOND, 0).length;
    for (let count = 0; count < 5; count += 1) await measure();
    expect(stored()).toBe(0);
    await measure();
    expect(stored()).toBe(3);
    await measure();
    await measure();
    await measure();
    stops();
    clock.advance(10 * SECOND);
    await until('the last measurement to be over', () => clock.pending() === 0);
    expect(stored()).toBe(4);
  });

  it('are deleted from the file with the Pod, also with one that was deleted before it was measured again', async () => {
    const { metrics, measure, isDeleted, startsAgain } = machine();
    for (let count = 0; count < 6; count += 1) await measure();
    expect(store.read('p1', 30 * SECOND, 0)).not.toEqual([]);
    metrics.stop();
    startsAgain();
    isDeleted();
    metrics.changed();
    expect(store.read('p1', 30 * SECOND, 0)).toEqual([]);
    expect(metrics.of('p1', '24h').points.every(({ memoryBytes }) => memoryBytes === null)).toBe(true);
  });

  it('are not kept of a Pod that is deleted while it is measured', async () => {
    const { clock, metrics, isDeleted, samples } = machine();
    clock.advance(10 * SECOND);
    isDeleted();
    metrics.changed();
    expect(samples()).toBe(1);
    // The sample is there now.
    await setImmediate();
    metrics.stop();
    expect(store.read('p1', 30 * SECOND, 0)).toEqual([]);
  });

  it('of Pods that the engine does not know any more are deleted at its start', async () => {
    const { metrics, measure, isDeleted, startsAgain } = machine();
    for (let count = 0; count < 6; count += 1) await measure();
    metrics.stop();
    isDeleted();
    startsAgain();
    expect(store.read('p1', 30 * SECOND, 0)).toEqual([]);
  });

  it('of a machine without Pods make no file', () => {
    const { isDeleted, startsAgain, metrics } = machine();
    isDeleted();
    startsAgain();
    expect(metrics.of('p1', '24h').points).toHaveLength(288);
    metrics.stop();
    expect(existsSync(podHistoryFile(dataDir))).toBe(false);
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
