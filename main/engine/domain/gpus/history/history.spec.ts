/** The history of GPUs: what a period answers, and what is kept for how long. */
import { describe, expect, it } from 'vitest';
import type { GpuLoad, MachineGpu } from '#contract/local/machine.ts';
import { createFakeClock } from '../../../../../test/support/core/fakeClock.ts';
import { createGpuHistory } from './history.ts';
import type { GpuPiece, GpuUse } from './ports.ts';
import { addSums } from './sums.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const GB = 2 ** 30;

const gpuWith = (uuid: string, index: number, load: GpuLoad | null): MachineGpu => ({
  uuid,
  index,
  typeId: 'NVIDIA L4',
  vendor: 'nvidia',
  memoryBytes: 24 * GB,
  driverVersion: null,
  enabled: true,
  shared: false,
  heldBy: [],
  load,
});

/** A machine with two GPUs, of which the first one is measured. */
function machine() {
  // A whole day of the clock, so that spans begin at its start.
  const clock = createFakeClock(1_800_057_600_000);
  const stored = new Map<string, GpuPiece>();
  let isFull = false;
  let use: GpuUse = { users: [], ownMemoryBytes: 0 };
  let load: GpuLoad | null = null;
  const store = {
    adds: 0,
    add(pieces: readonly GpuPiece[]) {
      store.adds++;
      if (isFull) return false;
      for (const piece of structuredClone(pieces)) {
        const key = `${piece.key} ${piece.stepMs} ${piece.at}`;
        const before = stored.get(key);
        if (before) addSums(before.sums, piece.sums);
        else stored.set(key, piece);
      }
      return true;
    },
    read: (wanted: string, stepMs: number, from: number) =>
      structuredClone([...stored.values()])
        .filter((piece) => piece.key === wanted && piece.stepMs === stepMs && piece.at >= from)
        .toSorted((a, b) => a.at - b.at),
    retain: () => undefined,
  };
  const start = () =>
    createGpuHistory({
      clock,
      store,
      gpus: () => [gpuWith('GPU-a', 0, load), gpuWith('GPU-b', 1, null)],
      findUse: () => use,
    });
  const history = start();
  return {
    clock,
    store,
    history,
    start,
    fills: (full: boolean) => (isFull = full),
    usedBy: (next: GpuUse) => (use = next),
    /** One measurement now, and then a pause. */
    measure(utilPercent: number | null, pauseMs = 15 * SECOND) {
      const at = new Date(clock.now()).toISOString();
      load = { at, utilPercent, memoryUsedBytes: GB, temperatureC: 50, powerW: null, processes: [] };
      history.measured();
      clock.advance(pauseMs);
    },
  };
}

