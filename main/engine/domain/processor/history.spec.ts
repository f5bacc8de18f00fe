/** The history of the processor: when it is measured, and what a period answers. */
import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import type { SpanPiece } from '../gpus/history/ports.ts';
import { createProcessorHistory, type ProcessorSums } from './history.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GB = 2 ** 30;

function machine() {
  // A whole day of the clock, so that spans begin at its start.
  const clock = createFakeClock(1_800_057_600_000);
  const stored: SpanPiece<ProcessorSums>[] = [];
  let loadPercent: number | null = null;
  const store = {
    add: (pieces: readonly SpanPiece<ProcessorSums>[]) => stored.push(...structuredClone(pieces)) > 0,
    read: (_key: string, stepMs: number, from: number) =>
      structuredClone(stored.filter((piece) => piece.stepMs === stepMs && piece.at >= from)),
    retain: () => undefined,
  };
  const start = () =>
    createProcessorHistory({
      clock,
      store,
      measure: () => ({
        cpu: { model: 'CPU', cores: 8, loadPercent },
        memory: { totalBytes: 32 * GB, usedBytes: 4 * GB },
      }),
    });
  return { clock, stored, history: start(), start, loads: (percent: number | null) => (loadPercent = percent) };
}

it('is measured a second after the start, then every 15 s, and divides the period into points with mean and greatest value', () => {
  const { clock, history, loads } = machine();
  loads(null);
  clock.advance(SECOND);
  expect(history.of('15m').points.at(-1)).toMatchObject({ loadPercent: null, memoryBytes: { mean: 4 * GB } });
  clock.advance(14 * SECOND);
  loads(10);
  clock.advance(15 * SECOND);
  loads(90);
  clock.advance(15 * SECOND);
  const { points, ...facts } = history.of('15m');
  const to = new Date(clock.now()).toISOString();
  expect(facts).toMatchObject({ period: '15m', stepMs: 30 * SECOND, to });
  expect(points).toHaveLength(30);
  // What the first measurement says of the load was not measured.
  const memoryBytes = { mean: 4 * GB, most: 4 * GB };
  expect(points.slice(-3)).toMatchObject([
    { loadPercent: null, memoryBytes: null },
    { loadPercent: null, memoryBytes },
    { loadPercent: { mean: 50, most: 90 }, memoryBytes },
  ]);
  expect(history.of('24h').points.at(-1)).toMatchObject({ loadPercent: { mean: 50, most: 90 } });
});

it('is stored once a minute and at the end, goes on after a restart, and measures nothing after its end', () => {
  const { clock, stored, history, start, loads } = machine();
  loads(20);
  clock.advance(45 * SECOND);
  expect(stored).toEqual([]);
  clock.advance(15 * SECOND);
  expect(stored).not.toEqual([]);
  clock.advance(30 * SECOND);
  history.stop();
  expect(clock.pending()).toBe(0);
  clock.advance(2 * MINUTE);
  const points = start()
    .of('15m')
    .points.map(({ loadPercent }) => loadPercent?.mean ?? null);
  expect(points.slice(-9)).toEqual([null, 20, 20, 20, 20, null, null, null, null]);
});