describe('the history of a GPU', () => {
  it('divides the period into points with mean and greatest value, without a value where nothing was measured', () => {
    const { history, measure, clock } = machine();
    measure(10);
    measure(90);
    clock.advance(MINUTE);
    measure(20, 0);
    const [first, second] = history.of('15m');
    expect(first).toMatchObject({ uuid: 'GPU-a', index: 0, period: '15m', stepMs: 30 * SECOND, memoryBytes: 24 * GB });
    expect(first?.points).toHaveLength(30);
    expect(first?.points.slice(-4).map(({ utilPercent }) => utilPercent)).toEqual([
      { mean: 50, most: 90 },
      null,
      null,
      { mean: 20, most: 20 },
    ]);
    expect(first?.points.at(-1)).toMatchObject({
      at: first?.to,
      memoryBytes: { mean: GB, most: GB },
      temperatureC: { mean: 50, most: 50 },
      powerW: null,
    });
    expect(second?.points.every(({ utilPercent }) => utilPercent === null)).toBe(true);
  });

  it('of a day is thinned to five minutes, and has what was measured in each of them', () => {
    const { history, measure } = machine();
    for (let count = 0; count < 6 * 60; count++) measure(count < 180 ? 0 : 100, MINUTE);
    const [day] = history.of('24h');
    expect(day?.points).toHaveLength(288);
    const known = day?.points.flatMap(({ utilPercent }) => utilPercent?.mean ?? []);
    expect(known).toEqual([...Array<number>(36).fill(0), ...Array<number>(36).fill(100)]);
    expect(history.of('6h')[0]?.points).toHaveLength(180);
    expect(history.of('1h')[0]?.points).toHaveLength(120);
  });

  it('counts a measurement once, however often it is read', () => {
    const { history, measure } = machine();
    measure(100, 0);
    history.measured();
    measure(50, 0);
    expect(history.of('15m')[0]?.points.at(-1)?.utilPercent).toEqual({ mean: 100, most: 100 });
  });

  it('survives a restart, also of the span that was not over', () => {
    const { history, measure, start, clock, store } = machine();
    measure(10);
    history.stop();
    clock.advance(5 * SECOND);
    const again = start();
    expect(again.of('15m')[0]?.points.at(-1)?.utilPercent).toEqual({ mean: 10, most: 10 });
    expect(store.adds).toBe(1);
  });

  it('is stored once a minute, by no timer', () => {
    const { measure, store, clock } = machine();
    for (let count = 0; count < 40; count++) measure(1, 3 * SECOND);
    expect(store.adds).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it('is complete while the disk is full, and stored afterwards', () => {
    const { history, measure, fills, store } = machine();
    fills(true);
    for (let count = 0; count < 20; count++) measure(40);
    expect(store.adds).toBeGreaterThan(1);
    expect(history.of('15m')[0]?.points.filter(({ utilPercent }) => utilPercent?.mean === 40)).toHaveLength(10);
    fills(false);
    history.stop();
    expect(store.read('GPU-a', 30 * SECOND, 0)).toHaveLength(10);
  });

  it('keeps in memory no more than what can be asked for while the disk is full', () => {
    const { history, measure, fills, store } = machine();
    fills(true);
    for (let count = 0; count < 3 * 60; count++) measure(1, MINUTE);
    fills(false);
    history.stop();
    expect(store.read('GPU-a', 30 * SECOND, 0).length).toBeLessThanOrEqual(HOUR / MINUTE + 2);
  });

  it('names who used it and for how long, own workers and Pods before other programs', () => {
    const { history, measure, usedBy } = machine();
    const chrome = { kind: 'program', id: 'chrome', name: 'chrome', memoryBytes: 3 * GB } as const;
    const own = { kind: 'endpoint', id: 'e1', name: 'draw', memoryBytes: 2 * GB } as const;
    usedBy({ users: [chrome], ownMemoryBytes: 0 });
    measure(5, 30 * SECOND);
    usedBy({ users: [{ ...chrome, memoryBytes: GB }, own], ownMemoryBytes: 2 * GB });
    measure(95, 0);
    const [gpu] = history.of('15m');
    expect(gpu?.users).toEqual([
      { ...own, ms: 30 * SECOND },
      { ...chrome, ms: MINUTE },
    ]);
    expect(gpu?.points.slice(-2).map(({ ownMemoryBytes }) => ownMemoryBytes)).toEqual([0, 2 * GB]);
  });

  it('tells a Pod that only kept it apart from the time in which the Pod used it', () => {
    const { history, measure, usedBy } = machine();
    const trainer = { kind: 'pod', id: 'p1', name: 'trainer', memoryBytes: null } as const;
    const keeper = { ...trainer, isKept: true };
    usedBy({ users: [keeper], ownMemoryBytes: 0 });
    measure(5, 30 * SECOND);
    usedBy({ users: [trainer], ownMemoryBytes: null });
    measure(95, SECOND);
    // In one span with the use.
    usedBy({ users: [keeper], ownMemoryBytes: 0 });
    measure(5, 0);
    const [gpu] = history.of('15m');
    expect(gpu?.users).toEqual([
      { ...trainer, ms: 30 * SECOND },
      { ...keeper, ms: 30 * SECOND },
    ]);
  });

  it('is answered of one GPU by its index or its uuid, and refused for another with the GPUs that there are', () => {
    const { history } = machine();
    expect(history.of('1h', '1').map(({ uuid }) => uuid)).toEqual(['GPU-b']);
    expect(history.of('1h', 'GPU-a').map(({ uuid }) => uuid)).toEqual(['GPU-a']);
    expect(() => history.of('1h', '2')).toThrow('There is no GPU "2". There are 0 (GPU-a), 1 (GPU-b).');
  });
});
